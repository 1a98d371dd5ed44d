import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';
import { pasteHints } from './checks/paste-hints.ts';

const HEADERS = ['Email Opt Out', 'Has Opted Out Of Email', 'Unsubscribed', 'Status', 'Newsletter', 'Consent'];
const VALUES = [
  ['1', '0'],
  ['Yes', 'No'],
  ['TRUE', 'FALSE'],
  ['Unsubscribed', 'Subscribed'],
  ['Opted out', 'Opted in'],
] as const;
const TITLE = ['Email Opt Out Report,,', ',,'];
const REPORTS = HEADERS.map((header, at) => [at % 2 === 0 ? [] : TITLE, header] as const);

/** A report with groups: only the first row of a group has its value. */
function reportOf(title: readonly string[], header: string, values: readonly (string | undefined)[]) {
  const groups = values.flatMap((value, group) => [
    `${value},p${group}a@x.test,A`,
    ...['b', 'c'].map((who) => `,p${group}${who}@x.test,B`),
    'Subtotal,3,',
  ]);
  return { 'report.csv': csv(...title, `${header},Email,Name`, ...groups, 'Total,6,') };
}

const isBlankRow = ({ email }: { readonly email: string }) => !email.includes('a@');

test.each(REPORTS)('the first printed answers skip people with a blank: %j, column %s (C11)', async (title, header) => {
  for (const values of [...VALUES, ...VALUES.map(([left]) => [left])]) {
    const list = await pasteHints(reportOf(title, header, values));
    expect([values, list?.contacts.filter(isBlankRow)]).toEqual([values, []]);
  }
});

test.each(REPORTS)('asks about blanks despite a default status: title %j, column %s (C4)', async (title, header) => {
  for (const values of VALUES) {
    const files = reportOf(title, header, values);
    const answers = { defaultStatus: { '*': 'subscribed', 'report.csv': 'subscribed' } };
    const { trouble, reading } = await readList(files, answers);
    expect(trouble).toContain('stop unknown_status');
    const stops = reading.findings.filter(({ level }) => level === 'stop').map(({ message }) => message);
    expect(stops.join(), String(values)).toContain(`A blank in "${header}" may repeat the value above it`);
    expect((await pasteHints(files, answers))?.contacts.filter(isBlankRow)).toEqual([]);
  }
});

test('does not ask about blanks when the opt-out value is repeated below (C4)', async () => {
  const rows = ['yes,a@x.test', ',b@x.test', ',c@x.test', 'yes,d@x.test', 'no,e@x.test', ',f@x.test', ',g@x.test'];
  const { trouble } = await readList(
    { 'list.csv': csv('Unsubscribed,Email', ...rows) },
    { defaultStatus: { '*': 'subscribed' } },
  );
  expect(trouble).toEqual([]);
});

const BLANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Reports without subtotals. The people of the groups that left have addresses such as `out1@x.test`. */
const GROUPS: readonly (readonly [name: string, header: string, rows: readonly string[]])[] = [
  [
    'regions that repeat',
    'Region,Unsubscribed,Email,Consent',
    ['North', 'South', 'North'].flatMap((region, at) => [
      `${region},yes,out${at}@x.test,yes`,
      ...BLANKS.map((row) => `,,out${at}${row}@x.test,yes`),
      `,no,in${at}@x.test,yes`,
      `,,in${at}1@x.test,yes`,
    ]),
  ],
  [
    'one value in each region',
    'Region,Unsubscribed,Email,Consent',
    ['North', 'South', 'North'].flatMap((region, at) => [
      `${region},yes,out${at}@x.test,yes`,
      ...BLANKS.slice(8).map((row) => `,,out${at}${row}@x.test,yes`),
    ]),
  ],
  [
    'groups right of the addresses',
    'Email,Consent,Unsubscribed',
    ['yes', 'no'].flatMap((value) => [
      `${value === 'yes' ? 'out' : 'in'}@x.test,yes,${value}`,
      ...BLANKS.slice(6).map((row) => `${value === 'yes' ? 'out' : 'in'}${row}@x.test,yes,`),
    ]),
  ],
  [
    'a single value',
    'Unsubscribed,Email,Consent',
    ['yes,out@x.test,yes', ...BLANKS.map((row) => `,out${row}@x.test,yes`)],
  ],
  [
    'values in rows of their own',
    'Unsubscribed,Email,Consent',
    ['yes,,', ',out1@x.test,yes', ',out2@x.test,yes', 'no,,', ',in1@x.test,yes', ',in2@x.test,yes'],
  ],
  [
    'values in rows of their own, right of the addresses',
    'Email,Status,Consent',
    [',unsubscribed,', 'out1@x.test,,yes', 'out2@x.test,,yes', ',subscribed,', 'in1@x.test,,yes', 'in2@x.test,,yes'],
  ],
];

