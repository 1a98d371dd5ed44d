import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const KNOWN = [
  ['HARD_BOUNCE', 'bounced'],
  ['SPAM_COMPLAINT', 'complained'],
  ['USER_SUPPRESSED', 'unsubscribed'],
] as const;

const FORMS = [
  (word: string, known: string) => `["${word}","${known}"]`,
  (word: string, known: string) => `["${known}","${word}"]`,
  (word: string, known: string) => `${word};${known}`,
];

const CASES = KNOWN.flatMap(([known, reason]) => FORMS.map((formOf) => [formOf('NEW_REASON', known), reason] as const));

test.each(CASES)('suppresses a person by the known word beside an unknown one: %s (C7)', async (cell, reason) => {
  const rows = ['sub@x.test,SUBSCRIBED,', `two@x.test,SUBSCRIBED,"${cell.replaceAll('"', '""')}"`];
  const files = { 'list.csv': csv('Email,Email Marketing Consent,Email Suppressions', ...rows) };

  const list = await readList(files, { statusMap: { NEW_REASON: 'subscribed' } });

  expect([list.contacts.filter(({ email }) => email === 'two@x.test'), list.suppressions]).toEqual([
    [],
    { [reason]: ['two@x.test'] },
  ]);
});

const LISTS = ['["new","%s"]', '["%s","new"]'];
const CELLS = [...LISTS, '{"newsletter":"new","email":"%s"}', '{"email":"%s","newsletter":"new"}'];
const COLUMNS = ['Newsletter', 'Email status', 'Opt-in', 'Unsubscribed'];
const casesOf = (cells: readonly string[]) => COLUMNS.flatMap((column) => cells.map((cell) => [column, cell] as const));

/** The state in which the person with this cell is sent, or `none`. */
async function stateWith(column: string, cell: string, statusMap: Readonly<Record<string, string>>) {
  const files = { 'list.csv': csv(`Email,${column}`, 'a@x.test,no', `two@x.test,"${cell.replaceAll('"', '""')}"`) };
  const { contacts } = await readList(files, { defaultStatus: { '*': 'subscribed' }, statusMap });
  const contact = contacts.find(({ email }) => email === 'two@x.test');
  return contact === undefined ? 'none' : (contact.status ?? 'subscribed');
}

test.each(casesOf(CELLS))(
  'signs up no person by "new" when the cell in %s also opts out: %s (C7)',
  async (column, cell) => {
    // svc asks about no unknown word of a field such as `email`.
    for (const other of ['unsubscribed', 'bounced', ...(LISTS.includes(cell) ? ['odd'] : [])]) {
      const text = cell.replace('%s', other);
      expect([text, await stateWith(column, text, { [`${column}:new`]: 'subscribed' })]).not.toEqual([
        text,
        'subscribed',
      ]);
    }
  },
);

test.each(casesOf(LISTS))('lets the opt-out win when both words in %s are answered: %s (C7)', async (column, cell) => {
  const statusMap = { [`${column}:new`]: 'subscribed', [`${column}:odd`]: 'unsubscribed' };
  expect(await stateWith(column, cell.replace('%s', 'odd'), statusMap)).toBe('unsubscribed');
});

test('offers an answer for each word when a cell has two unknown words (C11)', async () => {
  const files = { 'list.csv': csv('Email,Newsletter', 'a@x.test,yes', 'b@x.test,"[""new"",""odd""]"') };
  const { finding } = await readList(files);

  expect(finding('unknown_status')?.hint).toBe('--status-map new=skip --status-map odd=skip');
  expect(finding('unknown_status')?.message).toContain('column "Newsletter": "new" (1), "odd" (1)');
});

/** Texts that svc reads as a blank, as another word, or as several words. */
const TEXTS = ['n/a', 'N/A', '-', '–', '...', '(none)', 'null', '#N/A', '?', 's/n', '["new","odd"]', 'new;odd'];
const TEXT_CASES = TEXTS.flatMap((text) =>
  ['Status', 'Newsletter', 'Consent'].flatMap((column) =>
    ['', `${column}:`].map((form) => [text, column, form] as const),
  ),
);

test.each(TEXT_CASES)(
  'opts out a person with %j in %s when an answer %s names this text (C1)',
  async (text, column, form) => {
    const rows = ['a@x.test,yes,active', `b@x.test,"${text.replaceAll('"', '""')}",active`];
    const files = { 'list.csv': csv(`Email,${column},Email status`, ...rows) };
    const words = { s: 'subscribed', n: 'subscribed', new: 'subscribed', odd: 'subscribed' };
    const { contacts } = await readList(files, { statusMap: { ...words, [form + text]: 'unsubscribed' } });

    expect(contacts.map(({ status }) => status)).toEqual([undefined, 'unsubscribed']);
  },
);
