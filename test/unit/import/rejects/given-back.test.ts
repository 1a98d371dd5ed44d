import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { writeRejects } from '../../../../src/import/rejects/rejects.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { csv, type ReadList, readList } from '../support.ts';

const JOINED = { allowJoinedFiles: true, defaultStatus: { '*': 'subscribed' } } as const;

/** The text of the rejects file of a list, and who is signed up without it. */
async function firstReading(text: string, answers: Partial<ReadingOptions>) {
  const { reading, people } = await readList({ 'list.csv': text }, answers);
  const options = { folder: join(tempFolder(), 'rejects'), failures: [], signal: new AbortController().signal };
  const [path] = await writeRejects(reading, people, options);
  return { rejects: readFileSync(path as string, 'utf8'), reasons: reasons({ reading }) };
}

function reasons({ reading }: Pick<ReadList, 'reading'>) {
  return Object.fromEntries((reading.rejections ?? []).map(({ reason, total }) => [reason, total]));
}

function subscribed({ contacts }: ReadList): readonly string[] {
  return contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
}

const NUMBERS = [1, 2, 3, 4, 5];

/** Lists with rejected rows, by reason. Only people whose address begins with `ok` are signed up. */
const REJECTED: readonly (readonly [reason: string, list: string, answers?: Partial<ReadingOptions>])[] = [
  ['missing_email', csv('Email,Name,Status', 'ok@x.test,Al,active', ',Ana,active', 'Bo,bo@x.test,active')],
  ['invalid_email', csv('Email,Status', 'ok@x.test,active', 'ana@x.test (left),active', 'bo@@x.test,active')],
  // svc finds the address column by its cells. In the rejects file only another column has an address.
  [
    'invalid_email',
    csv(
      'Contact,Owner,Status',
      ...NUMBERS.map((nth) => `ok${nth}@x.test,Al,active`),
      'ana at x.test,boss@x.test,active',
    ),
  ],
  ['two_addresses_in_cell', csv('Email', 'ok@x.test', '"ana@x.test, bo@x.test"')],
  ['too_many_fields', csv('Email,Name,Status', 'ok@x.test,Al,active', 'ana@x.test,Berg, Ana,active')],
  ['text_after_closing_quote', csv('Email,Name,Status', 'ok@x.test,Al,active', 'ana@x.test,"Ana" B,active')],
  [
    'backslash_before_quote',
    csv('Email,Name,Status', 'ok@x.test,Al,active', 'ana@x.test,"Ana \\"A\\" B",active'),
    { escape: '"' },
  ],
  [
    'rows_in_quotes',
    csv('Name,Email,Status', 'Al,ok@x.test,active', '"Ana,ana@x.test,active', 'Bo",bo@x.test,active', 'Al,ok2@x.test,'),
  ],
  ['nul_character', csv('Email,Name,Status', 'ok@x.test,Al,active', 'ana@x.test,A\0na,active')],
  ['cut_off_row', 'Email,Name,Status\nok@x.test,Al,active\nana@x.test,Ana'],
  [
    'below_other_header',
    csv(
      'Email,First Name,Status',
      'ok@x.test,Ana,active',
      'zed@x.test,Zed,unsubscribed',
      'Email,Unsubscribed at,Plan status',
      'ben@x.test,2024-01-01,active',
      'cy@x.test,,active',
    ),
  ],
  [
    'below_other_header',
    csv(
      'Email,First Name,Status',
      'ok@x.test,Ana,active',
      'zed at x.test,Zed,active',
      'ann@x.test,Ann,active',
      'Email,Unsubscribed at,Plan status',
      'ann@x.test,2024-01-01,active',
      'cy@x.test,,active',
    ),
  ],
  [
    'below_other_header',
    csv('Q1,Q2,Q3', 'E-Mail,First name,Status', 'ok@x.test,Ana,active', 'Email,Left,Status', 'cy@x.test,x,active'),
  ],
  ['below_other_header', csv('Email,Status', 'ok@x.test,active', 'Status,Email', 'active,cy@x.test')],
];

const CASES = REJECTED.map(([reason, list, more = {}]) => [reason, list, more] as const);

test.each(CASES)(
  'signs up no person when svc reads an uncorrected rejects file: %s (C9)',
  async (reason, text, more) => {
    const answers = { ...JOINED, ...more };
    const first = await firstReading(text, answers);
    expect(first.reasons[reason]).toBeGreaterThan(0);
    const again = await readList({ 'list.csv': first.rejects }, answers);
    expect([subscribed(again), reasons(again)]).toEqual([[], first.reasons]);
    const second = await firstReading(first.rejects, answers);
    const third = await readList({ 'list.csv': second.rejects }, answers);
    expect([subscribed(third), reasons(third)]).toEqual([[], first.reasons]);
  },
);

const BELOW = csv(
  'Email,First Name,Status',
  'ok@x.test,Ana,active',
  'Email,Unsubscribed at,Plan status',
  'ben@x.test,2024-01-01,active',
  'cy@x.test,,active',
);

test.each([
  ['clears svc_reason', (line: string) => line.replace('below_other_header', '').replace('2024-01-01', 'Ben')],
  ['fills svc_state', (line: string) => line.replace(/(names other columns),,/, '$1,subscribed,')],
  ['fills svc_state with an opt-out', (line: string) => line.replace(/(names other columns),,/, '$1,unsubscribed,')],
])('accepts a row below another header when the user %s (C9)', async (what, correct) => {
  const { rejects } = await firstReading(BELOW, JOINED);
  const lines = rejects.split('\n').map((line) => (line.includes('ben@') ? correct(line) : line));
  for (const text of [lines, lines.filter((line) => !line.includes('Plan status'))]) {
    const list = await readList({ 'list.csv': text.join('\n') }, JOINED);
    const status = what.includes('opt-out') ? 'unsubscribed' : undefined;
    expect(list.contacts.map((contact) => [contact.email, contact.status])).toEqual([['ben@x.test', status]]);
    expect(reasons(list).below_other_header).toBe(1);
  }
});

test('does not ask about a second header in a rejects file (C9)', async () => {
  const list = csv(
    'Email,Name,City',
    'ok@x.test,Ana,Ulm',
    'Email,Unsubscribed,Refused',
    'cy@x.test,yes,yes',
    'ben@x.test,yes,yes',
  );
  const { rejects } = await firstReading(list, JOINED);
  const text = rejects
    .split('\n')
    .map((line) => (line.includes('ben@') ? line.replace('below_other_header', '') : line));
  const { contacts } = await readList({ 'list.csv': text.join('\n') }, JOINED);
  expect(contacts.map(({ email, status }) => [email, status])).toEqual([['ben@x.test', undefined]]);
});
