import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const ok = 'ok@example.com';

test('sends a status only for people who opted out (C1, C2, C10)', async () => {
  const list = await readList({
    'list.csv': csv(
      'Email,Status,Unsubscribed At',
      'ana@example.com,subscribed,',
      'ann@example.com,subscribed,2024-01-01',
      'bo@example.com,unsubscribed,2024-02-03 04:05:06',
    ),
  });
  expect(list.contacts).toEqual([
    { email: 'ana@example.com' },
    { email: 'ann@example.com', status: 'unsubscribed', unsubscribed_at: '2024-01-01T00:00:00.000Z' },
    { email: 'bo@example.com', status: 'unsubscribed', unsubscribed_at: '2024-02-03T04:05:06.000Z' },
  ]);
  expect(list.trouble).toEqual(['warn unknown_status']);
});

test('skips pending people until --status-map gives their status (C3)', async () => {
  const file = { 'list.csv': csv('Email,Status', 'ana@example.com,pending') };
  const before = await readList(file);
  const after = await readList(file, { statusMap: { pending: 'subscribed' } });
  expect([before.contacts, before.reading.rows.skipped]).toEqual([[], { pending: 1 }]);
  expect([after.contacts, after.reading.rows.skipped]).toEqual([[{ email: 'ana@example.com' }], {}]);
});

test('stops at unknown status words, and at blanks beside known words (C4)', async () => {
  const list = await readList({
    'list.csv': csv('Email,Status', `${ok},active`, 'a@x.test,vip', 'b@x.test,vip', 'c@x.test,'),
  });
  expect(list.finding('unknown_status')).toMatchObject({
    level: 'stop',
    total: 3,
    hint: "--status-map vip=skip --status-map '=skip'",
  });
  expect(list.finding('unknown_status')?.message).toContain('"vip" (2), empty (1)');
  expect(list.contacts).toEqual([{ email: ok }]);
});

test.each([
  ['words and the blank', { statusMap: { VIP: 'subscribed', '': 'unsubscribed' } }, [], ['a', 'c unsubscribed']],
  ['skip for all', { statusMap: { vip: 'skip', '': 'skip' } }, [], []],
  ['suppressed, with the reason unsubscribed', { statusMap: { vip: 'suppressed', '': 'skip' } }, [], []],
] as const)('applies --status-map: %s (C4)', async (_, answers, stops, contacts) => {
  const list = await readList({ 'list.csv': csv('Email,Status', 'a@x.test,vip', 'c@x.test,') }, answers);
  expect(list.trouble.filter((line) => line.startsWith('stop'))).toEqual(stops);
  expect(list.contacts.map(({ email, status }) => [email.slice(0, 1), status].filter(Boolean).join(' '))).toEqual(
    contacts,
  );
});

test.each([
  ['a list without a status column', 'people.csv', 'Email,City', 'a@x.test,Kassel'],
  ['a status column with blanks only', 'people.csv', 'Email,Status', 'a@x.test,'],
])('stops at %s until --default-status is given (C4)', async (_, name, header, row) => {
  const file = { [name]: csv(header, row) };
  expect((await readList(file)).trouble).toEqual(['stop no_status']);
  const answered = await readList(file, { defaultStatus: { '*': 'subscribed' } });
  expect([answered.trouble, answered.contacts.length]).toEqual([[], 1]);
});

test.each([
  'unsubscribed.csv',
  'opt-out.csv',
  'Suppression list.csv',
  'bounces.csv',
  'blocked.csv',
  'complaints.csv',
  'spam.csv',
  'cleaned.csv',
  'inactive.csv',
])('subscribes the people of %s only when a default names that file (C4)', async (name) => {
  const file = { [name]: csv('Email', 'a@x.test') };
  const general = await readList(file, { defaultStatus: { '*': 'subscribed' } });
  const named = await readList(file, { defaultStatus: { [name]: 'subscribed' } });
  const left = await readList(file, { defaultStatus: { '*': 'unsubscribed' } });
  expect([general.trouble, general.contacts]).toEqual([['stop no_status'], []]);
  expect(named.contacts).toEqual([{ email: 'a@x.test' }]);
  expect(left.contacts).toEqual([{ email: 'a@x.test', status: 'unsubscribed' }]);
});

test('uses the most restrictive status of a person in any row order (C7)', async () => {
  const one = csv('Email,First Name,City,Status', 'Ana@Example.com,Ana,Kassel,active', 'bo@example.com,Bo,,active');
  const two = csv(
    'Email,First Name,City,Status,Unsubscribed At',
    ' ana@example.com ,Anna,,unsubscribed,2024-01-02',
    'bo@example.com,,,bounced,',
  );
  const forward = await readList({ 'one.csv': one, 'two.csv': two });
  const backward = await readList({ 'two.csv': two, 'one.csv': one });
  expect(forward.contacts).toEqual([
    {
      email: 'ana@example.com',
      first_name: 'Anna',
      status: 'unsubscribed',
      unsubscribed_at: '2024-01-02T00:00:00.000Z',
      attributes: { city: 'Kassel' },
    },
  ]);
  expect(backward.contacts).toEqual([{ ...forward.contacts[0], first_name: 'Ana' }]);
  expect([forward.suppressions, backward.suppressions]).toEqual([
    { bounced: ['bo@example.com'] },
    { bounced: ['bo@example.com'] },
  ]);
  expect(forward.reading.rows).toEqual({ read: 4, rejected: 0, merged: 2, skipped: {} });
  expect([...forward.people.mergedRows()]).toEqual([
    { source: 1, line: 2, mergedInto: { source: 0, line: 2 } },
    { source: 1, line: 3, mergedInto: { source: 0, line: 3 } },
  ]);
});

