import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

/** A default status on the command line of a cron job, where svc cannot ask. */
const CRON = { defaultStatus: { '*': 'subscribed' } };
const PEOPLE = csv('Email,Status', 'ana@x.test,active', 'bo@x.test,active');
const MORE = csv('Email', 'ana@x.test');

type Files = Readonly<Record<string, string>>;

async function warnings(files: Files, answers: object = CRON) {
  const { reading, contacts } = await readList(files, answers);
  const found = reading.findings.filter(({ check, level }) => check === 'no_status' && level !== 'pass');
  return { found, contacts: contacts.length };
}

test('warns despite a default status when a column may hold opt-outs (C11)', async () => {
  const rows = ['a@x.test,A', 'b@x.test,U', 'c@x.test,A', 'd@x.test,B'];
  const { found, contacts } = await warnings({ 'list.csv': csv('Email,c7', ...rows) });
  expect([contacts, found]).toEqual([
    4,
    [
      {
        check: 'no_status',
        level: 'warn',
        message:
          'list.csv: 4 rows without a status count as subscribed by default, although this column may say who opted out: "c7": "A" (2), "U" (1), "B" (1)',
        hint: 'To read the status from "c7":\n--map c7=status\nIf none of these columns is about mail:\n--map c7=attributes.c7',
        examples: expect.any(Array),
        total: 4,
      },
    ],
  ]);
});

const CELLS = {
  c7: ['A', 'U', 'B', ''],
  flag3: ['1', '0'],
  Stance: ['keen', 'put out', ''],
  'Membership status': ['Member', 'Lapsed'],
  Plan: ['Pro', 'cancelled', 'Free'],
  'Zuletzt raus': ['2023-01-02', ''],
  'Tell me more': ['tell me', ''],
  Tags: ['vip', 'new'],
  City: ['Ulm', 'Bonn'],
} as const;
type Header = keyof typeof CELLS;
const HEADERS = Object.keys(CELLS) as Header[];

const list = fc.record({
  headers: fc.subarray(HEADERS, { minLength: 1 }),
  picks: fc.array(fc.array(fc.nat(11), { minLength: HEADERS.length, maxLength: HEADERS.length }), {
    minLength: 3,
    maxLength: 8,
  }),
  state: fc.constantFrom('subscribed', 'skip', 'pending'),
  isNamed: fc.boolean(),
});

/** Columns of a few unknown words, such as a plan. A question offers them, but a nightly job must not always warn. */
const isOfUnknownWords = (column: string) =>
  /^"Stance": (?:"keen" \(\d+\)|"put out" \(\d+\)|blank \(\d+\)|, )+$/.test(column) ||
  /^"Plan": (?!.*cancelled)/.test(column);

test('warns about a column when a default answers the question about it (C11)', async () => {
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(list, async ({ headers, picks, state, isNamed }) => {
      const cell = (header: Header, pick: number) => CELLS[header][pick % CELLS[header].length];
      const rows = picks.map((pick, row) => `p${row}@x.test,${headers.map((one, at) => cell(one, pick[at] ?? 0))}`);
      const files = { 'list.csv': csv(`Email,${headers}`, ...rows) };
      const [stop] = (await warnings(files, {})).found;
      const question = /these columns may say it: (.*?)(?:; other columns with few values: .*)?$/.exec(
        stop?.message ?? '',
      )?.[1];
      const answers = { defaultStatus: { [isNamed ? 'list.csv' : '*']: state } };
      const { found } = await warnings(files, answers);
      const said = found.map(({ level, message }) => [level, / may say who opted out: (.*)$/.exec(message)?.[1]]);
      const expected = question?.split('; ').filter((column) => !isOfUnknownWords(column)) ?? [];
      expect(said).toEqual(expected.length === 0 ? [] : [['warn', expected.join('; ')]]);
      asked += expected.length === 0 ? 0 : 1;
      const flags = /about mail:\n(.*)$/.exec(found[0]?.hint ?? '')?.[1] ?? '';
      const map = [...flags.matchAll(/--map (?:'([^']+)'|(\S+))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
      expect((await warnings(files, { ...answers, map })).found).toEqual([]);
    }),
    { numRuns: 60, seed: 1 },
  );
  expect(asked).toBeGreaterThan(20);
});

