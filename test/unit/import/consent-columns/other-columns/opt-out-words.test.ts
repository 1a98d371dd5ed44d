import { expect, test } from 'vitest';
import { type ReadingOptions, readAnswers } from '../../../../../src/import/mapping/reading-answers.ts';
import type { TableSource } from '../../../../../src/import/source/source.ts';
import { buildTable } from '../../../../../src/import/tables/build-table.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { SAMPLES, type Sample } from '../../samples.ts';
import { csv, NO_ANSWERS, readList, sourcesOf } from '../../support.ts';
import { PLAIN } from '../../tables-in-memory.ts';

/**
 * Opt-out words in columns about something else: names, telephone numbers, addresses, dates. The words are repeated
 * here, so that a word lost in the source fails.
 */

// Words that occur in no name.
const ANYWHERE = [
  'deceased|DECEASED 2021|verstorben|décédé|fallecido|deceduto|falecido|overleden|zmarł|avliden|kuollut|vefat etti|zemřel',
  'elhunyt|decedat|умер|故人|已故|사망|متوفى|נפטר|đã qua đời|เสียชีวิต|मृत|not interested|kein Interesse|please do not email|keine Werbung|đã mất|đã xóa',
  'UNSUBSCRIBED|opted out|do not contact|consent: false|optin=0|x; "subscribed":false|{"subscribed":false}|newsletter: nein',
].flatMap((line) => line.split('|'));
// Marks that can describe an order or a product, but never a person who wants mail.
const MARKS = [
  'GESPERRT|gelöscht|deleted|*** DELETED ***|left the company|unbekannt verzogen|supprimé|eliminado|cancellato|bloqueado',
  'verwijderd|usunięty|borttagen|poistettu|silindi|smazáno|удалён|退会済み|已删除|탈퇴|מחק?',
].flatMap((line) => line.split('|').filter((word) => !word.includes('?')));
// Words that also occur in names.
const WORDS = 'left|removed|stop|gone|dead|quit|cancelled|blocked|baja|annulé|gekündigt|spam|차단|חסום'.split('|');

const OPTIONS: ReadingOptions = { ...NO_ANSWERS, defaultStatus: { '*': 'subscribed' } };
const CHANNEL = /sms|push|phone opt|call/i;
const THING =
  /status|stage|plan|order|event|payment|ticket|subscription|amount|currency|campaign|source|description|timestamp|paid|activity|tax|card|charge|trial/i;
const NAME =
  /name|company|organi|city|country|state|region|province|tags|lists?|groups?|segment|labels|title|note|label|interest|location|owner|value/i;

const CLASSES: readonly (readonly [what: string, words: readonly string[], isOut: (header: string) => boolean])[] = [
  ['a death, a refusal or a field of consent', ANYWHERE, () => false],
  ['an opt-out mark such as GESPERRT', MARKS, (header) => THING.test(header)],
  ['an opt-out word that may be a name', WORDS, (header) => THING.test(header) || NAME.test(header)],
];

test.each(CLASSES)('notices %s in every column of every platform (C1, C10)', (_, words, isOut) => {
  const silent = SAMPLES.flatMap((sample) => {
    const signedUp = readerOf(sample);
    return sample.header.flatMap((header, at) =>
      CHANNEL.test(header) || isOut(header)
        ? []
        : signedUp(at, everyNth(words, 3, at)).map((word) => `${sample.name}, ${header}: ${word}`),
    );
  });
  expect(silent).toEqual([]);
});

/**
 * A function for the words with which a person stays subscribed, when they are in one column of a sample. The other
 * cells are those of a subscribed person.
 */
function readerOf({ name, header, row: cells }: Sample): (at: number, words: readonly string[]) => readonly string[] {
  const row = header.map((_, index) => cells[index] ?? '');
  const [source] = sourcesOf({ [name]: '' });
  const dialect = { ...PLAIN, headerLine: 1, header };
  const start = { source: source as TableSource, dialect, sample: [row] };
  const { stateOf, columns } = buildTable(start, OPTIONS, readAnswers(OPTIONS));
  const isSubscribed = (own: readonly string[]) => {
    const { state, unknown } = stateOf(own, '');
    return unknown === undefined && (state === 'subscribed' || state === 'none');
  };
  return (at, words) =>
    isSubscribed(row) && columns[at]?.kind !== 'state_part'
      ? words.filter((word) => isSubscribed(row.with(at, word)))
      : [];
}