/** Gives the first answers that are printed, until there is no stop. No person whose group left is subscribed then. */
async function expectNoneSignedUp(header: string, rows: readonly string[]): Promise<void> {
  const files = { 'report.csv': csv(header, ...rows) };
  const answers = [{}, { defaultStatus: { '*': 'subscribed', 'report.csv': 'subscribed' } }];
  for (const given of [...answers, { ...answers[1], statusMap: { '': 'subscribed', 'Consent:yes': 'subscribed' } }]) {
    const pasted = await pasteHints(files, given);
    expect(pasted).toBeDefined();
    const signedUp = pasted?.contacts.filter(({ status }) => status === undefined).map(({ email }) => email) ?? [];
    expect([given, signedUp.filter((email) => email.startsWith('out'))]).toEqual([given, []]);
  }
}

test.each(GROUPS)('signs up no person of a group of opted-out people: %s (C4, C11)', async (_, header, rows) => {
  await expectNoneSignedUp(header, rows);
});

test.each(['-', 'n/a', 'NULL', '–'])(
  'signs up no person of an opt-out group when %j stands for a blank (C4)',
  async (blank) => {
    for (const [, header, rows] of GROUPS.filter(([, names]) => names.startsWith('Region'))) {
      await expectNoneSignedUp(
        header,
        rows.map((row) => row.replace(/^,/, `${blank},`)),
      );
    }
  },
);

test('only warns about two blanks below an opt-out in the first row (C4)', async () => {
  const list = { 'list.csv': csv('Unsubscribed,Email', 'yes,a@x.test', ',b@x.test', ',c@x.test') };
  const { trouble } = await readList(list, { defaultStatus: { '*': 'subscribed' } });
  expect(trouble).toEqual(['warn unknown_status']);
});

const ORDINARY: readonly (readonly [name: string, header: string, rows: readonly string[]])[] = [
  ['a mark in the first row', 'Email,Unsubscribed', ['a@x.test,1', 'b@x.test,', 'c@x.test,']],
  [
    'a yes and a no',
    'Email,Status,Unsubscribed',
    ['a@x.test,active,no', 'b@x.test,,yes', 'c@x.test,active,', 'd@x.test,active,', 'e@x.test,active,'],
  ],
  [
    'a mark in the first column',
    'Status,Unsubscribed,Email',
    ['active,yes,a@x.test', 'active,,b@x.test', 'active,,c@x.test', 'active,,d@x.test'],
  ],
];

test.each(ORDINARY)('asks nothing about the blanks of an ordinary list: %s (C4)', async (_, header, rows) => {
  const list = { 'list.csv': csv(header, ...rows, 'Total,5,') };
  const { contacts } = await readList(list, { defaultStatus: { '*': 'subscribed' } });
  expect(contacts.filter(({ status }) => status === undefined).map(({ email }) => email)).toContain('c@x.test');
});

test('asks about blanks of a platform column when the file has subtotals (C4)', async () => {
  const header = 'Email Opt Out,First Name,Last Name,Email,Account Name,Contact Owner,Do Not Call';
  const report = (...totals: readonly string[]) =>
    csv(header, '1,A,B,a@x.test,X,Y,', ',A,B,b@x.test,X,Y,', ',A,B,c@x.test,X,Y,', ...totals);
  const ordinary = await readList({ 'list.csv': report() });
  expect([ordinary.reading.tables[0]?.platform, ordinary.trouble]).toEqual(['salesforce', []]);
  const grouped = await pasteHints({ 'list.csv': report('Subtotal,Count,,3,,,', 'Total,Count,,3,,,') });
  expect(grouped?.contacts).toMatchObject([{ email: 'a@x.test', status: 'unsubscribed' }]);
});

test('names each column whose blanks may repeat a value (C11)', async () => {
  const rows = ['1,yes,a@x.test', ',,b@x.test', ',,c@x.test', '0,no,d@x.test', ',,e@x.test', ',,f@x.test'];
  const { finding } = await readList({ 'list.csv': csv('Unsubscribed,Bounced,Email', ...rows) });
  expect(finding('no_status')?.message).toContain('A blank in "Unsubscribed", "Bounced" may repeat');
});