test('does not warn about a column when the default is unsubscribed (C11)', async () => {
  const files = { 'list.csv': csv('Email,c7', 'a@x.test,A', 'b@x.test,U') };
  expect((await warnings(files, { defaultStatus: { '*': 'unsubscribed' } })).found).toEqual([]);
});

test('names a possible status column when the Status cells are blank (C4, C11)', async () => {
  const files = { 'list.csv': csv('Email,Status,c7', 'a@x.test,,A', 'b@x.test,,U', 'c@x.test,,A') };
  const [asked] = (await warnings(files, {})).found;
  expect([asked?.level, asked?.hint]).toEqual(['stop', '--map c7=status']);
  const [warned] = (await warnings(files)).found;
  expect([warned?.level, warned?.message]).toEqual(['warn', expect.stringContaining('"c7": "A" (2), "U" (1)')]);
});

test.each([
  ['an input without a state', 'more.csv', 'subscribed', 'counts as subscribed by default, although its people may'],
  [
    'an input without a state',
    'more.csv',
    'skip',
    'is left out by default, although its people may have opted out, and',
  ],
  ['an opt-out list', 'unsubscribed.csv', 'skip', 'is left out by default, although its name says that these people'],
])('warns about %s named %s when the default for all lists is %s (C4, C7)', async (_, name, state, text) => {
  const files = { 'people.csv': PEOPLE, [name]: MORE };
  const { found } = await warnings(files, { defaultStatus: { '*': state } });
  expect(found).toMatchObject([
    {
      level: 'warn',
      message: expect.stringContaining(text),
      hint: `If these people opted out:\n--default-status ${name}=unsubscribed\nIf not:\n--default-status ${name}=${state}`,
    },
  ]);
  expect((await warnings(files, { defaultStatus: { [name]: state } })).found).toEqual([]);
});

test('does not warn about a default when no other input has subscribers (C4)', async () => {
  const files = { 'one.csv': csv('Email', 'a@x.test'), 'two.csv': csv('Email', 'b@x.test') };
  expect((await warnings(files)).found).toEqual([]);
  expect((await warnings({ 'a.csv': csv('Email,Status', 'a@x.test,left'), 'b.csv': MORE })).found).toEqual([]);
});

test('warns of a newsletter column with unknown answers (C10, C11)', async () => {
  const rows = ['a@x.test,"Yes, please!"', 'b@x.test,Maybe later', 'c@x.test,Ask me in May'];
  const { found } = await warnings({ 'list.csv': csv('Email,Would you like our newsletter?', ...rows) });
  expect(found).toMatchObject([{ level: 'warn', message: expect.stringContaining('"Ask me in May" (1)') }]);
});

test.each([
  [csv('Email,Red category', 'good@x.test,', 'left@x.test,x')],
  [csv('Email,Categories', 'good@x.test,Blue Category', 'left@x.test,Red Category', 'b@x.test,')],
])('warns about a category that is named by its color: %j (C11)', async (list) => {
  const { found } = await warnings({ 'list.csv': list });
  expect(found.map(({ level }) => level)).toEqual(['warn']);
});

test('applies no default for all lists to a renamed SendGrid opt-out file (C4)', async () => {
  const { found, contacts } = await warnings({ 'people.csv': csv('email,created', 'left@x.test,1517000000') });
  expect([contacts, found[0]?.level, found[0]?.hint]).toEqual([0, 'stop', '--default-status people.csv=unsubscribed']);
  const dates = await warnings({ 'people.csv': csv('email,created', 'good@x.test,2024-05-06') });
  expect([dates.contacts, dates.found]).toEqual([1, []]);
});