const HARMLESS: Readonly<Record<string, string>> = {
  'Last Name':
    'Left|Dead|Gone|Removed|Stop|Bounce|Out|Abmelden|Quit|Block|Baja|Tot|Stoppard|Leftwich|Klagenfurter|Robinson|Nein|Rausch',
  Company:
    'Removed|Stop|Bounce|Out|EXIT|Dead Letter Office|Stop & Shop|No Frills|Removal Men Ltd|Opposition|Never Too Late',
  City: 'Klagenfurt|Offenbach|Baja|None|Stop|Left Bank|Mortagne|Tottenham|Gone',
  Phone: '+49 30 1234567|unknown|no phone|call after 5|n/a|0301234|ext. 12',
  Address: '12 Left Street|Stop Street 4|1 Dead End Road|No Name Lane 3|PO Box 3|c/o Berg|bitte klingeln',
  Salutation: 'Mr|Mrs|Dr.|Herr|Frau|Divers|Mx|none|keine Angabe',
  'Order status': 'cancelled|returned|deleted|closed|on hold|declined',
  Plan: 'free|cancelled|terminated|removed|stopped',
  Direction: 'left|right|out',
  Gate: 'left|right|out',
  'Last seen': '2024-01-02 10:00:00|0000-00-00|never|10:30',
  'No.': '1|2|3',
  Action: 'add|update|keep|contacted',
  'Last action': 'removed|deleted|viewed',
  'Has email': 'yes|no|no',
  'Email opened': 'yes|no|1',
  'Private email': 'none|-',
  Post: 'ja|nein',
  'Unsubscribed at': '1/0/1900|0/1/1900 0:00|0-Jan-00|00.01.1900',
  'Soft bounces': '0|1|soft',
  Website: 'https://example.com/?newsletter=0&optin=no|example.com/left',
  'Exclude from Household Formal Greeting': 'true|false',
  'Invoice by email': 'yes|no',
  'Contacted by email': 'yes|no',
  'Sleeping bag': 'yes|no',
  'Disabled parking': 'yes|no',
  'Order cancelled notification': 'yes|yes',
  'Date de retrait souhaitée': '2024-01-02|2024-01-03',
  'Registration status': 'Cancelled|Registered',
  'Consent status': 'Given|granted|obtained',
  'Einwilligung erteilt': 'erteilt|ja|liegt vor',
  'Preferred contact method': 'Email|Do not phone|any',
  'Consent text': 'I can unsubscribe at any time.|Ich kann jederzeit widerrufen',
  'No Bulk Emails (User Opt Out)': 'No|0',
  'Email availability': 'available|available',
  Color: 'none|red|score=0|size: 0|vegan: no',
};

test('does not ask the user about usual names and values (C10)', async () => {
  const rows = Object.values(HARMLESS).map((line) => line.split('|'));
  const lines = Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, row) =>
    [`p${row}@x.test`, 'active', ...rows.map((values) => values[row] ?? '')].join(';'),
  );
  const { reading, contacts } = await readList({
    'list.csv': csv(['Email', 'Status', ...Object.keys(HARMLESS)].join(';'), ...lines),
  });
  expect(reading.findings.filter(({ level }) => level === 'stop').map(({ message }) => message)).toEqual([]);
  expect(contacts).toHaveLength(lines.length);
});

test('asks one question about all opt-out words of a column (C10, C11)', async () => {
  const files = {
    'list.csv': csv(
      'Email,Status,Address',
      'a@x.test,active,12 High St',
      'b@x.test,active,deceased',
      'c@x.test,active,moved away',
    ),
  };
  const list = await readList(files);
  const finding = list.finding('unknown_status');
  expect(finding?.message).toContain('column "Address": "deceased" (1), "moved away" (1)');
  expect(finding?.hint).toBe("--status-map Address:deceased=skip --status-map 'Address:moved away=skip'");
  expect(finding?.otherwise?.[0]?.flags).toBe(
    "--status-map Address:deceased=subscribed --status-map 'Address:moved away=subscribed'",
  );
  const skipped = await readList(files, { statusMap: { deceased: 'skip', 'moved away': 'skip' } });
  expect(skipped.contacts.map(({ email }) => email)).toEqual(['a@x.test']);
  const named = { 'Address:deceased': 'subscribed', 'Address:moved away': 'subscribed' };
  for (const statusMap of [named, { 'Address:*': 'subscribed' }]) {
    expect((await readList(files, { statusMap })).contacts).toHaveLength(3);
  }
});

