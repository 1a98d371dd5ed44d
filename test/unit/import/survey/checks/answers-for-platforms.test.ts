import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const HEADER = 'Email,First Name,Last Name,Tags,Date Created,IP,Status';
const FILES = {
  'list.csv': csv(
    HEADER,
    'ana@x.test,Ana,B,,2020-01-01,,Active',
    'bo@x.test,Bo,B,,2020-01-01,,',
    'cy@x.test,Cy,B,,2020-01-01,,Unsubscribed',
    'di@x.test,Di,B,,2020-01-01,,Lapsed',
  ),
};
const ALL = { 'Status:': 'skip', 'Status:Lapsed': 'unsubscribed' };

const statesWith = async (statusMap: Readonly<Record<string, string>>) => {
  const { contacts, finding } = await readList(FILES, { statusMap });
  const states = contacts.map(({ email, status = 'subscribed' }) => `${email.split('@')[0]} ${status}`);
  return [finding('unknown_status')?.level, ...states];
};

test('applies --status-map answers to a status word and to blank cells (C10)', async () => {
  expect(await statesWith(ALL)).toEqual([undefined, 'ana subscribed', 'cy unsubscribed', 'di unsubscribed']);
});

test('applies a --status-map answer even to a word that svc knows (C10)', async () => {
  expect(await statesWith({ ...ALL, 'Status:Active': 'skip' })).toEqual([
    undefined,
    'cy unsubscribed',
    'di unsubscribed',
  ]);
});

test('subscribes a person with a blank status only by an answer (C4)', async () => {
  expect(await statesWith({ ...ALL, 'Status:': 'subscribed' })).toContain('bo subscribed');
  expect(await statesWith({ 'Status:Lapsed': 'skip' })).toEqual(['stop', 'ana subscribed', 'cy unsubscribed']);
});

test('offers Status:=skip, not Status:*=skip, when only blanks need it (C11)', async () => {
  const { finding } = await readList(FILES, { statusMap: { 'Status:Lapsed': 'skip' } });
  expect(finding('unknown_status')).toMatchObject({
    hint: '--status-map Status:=skip',
    otherwise: [{ flags: '--map Status=ignore' }],
  });
});

test.each([
  ['brevo', 'CONTACT ID,EMAIL,OPT_IN,DOUBLE_OPT-IN,ADDED_TIME,MODIFIED_TIME', '1,a@x.test,Yes,1,01-02-2023,01-02-2023'],
  ['substack', 'email,active_subscription,expiry,plan,Confirmed', 'a@x.test,true,,other,yes'],
])('never reads a yes in a mapped consent column of %s as an opt-out (C6)', async (platform, header, row) => {
  const column = header.includes('DOUBLE') ? 'DOUBLE_OPT-IN' : 'Confirmed';
  const { reading, contacts, suppressions } = await readList(
    { 'list.csv': csv(header, row) },
    { map: [`${column}=status`] },
  );
  expect([reading.inputs[0]?.platform, suppressions]).toEqual([platform, {}]);
  expect(contacts.filter(({ status }) => status === 'unsubscribed')).toEqual([]);
});

test('never offers the end of a paid plan of Substack as an opt-out (C11)', async () => {
  const header = 'Email,Name,Stripe plan,Cancel date,Start date,Emails received (6mo)';
  const rows = ['a@x.test,A,,,2023-01-01,2', 'b@x.test,B,Monthly,2024-01-01,2023-01-01,2'];
  const { reading } = await readList({ 'list.csv': csv(header, ...rows) });
  const offers = reading.findings.flatMap(({ hint = '', otherwise = [] }) => [hint, ...otherwise.map((o) => o.flags)]);
  expect([reading.inputs[0]?.platform, offers.filter((offer) => offer.includes('Cancel date'))]).toEqual([
    'substack',
    [],
  ]);
});

test('recognizes Salesforce by the few columns of a short export (C10)', async () => {
  const header = 'ID,EMAIL,HASOPTEDOUTOFEMAIL,HASOPTEDOUTOFFAX,DONOTCALL,ISDELETED';
  const rows = ['1,a@x.test,false,true,true,false', '2,b@x.test,true,false,false,false', '3,c@x.test,false,,,true'];
  const { reading, contacts, trouble } = await readList({ 'list.csv': csv(header, ...rows) });
  expect([reading.inputs[0]?.platform, trouble]).toEqual(['salesforce', []]);
  expect(contacts.map(({ email, status }) => [email, status])).toEqual([
    ['a@x.test', undefined],
    ['b@x.test', 'unsubscribed'],
  ]);
});

/** Exports in which one yes or no keeps mail away: the header, a row with `%`, and the word of a person who left. */
const YES_NO_EXPORTS = [
  ['id,email,first_name,last_name,created_at,unsubscribed', 'r1,left@x.test,,,2023-01-01T00:00:00Z,%', 'true 1 yes'],
  [
    'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers',
    'm1,left@x.test,,,%,false,,2023-01-01T00:00:00.000Z,,,',
    'false 0 no',
  ],
  ['email,firstName,lastName,source,subscribed,userGroup,userId', 'left@x.test,,,form,%,,1', 'false 0 no'],
] as const;
const YES_NO_CASES = YES_NO_EXPORTS.flatMap(([header, row, words]) =>
  words.split(' ').map((word) => [word, header, row.replace('%', word)] as const),
);

test.each(YES_NO_CASES)('keeps an opt-out of a platform despite the answer %s=subscribed: %s (C1)', async (...one) => {
  const [word, header, row] = one;
  const files = { 'main.csv': csv('Email,Status', `a@x.test,${word}`), 'export.csv': csv(header, row) };
  const { contacts } = await readList(files, { statusMap: { [word]: 'subscribed' } });

  expect(contacts.map(({ email, status }) => [email, status])).toEqual([
    ['a@x.test', undefined],
    ['left@x.test', 'unsubscribed'],
  ]);
});

test('signs a person up when --status-map names the column and the yes (C10)', async () => {
  const [header, row] = YES_NO_EXPORTS[0];
  const files = { 'export.csv': csv(header, row.replace('%', 'true')) };
  const { contacts } = await readList(files, { statusMap: { 'unsubscribed:true': 'subscribed' } });

  expect(contacts.map(({ status }) => status)).toEqual([undefined]);
});
