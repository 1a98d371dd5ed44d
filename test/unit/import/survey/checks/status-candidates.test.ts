import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

/** The answers that svc offers for a list without statuses, each with its condition. */
async function offers(header: string, rows: readonly string[]) {
  const list = await readList({ 'list.csv': csv(`Email,${header}`, ...rows.map((row, at) => `p${at}@x.test,${row}`)) });
  const { message = '', hint, when, otherwise = [] } = list.finding('no_status') ?? {};
  return { message, answers: [{ when, flags: hint }, ...otherwise] };
}

test('offers first the columns that are most likely to hold the status (C11)', async () => {
  const rows = ['DE,K1,A,Ulm', 'DE,K2,U,Bonn', 'FR,K1,A,Paris', 'FR,K1,B,Lyon', 'DE,K2,A,Kiel'];
  const { message, answers } = await offers('Country,Wave of work,c7,City', rows);
  expect(message).toContain(
    'these columns may say it: "Wave of work": "K1" (3), "K2" (2); "c7": "A" (3), "U" (1), "B" (1); other columns with few values: "Country": "DE" (3), "FR" (2)',
  );
  expect(message).not.toContain('City');
  expect(answers).toEqual([
    { when: expect.stringContaining('say who may be mailed'), flags: "--map 'Wave of work=status' --map c7=status" },
    {
      when: expect.stringContaining('this ignores "Wave of work" and "c7"'),
      flags: '--default-status subscribed',
    },
  ]);
});

test.each([
  ['1 and 0', 'flag3', ['1', '0', '1'], 'flag3'],
  ['ticked boxes', 'Tell me more', ['tell me', '', 'tell me'], 'Tell me more'],
  ['codes', 'mstat', ['S', 'U', 'S', 'C', 'S'], 'mstat'],
  ['numeric codes', 'member_status_id', ['1', '2', '1', '3', '1'], 'member_status_id'],
  ['words of no known meaning', 'Stance', ['keen', 'keen', 'put out'], 'Stance'],
  ['words in an unknown script', 'ภาวะ', ['ปกติ', 'ปกติ', 'ออกแล้ว'], 'ภาวะ'],
])('offers first to read a column of %s as the status (C11)', async (...one) => {
  const [, header, cells, column] = one;
  const { answers } = await offers(header, cells);
  expect(answers[0]?.flags).toBe(/^\w+$/.test(column) ? `--map ${column}=status` : `--map '${column}=status'`);
  expect(answers.at(-1)).toMatchObject({
    when: expect.stringContaining(`ignores ${JSON.stringify(column)}`),
    flags: '--default-status subscribed',
  });
});

test.each([
  ['names and places', 'Name,City,State,Country', ['Ana,Ulm,BW,DE', 'Bo,Reno,NV,US', 'Cy,Bonn,NW,DE', 'Di,Elko,NV,US']],
  ['numbers and dates', 'Orders,Last order,Score', ['1,2024-01-01,5', '1,,5', '2,2024-01-01,6', '2,,6']],
  ['tags', 'Tags,Plan', ['vip,Free', 'vip,Pro', ',Free', 'new,Free']],
  ['sales stages', 'Lead status', ['Open', 'Qualified', 'Open']],
  ['a single value', 'List', ['Main', 'Main', 'Main']],
])('offers first to skip all people when columns hold only %s (C11)', async (_, header, rows) => {
  const { answers } = await offers(header, rows);
  expect(answers).toEqual([
    { when: `To leave out ${rows.length} rows without an answer`, flags: '--default-status skip' },
    { when: 'Only if every one of these people agreed to get mail from you', flags: '--default-status subscribed' },
  ]);
});

test.each([
  ['without the same answer in all rows', 'Privacy accepted,Newsletter', ['yes,yes', 'yes,no', 'yes,yes']],
  ['without the same answer in all rows', 'Newsletter,Privacy accepted', ['yes,yes', 'no,yes', 'yes,yes']],
  ['about agreement, not about a channel', 'Preferred channel,Newsletter', ['email,yes', 'email,no', 'post,yes']],
  ['about agreement, not about a channel', 'Newsletter,Preferred channel', ['yes,email', 'no,email', 'yes,post']],
])('offers first to subscribe people with a yes in the column %s: %s (C11)', async (_, header, rows) => {
  const { answers } = await offers(header, rows);
  expect(answers[0]?.flags).toBe('--status-map Newsletter:yes=subscribed');
});

test('offers a payment column as the status, with a condition (C11)', async () => {
  const { answers } = await offers('Payment status', ['A', 'U', 'A', 'B']);
  expect(answers).toContainEqual({
    when: 'Only if "Payment status" says who may be mailed; svc asks about unclear words next',
    flags: "--map 'Payment status=status'",
  });
});