test('applies an answer about "UNSUB-anna@…" to all rows of anna@… (C1, C9)', async () => {
  const rows = ['UNSUB-anna@x.test,active', 'anna@x.test,active', 'ben@x.test,active', 'cleo@x.test (GESPERRT),active'];
  const files = { 'list.csv': csv('Email,Status', ...rows, 'cleo@x.test,active') };
  const list = await readList(files);
  expect(list.finding('unknown_status')?.message).toContain('column "Email": "UNSUB-" (1)');
  const answered = await readList(files, { statusMap: { 'UNSUB-': 'skip', '(GESPERRT)': 'skip' } });
  expect(answered.contacts.map(({ email }) => email)).toEqual(['ben@x.test']);
});

test.each([
  ['Email,Status', '"UNSUB-anna@x.test; ben@x.test",active', 'UNSUB-'],
  ['Email,Status', '"anna@x.test_deleted; ben@x.test",active', '_deleted'],
  ['Email,Status', 'ben@x.test;UNSUB-anna@x.test,active', 'UNSUB-'],
  ['Email,Status,Email 2', 'ben@x.test,active,UNSUB-anna@x.test', 'UNSUB-'],
  ['Email,Status,Email 2', 'anna@x.test (left),active,ben@x.test', '(left)'],
])('mails no address of a row when one is marked, %s: %s (C1, C9)', async (header, row, mark) => {
  const files = { 'list.csv': csv(header, row, 'anna@x.test,active', 'ben@x.test,active', 'cleo@x.test,active') };
  const list = await readList(files);
  expect(list.finding('unknown_status')?.message).toContain(`"${mark}" (1)`);
  const answered = await readList(files, { statusMap: { [mark]: 'skip' } });
  expect(answered.contacts.map(({ email }) => email)).toEqual(['cleo@x.test']);
});

test('asks the user about an opt-out word in a mapped name column (C10)', async () => {
  const files = { 'list.csv': csv('Email,Status,Surname', 'a@x.test,active,Berg', 'b@x.test,active,GESPERRT') };
  const list = await readList(files, { map: ['Surname=last_name'] });
  expect(list.finding('unknown_status')?.level).toBe('stop');
});

test('counts a row once when svc asks about two of its columns (C10, L5)', async () => {
  const rows = ['a@x.test,active,12 High St,Mr', 'b@x.test,active,deceased,GESPERRT', 'c@x.test,active,moved away,Mrs'];
  const list = await readList({ 'list.csv': csv('Email,Status,Address,Salutation', ...rows) });
  expect(list.finding('unknown_status')).toMatchObject({ when: 'This skips 2 rows', total: 2 });
});

test.each(['Membership status', 'Membership', 'Membership type'])(
  'asks about an ended membership under %s when the status is active (C10)',
  async (header) => {
    for (const end of ['Resigned', 'Terminated', 'Withdrawn', 'Former member']) {
      const { contacts, trouble } = await readList({
        'list.csv': `Email,Status,${header}\na@x.test,active,${end}\nb@x.test,active,Lapsed\n`,
      });
      expect([end, contacts.map(({ email }) => email), trouble]).toEqual([end, ['b@x.test'], ['stop unknown_status']]);
    }
  },
);

test('asks about an opt-out word with a date after it, in each language (C10)', async () => {
  const words = 'on|in|im|am|at|le|el|il|em|op|den|since|seit|vom|per|zum|ab|dal|del|dne|od'.split('|');
  const cells = [...words.map((word) => `deleted ${word} 03/2021`), 'deleted 3.4.2021', 'deleted: 2021-04-03'];
  const rows = [...cells, 'deleted of 03/2021', 'Rome'].map((cell, at) => `p${at}@x.test,active,${cell}`);
  const { contacts } = await readList({ 'list.csv': csv('Email,Status,City', ...rows) });
  expect(contacts.map(({ email }) => email)).toEqual([`p${cells.length}@x.test`, `p${cells.length + 1}@x.test`]);
});