test('a row that says subscribed outweighs the skip of a SendGrid block (C7)', async () => {
  const list = await readList({
    'suppression_blocks.csv': csv(
      'status,reason,email,created',
      '4.0.0,later,a@x.test,1700000000',
      '4.0.0,later,b@x.test,1700000000',
    ),
    'list.csv': csv('Email,Status', 'a@x.test,active'),
  });
  expect([list.contacts, list.reading.rows]).toEqual([
    [{ email: 'a@x.test' }],
    { read: 3, rejected: 0, merged: 1, skipped: { blocked: 1 } },
  ]);
});

test('applies a rejected opt-out to the valid row of the same person (C9)', async () => {
  const list = await readList({
    'list.csv': csv('Email,Name,Status', 'ana@example.com,Ana,active', 'ana@example.com,Ana,unsubscribed,one too many'),
  });
  expect(list.contacts).toEqual([{ email: 'ana@example.com', status: 'unsubscribed', attributes: { name: 'Ana' } }]);
  expect(list.reading.rows).toEqual({ read: 2, rejected: 1, merged: 0, skipped: {} });
});

test('suppresses the person of a rejected row, but writes no contact (C9)', async () => {
  const list = await readList({
    'list.csv': csv('Email,Status', 'a@x.test,bounced,x', 'b@x.test,unsubscribed,x', 'Cy <c@x.test>,bounced'),
  });
  expect([list.suppressions, list.contacts]).toEqual([{ bounced: ['a@x.test'] }, []]);
  expect(list.reading.rows).toEqual({ read: 3, rejected: 2, merged: 0, skipped: {} });
});

test('writes an opt-out without its unreadable date, and reports the date (C9)', async () => {
  const list = await readList({ 'list.csv': csv('Email,Status,Unsubscribed At', 'a@x.test,unsubscribed,2024-02-30') });
  expect(list.contacts).toEqual([{ email: 'a@x.test', status: 'unsubscribed' }]);
  expect(list.finding('ambiguous_dates')).toMatchObject({ level: 'warn', total: 1 });
});

test('suppresses an address once, for the strongest of its reasons (S3)', async () => {
  const list = await readList({
    'list.csv': csv('Email,Status', 'a@x.test,suppressed', 'a@x.test,complained', 'a@x.test,bounced'),
  });
  expect([list.suppressions, list.reading.suppressions]).toEqual([{ complained: ['a@x.test'] }, { complained: 1 }]);
});

test('gives every suppression the reason that --reason names', async () => {
  const list = await readList(
    { 'list.csv': csv('Email,Status', 'a@x.test,active', 'b@x.test,whatever') },
    { reason: 'complained' },
  );
  expect([list.suppressions, list.trouble]).toEqual([{ complained: ['a@x.test', 'b@x.test'] }, []]);
});

test('with --duplicates reject, a repeated row still opts the person out', async () => {
  const list = await readList(
    { 'list.csv': csv('Email,City,Status', 'a@x.test,Kassel,active', 'A@x.test,Bonn,unsubscribed') },
    { duplicates: 'reject' },
  );
  expect(list.contacts).toEqual([{ email: 'a@x.test', status: 'unsubscribed', attributes: { city: 'Kassel' } }]);
  expect(list.reading.rejections).toMatchObject([{ reason: 'duplicate_email', total: 1 }]);
});

test('counts opt-outs when each of 2,100 rows has its own status reading (C10)', async () => {
  const people = (name: string, count: number, city: string) =>
    Array.from({ length: count }, (_, index) => `${name}${index}@example.com,Ana,${city}\n`).join('');
  // A blank at the end keeps the quick reader away, so each row has a reading of its own.
  const csv = `Email,First Name,City\n${people('ana', 60, 'Oslo')}${people('bo', 2_100, 'unsubscribed ')}`;
  const { reading } = await readList({ 'list.csv': csv }, { defaultStatus: { '*': 'subscribed' } });
  expect([reading.unsubscribed, reading.rows.skipped]).toEqual([2_100, {}]);
});

test('counts the people that will be sent, and previews them', async () => {
  const { reading } = await readList({
    'list.csv': csv(
      'Email,First Name,City,Status',
      'a@x.test,A,,active',
      'b@x.test,B,Bonn,unsubscribed',
      'c@x.test,,Ulm,pending',
    ),
  });
  expect({
    contacts: reading.contacts,
    unsubscribed: reading.unsubscribed,
    batches: reading.batches,
    keys: reading.keys,
    usedKeys: reading.usedKeys,
    preview: reading.preview,
    enrollable: reading.enrollable,
    holds: ['a@x.test', ' C@X.test', 'd@x.test'].map(reading.mayContain),
  }).toEqual({
    contacts: 2,
    unsubscribed: 1,
    batches: 1,
    keys: { City: 'city' },
    usedKeys: ['city'],
    enrollable: 1,
    holds: [true, true, false],
    preview: [
      { email: 'a@x.test', first_name: 'A' },
      { email: 'b@x.test', first_name: 'B', status: 'unsubscribed', attributes: { city: 'Bonn' } },
    ],
  });
});

test('reads a list the same with any seed of the address hashes', async () => {
  const file = {
    'list.csv': csv(
      'Email,Status',
      ...Array.from({ length: 300 }, (_, i) => `p${i % 200}@x.test,${i % 7 === 0 ? 'unsubscribed' : 'active'}`),
    ),
  };
  const [one, two] = await Promise.all(
    ['0000000000000001', 'fedcba9876543210'].map((seed) => readList(file, {}, seed)),
  );
  expect([one?.contacts, one?.reading.rows]).toEqual([two?.contacts, two?.reading.rows]);
  expect(one?.reading.rows.merged).toBe(100);
});