test.each([
  [['Email,Newsletter opt-in box', 'a@x.test,Newsletter opt-in box', 'b@x.test,', 'c@x.test,']],
  [
    [
      'Email,Newsletter opt-in box,Unsubscribed',
      'a@x.test,Newsletter opt-in box,',
      'b@x.test,,',
      'c@x.test,,',
      'd@x.test,,yes',
    ],
  ],
])('offers to skip people without a tick after an answer for ticks: %j (C11)', async (rows) => {
  const files = { 'list.csv': csv(...rows) };
  const asked = await readList(files);
  const flags = asked.finding('no_status')?.hint;
  expect(flags).toBe("--status-map 'Newsletter opt-in box:Newsletter opt-in box=subscribed'");
  const answered = await readList(files, {
    statusMap: { 'Newsletter opt-in box:Newsletter opt-in box': 'subscribed' },
  });
  expect(answered.finding('no_status')).toMatchObject({
    hint: '--default-status skip',
    when: 'To leave out 2 rows without an answer',
  });
});

test('offers a Thai column as the status, but not as an attribute (C11)', async () => {
  const list = await readList({ 'list.csv': csv('Email,สถานที่', 'a@x.test,ก', 'b@x.test,ข', 'c@x.test,ก') });
  expect(list.finding('attribute_key')?.level).toBe('warn');
  expect(list.finding('no_status')?.hint).toContain('=status');
});

test('offers to subscribe only people with a clear yes (C11)', async () => {
  const rows = ['a@x.test,Y', 'b@x.test,N', 'c@x.test,N', 'd@x.test,D', 'e@x.test,please do not email'];
  const list = await readList({ 'list.csv': csv('Email,stat', ...rows) }, { map: ['stat=status'] });
  expect(list.finding('unknown_status')).toMatchObject({
    when: 'This subscribes 1 row, skips 3 rows, unsubscribes 1 row',
    hint: "--status-map Y=subscribed --status-map N=skip --status-map D=skip --status-map 'please do not email=unsubscribed'",
  });
});

test('offers first to skip all people when a header is unclear (C11)', async () => {
  const rows = ['a@x.test,1', 'b@x.test,0', 'c@x.test,1'];
  const list = await readList({ 'list.csv': csv('Email,flag3', ...rows) }, { map: ['flag3=status'] });
  expect([list.contacts, list.finding('unknown_status')]).toMatchObject([
    [],
    {
      when: 'This skips 3 rows',
      hint: '--status-map 1=skip --status-map 0=skip',
      otherwise: [
        {
          when: 'Only if "1" in "flag3" means that a person agreed to mail',
          flags: '--status-map flag3:1=subscribed --status-map flag3:0=skip',
        },
        {
          when: 'Only if "1" in "flag3" means that a person opted out, and all others agreed to mail',
          flags: '--status-map flag3:1=unsubscribed --status-map flag3:0=subscribed',
        },
        { flags: '--map flag3=ignore' },
      ],
    },
  ]);
});

test('offers both meanings of a 1 under the unclear header EMOPT (C11)', async () => {
  const list = await readList({ 'list.csv': csv('Email,EMOPT', 'a@x.test,1', 'b@x.test,0', 'c@x.test,1') });
  expect(list.finding('unknown_status')).toMatchObject({
    hint: '--status-map 1=skip --status-map 0=skip',
    otherwise: [
      { flags: '--status-map EMOPT:1=subscribed --status-map EMOPT:0=skip' },
      { flags: '--status-map EMOPT:1=unsubscribed --status-map EMOPT:0=subscribed' },
      { flags: '--map EMOPT=ignore' },
    ],
  });
});

test('offers opt-out dates as second answer to an unclear header (C11, C12)', async () => {
  const rows = Array.from({ length: 30 }, (_, day) => (day < 25 ? `2023-03-${String(day + 1).padStart(2, '0')}` : ''));
  const { message, answers } = await offers('Zuletzt dort', rows);
  expect(message).toContain('"Zuletzt dort": "(a date)" (25), blank (5)');
  expect(answers.slice(0, 2)).toEqual([
    { when: 'To leave out 30 rows without an answer', flags: '--default-status skip' },
    { when: 'If "Zuletzt dort" says when people opted out', flags: "--map 'Zuletzt dort=unsubscribed_at'" },
  ]);
  const birthdays = await offers('Geburtstag', rows);
  expect(birthdays.answers[0]?.flags).toBe('--default-status skip');
  const confirmed = await offers('Confirmed', rows);
  expect(confirmed.answers[0]?.flags).toBe('--default-status skip');
});
