import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { csv, readList } from '../support.ts';
import { withFlags } from './checks/paste-hints.ts';

/** Two active people. The first has this cell in the column, and the cell of the second is blank. */
const listOf = (header: string, cell: string, blank = '') => ({
  'list.csv': csv(`Email,Status,${header}`, `ana@x.test,active,${cell}`, `bo@x.test,active,${blank}`),
});

const COLUMNS = [
  ['Newsletter opt-in', 'yes'],
  ['Marketing consent', '1'],
  ['Opted in', 'TRUE'],
  ['Opted in at', '2024-03-01'],
  ['Opt-in date', '2024-03-01 10:00'],
  ['Accepts marketing', 'x'],
  ['Einwilligung', 'ja'],
  ['Consentement', 'oui'],
  ['Mailing Status', 'Subscribed'],
  ['Newsletter status', 'Subscribed'],
  ['Email status', 'Subscribed'],
  ['Statut newsletter', 'abonné'],
  ['newsletter_signup', '2024-03-01'],
  ['Confirmado', '2024-03-01'],
  ['Confirmed at', '2024-03-01'],
  ['email_confirmed_at', '2024-03-01 10:00'],
  ['bestätigt am', '01.03.2024'],
  ['potwierdzono', '2024-03-01'],
  ['confirm_ip', '192.0.2.1'],
  ['activated_at', '2024-03-01'],
  ['newsletter seit', '2024-03-01'],
  ['Newsletter allowance at', '2024-03-01T10:00:00+01:00'],
] as const;

test.each(COLUMNS)('warns when a person is active, but the consent column %s is blank (C10)', async (header, cell) => {
  const files = listOf(header, cell);
  const read = await readList(files);
  expect(read.contacts.map(({ status }) => status)).toEqual([undefined, undefined]);
  expect(read.finding('unknown_status')).toMatchObject({
    level: 'warn',
    message: `list.csv: 1 row counts as subscribed by "Status", although "${header}" is blank`,
    examples: [{ file: 'list.csv', line: 3, column: header }],
    total: 1,
  });
  const name = header.includes(' ') ? `'${header}:=skip'` : `${header}:=skip`;
  expect(read.finding('unknown_status')?.hint).toContain(
    `If a blank means that the person did not agree:\n--status-map ${name}`,
  );

  const skipped = await readList(files, { statusMap: { [`${header}:`]: 'skip' } });
  const agreed = await readList(files, { statusMap: { [`${header}:`]: 'subscribed' } });
  expect([skipped, agreed].map(({ finding }) => finding('unknown_status')?.level)).toEqual([undefined, undefined]);
  expect([skipped, agreed].map(({ contacts }) => contacts.map(({ email }) => email))).toEqual([
    ['ana@x.test'],
    ['ana@x.test', 'bo@x.test'],
  ]);
});

test('warns when a person agreed but has no confirmation date (C10)', async () => {
  const rows = ['ana@x.test,t,2024-03-01', 'bo@x.test,t,', 'cy@x.test,t,2024-03-02'];
  const files = { 'list.csv': csv('Email,receives_emails,confirmed_at', ...rows) };
  const { finding } = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect(finding('unknown_status')).toMatchObject({ level: 'warn', examples: [{ line: 3 }], total: 1 });
});

test.each(['Newsletter allowance at', 'Opt-in date', 'Confirmed at', 'DOI am', 'verified_at'])(
  'warns when a subscribed person has the time 0 under %s (C10)',
  async (header) => {
    const active = await readList(listOf(header, '2024-03-01 10:00', '0'));
    const rows = csv(`Email,${header}`, 'ana@x.test,2024-03-01 10:00', 'bo@x.test,0', 'cy@x.test,0');
    const byDefault = await readList({ 'list.csv': rows }, { defaultStatus: { '*': 'subscribed' } });
    expect([active, byDefault].map(({ trouble }) => trouble.join().replace(/no|unknown/, '*'))).toEqual([
      'warn *_status',
      'warn *_status',
    ]);
  },
);

// In Czech `dne` means `on`. In English DNE means `do not email`.
test.each(['Souhlas dne', 'Přihlášen dne'])('asks whether a day under %s is an agreement (C10)', async (header) => {
  const { trouble, contacts } = await readList(listOf(header, '2024-03-01'));
  expect(trouble).toEqual(['stop unknown_status']);
  expect(contacts.map(({ email }) => email)).toEqual(['bo@x.test']);
});

test('warns about a blank DOI timestamp, despite a default status (C11)', async () => {
  const rows = csv('Email,DOI timestamp', 'ana@x.test,2024-03-01 10:00', 'bo@x.test,', 'cy@x.test,');
  const { finding } = await readList({ 'list.csv': rows }, { defaultStatus: { '*': 'subscribed' } });
  expect(finding('no_status')?.message).toContain('may say who never agreed: "DOI timestamp"');
});

test.each(['-', 'n/a', '  '])('treats %j in a consent column as blank (C10)', async (blank) => {
  const { finding, contacts } = await readList(listOf('Newsletter opt-in', 'yes', blank), {
    statusMap: { 'Newsletter opt-in:': 'skip' },
  });
  expect([finding('unknown_status')?.level, contacts.length]).toEqual([undefined, 1]);
});

// Databases and programs write these for a missing value or a missing day.
const BLANKS = [
  'NULL',
  'None',
  'nan',
  '-',
  '\\N',
  'n/a',
  '0',
  '0000-00-00 00:00:00',
  '1970-01-01 00:00:00',
  '00.00.0000',
];

test.each(BLANKS)('the printed answer for blanks skips people with the consent %j (C4, C10)', async (blank) => {
  for (const [header, cell] of COLUMNS) {
    const files = listOf(header, cell, blank);
    const found = (await readList(files)).finding('unknown_status');
    if (found?.level !== 'warn') {
      // svc reads some of these cells as a no, or asks about them. Then the person is not signed up.
      expect([header, (await readList(files)).contacts.map(({ email }) => email)]).toEqual([header, ['ana@x.test']]);
      continue;
    }
    const skipped = await readList(files, { statusMap: { [`${header}:`]: 'skip' } });
    expect([header, skipped.contacts.map(({ email }) => email)]).toEqual([header, ['ana@x.test']]);
    expect(JSON.stringify(skipped.finding('unknown_status') ?? '')).not.toContain('counts for no row');
  }
});

// svc reads a 0 beside dates as a no.
test.each(BLANKS.filter((blank) => blank !== '0'))(
  'offers to sign up people with a date when other cells are %j (C11)',
  async (blank) => {
    const rows = Array.from(
      { length: 12 },
      (_, row) => `p${row}@x.test,${row % 4 === 1 ? blank : `2020-03-1${row % 9}`}`,
    );
    const files = { 'list.csv': csv('Email,double_optin_confirmed', ...rows) };
    const { otherwise = [] } = (await readList(files)).finding('no_status') ?? {};
    const answer = otherwise.find(({ when }) => when?.startsWith('If people with a date in'))?.flags ?? '';
    const { contacts } = await readList(files, withFlags({}, splitShellText(answer)));
    expect(contacts).toHaveLength(9);
  },
);

test('an answer for a 0 in notes signs no person up (C4, C10)', async () => {
  const files = { 'list.csv': csv('Email,Notes', 'ana@x.test,0', 'bo@x.test,wants no more mail') };
  const { contacts } = await readList(files, { statusMap: { 'Notes:0': 'subscribed', '0': 'subscribed' } });
  expect(contacts.map(({ email }) => email)).not.toContain('ana@x.test');
});

test('an answer for blanks does not count for a 0 in a number column (C4)', async () => {
  const files = { 'list.csv': csv('Email,Status,Score', 'ana@x.test,active,3', 'bo@x.test,active,0') };
  const { contacts } = await readList(files, { statusMap: { 'Score:': 'skip' } });
  expect(contacts.map(({ email }) => email)).toEqual(['ana@x.test', 'bo@x.test']);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['no row fills the column', listOf('Newsletter opt-in', '')],
  ['no row fills the column of dates', listOf('Opted in at', '')],
  ['the column is about text messages', listOf('SMS opt-in', 'yes')],
  [
    'the person did not stay subscribed',
    { 'list.csv': csv('Email,Status,Opt-in', 'ana@x.test,active,yes', 'bo@x.test,unsubscribed,') },
  ],
  [
    'the person agreed in another column',
    { 'list.csv': csv('Email,Status,News opt-in,Offers opt-in', 'ana@x.test,active,yes,', 'bo@x.test,active,,yes') },
  ],
])('does not warn about a blank consent cell when %s (C10)', async (_, files) => {
  expect((await readList(files)).finding('unknown_status')).toBeUndefined();
});

// Each list has people who agreed in one column and left the other blank.
const SEVERAL = [
  ['Consent (News),Consent (Offers)', 'yes,', ',yes'],
  ['List: News,List: Offers', 'x,', ',x'],
  ['Consent (Consent),Consent (Description)', 'Checked,', 'Checked,'],
  ['Newsletter,Subscribed lists', 'yes,', 'yes,'],
] as const;

test.each(SEVERAL)(
  'asks about a row with blanks in all columns %s, despite a default (C4)',
  async (header, ...rows) => {
    const defaultStatus = { '*': 'subscribed' };
    const answered = rows.map((row, index) => `ana${index}@x.test,${row}`);
    const files = { 'list.csv': csv(`Email,${header}`, ...answered, 'bo@x.test,,') };
    const { finding, contacts } = await readList(files, { defaultStatus });
    expect(finding('unknown_status')).toMatchObject({ level: 'stop' });
    expect(contacts).toEqual([]);

    const agreed = { 'list.csv': csv(`Email,${header}`, ...answered) };
    const blank = { 'list.csv': csv(`Email,${header}`, 'ana@x.test,,', 'bo@x.test,,') };
    for (const ordinary of [agreed, blank]) {
      const read = await readList(ordinary, { defaultStatus });
      expect([read.finding('unknown_status'), read.contacts.length]).toEqual([undefined, 2]);
    }
  },
);

test('does not warn about a blank opt-in date in a Mailchimp export', async () => {
  const files = {
    'subscribed.csv': csv(
      'Email Address,First Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,LEID',
      'ana@x.test,Ana,2,2024-03-01 10:00:00,192.0.2.1,1',
      'bo@x.test,Bo,2,,,2',
    ),
  };
  const { finding } = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  expect(finding('unknown_status')).toBeUndefined();
});

test.each(['doi_at', 'email_verified_at', 'Approved on', "Date d'opt-in", 'Aceite em'])(
  'warns about a blank %s of an active person, and offers two answers (C10)',
  async (header) => {
    const files = listOf(header, '2024-03-01');
    const warned = (await readList(files)).finding('unknown_status');
    expect(warned).toMatchObject({ level: 'warn', message: expect.stringContaining(`although "${header}" is blank`) });
    const flags = (warned?.hint ?? '').split('\n').filter((line) => line.startsWith('--'));
    const read = flags.map((line) => readList(files, withFlags({}, splitShellText(line))));
    const [skipped, agreed] = await Promise.all(read);
    expect(skipped?.contacts.map(({ email }) => email)).toEqual(['ana@x.test']);
    expect(agreed?.contacts.map(({ email }) => email)).toEqual(['ana@x.test', 'bo@x.test']);
    expect(agreed?.finding('unknown_status')).toBeUndefined();
  },
);

test('does not warn about a blank column "verified by", which has no dates', async () => {
  expect((await readList(listOf('verified by', 'phone'))).finding('unknown_status')).toBeUndefined();
});
