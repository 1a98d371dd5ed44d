import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const ALL = { defaultStatus: { '*': 'subscribed' } };

/** The addresses that svc would unsubscribe, and the columns that it asks about. */
async function read(header: string, rows: readonly string[], answers: object = ALL) {
  const { contacts, finding } = await readList({ 'list.csv': csv(`Email,${header}`, ...rows) }, answers);
  return {
    left: contacts.filter(({ status }) => status === 'unsubscribed').map(({ email }) => email),
    sent: contacts.filter(({ status }) => status === undefined).map(({ email }) => email),
    finding: finding('unknown_status'),
  };
}

const WORDS = [
  'stays@x.test,subscribed,subscribed',
  'half@x.test,subscribed,unsubscribed',
  'left@x.test,unsubscribed,unsubscribed',
];
const FLAGS = ['stays@x.test,no,no', 'half@x.test,yes,no', 'left@x.test,yes,yes'];
const DAYS = ['stays@x.test,,', 'half@x.test,,2023-01-02', 'left@x.test,2023-01-02,2023-01-03', 'b@x.test,,'];

/** All people of the first 60 rows are on both lists, so only the headers show that the columns belong together. */
const LATE = [...Array.from({ length: 60 }, (_, at) => `p${at}@x.test,subscribed,subscribed`), ...WORDS];
/** All people are on the first list. */
const ONE_FULL = ['stays@x.test,subscribed,subscribed', 'half@x.test,subscribed,unsubscribed'];

test.each([
  ['List: News,List: Offers', ONE_FULL],
  ['List: Events,List: Offers', LATE],
  ['Group News,Group Offers', ONE_FULL],
  ['News,Offers', LATE],
])('asks about an opt-out of one list when earlier rows have none: %s (C10)', async (header, rows) => {
  const { left, sent, finding } = await read(header, rows);
  expect([left.includes('half@x.test'), sent.includes('half@x.test'), finding?.level]).toEqual([false, false, 'stop']);
});

test.each([
  ['List: News,List: Offers', WORDS],
  ['News status,Offers status', WORDS],
  ['Verteiler Kunden Status,Verteiler Presse Status', WORDS],
  ['News,Offers', WORDS],
  ['Unsubscribed from News,Unsubscribed from Offers', FLAGS],
  ['Opt-out News,Opt-out Offers', FLAGS],
  ['News unsubscribed at,Offers unsubscribed at', DAYS],
  ['Newsletter EN,Newsletter DE', WORDS],
  ['List: General,List: Customers', WORDS],
])('asks the user about a person who left one list of two under %s (C10)', async (header, rows) => {
  const { left, sent, finding } = await read(header, rows);
  expect([left, sent.includes('half@x.test')]).toEqual([['left@x.test'], false]);
  expect(finding).toMatchObject({ level: 'stop', total: 1, hint: "--status-map 'subscribed and unsubscribed=skip'" });
});

test.each([
  ['Email status,Newsletter status', WORDS, 'warn'],
  ['Status,Subscription status', WORDS, 'warn'],
  ['Unsubscribed,Unsubscribe reason', ['stays@x.test,no,', 'half@x.test,yes,', 'left@x.test,yes,too many'], undefined],
  ['Marketing subscription,General subscription', WORDS, 'warn'],
  ['Do not email,Do not bulk email', FLAGS, 'warn'],
] as const)('asks nothing when several status columns are about the person: %s (C10)', async (header, rows, level) => {
  const { left, finding } = await read(header, rows);
  expect([left, finding?.level]).toEqual([['half@x.test', 'left@x.test'], level]);
});

test('only warns when Status and one of two lists say unsubscribed (C10)', async () => {
  const rows = ['half@x.test,subscribed,unsubscribed,unsubscribed', 'b@x.test,subscribed,subscribed,active'];
  expect(await read('News status,Offers status,Status', rows)).toMatchObject({
    left: ['half@x.test'],
    finding: {
      level: 'warn',
      message: expect.stringContaining('by "News status" and not by "Offers status" or "Status"'),
    },
  });
});

test.each([
  [{ statusMap: { 'subscribed and unsubscribed': 'unsubscribed' } }, ['half@x.test', 'left@x.test'], false, undefined],
  [{ statusMap: { 'Offers status:unsubscribed': 'unsubscribed' } }, ['half@x.test', 'left@x.test'], false, undefined],
  [{ statusMap: { 'subscribed and unsubscribed': 'skip' } }, ['left@x.test'], false, undefined],
  [{ map: ['Offers status=attributes.offers'] }, ['left@x.test'], true, undefined],
  [{ map: ['News status=status', 'Offers status=status'] }, ['half@x.test', 'left@x.test'], false, 'warn'],
])('asks nothing more about two lists when the user answered %j (C10)', async (answers, left, isSent, level) => {
  const result = await read('News status,Offers status', WORDS, { ...ALL, ...answers });
  expect([result.left, result.sent.includes('half@x.test'), result.finding?.level]).toEqual([left, isSent, level]);
});

test.each([
  ['Company', 'unsubscribed', 'Oak', ['half@x.test'], undefined],
  ['City', 'opted out', 'Bonn', ['half@x.test'], undefined],
  ['Previous status', 'unsubscribed', 'subscribed', [], 'unsubscribed'],
  ['Old status', 'bounced', 'active', [], 'bounced'],
])(
  'an answer about lists does not override an opt-out under %s: %s (C10)',
  async (column, word, other, left, asked) => {
    const others = Array.from({ length: 20 }, (_, index) => `b${index}@x.test,subscribed,subscribed,${other}`);
    const answers = { ...ALL, statusMap: { 'subscribed and unsubscribed': 'subscribed' } };
    const rows = [
      ...others,
      `left@x.test,unsubscribed,unsubscribed,${other}`,
      `half@x.test,subscribed,unsubscribed,${word}`,
    ];
    const result = await read(`List: News,List: Offers,${column}`, rows, answers);
    expect([result.left, result.sent.includes('half@x.test')]).toEqual([['left@x.test', ...left], false]);
    expect(result.finding?.message.includes(`"${asked}"`) ?? false).toBe(asked !== undefined);
  },
);

test('asks one question about people who left some of 1,000 lists (D4)', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `List: Topic ${index}`);
  const rowOf = (email: string, odd: string, even: string) =>
    [email, ...names.map((_, index) => (index % 2 === 0 ? even : odd))].join();
  const rows = [rowOf('a@x.test', 'subscribed', 'unsubscribed'), rowOf('b@x.test', 'unsubscribed', 'subscribed')];
  const { finding } = await read(names.join(), rows);
  expect(finding?.message).toContain('"List: Topic 5" and 994 more disagree');
  expect(finding?.otherwise?.map(({ when }) => when)).toEqual(['If they must get no mail of any list']);
});

test.each([
  ['Newsletter status,Newsletter consent', 'subscribed,yes', 'unsubscribed,yes'],
  ['Newsletter Einwilligung,Newsletter Status', 'ja,aktiv', 'ja,abgemeldet'],
  ['Mailing list status,Mailing list opt-in', 'active,yes', 'unsubscribed,yes'],
  ['Newsletter opt out,Newsletter unsubscribed', 'no,no', 'no,yes'],
  ['Newsletter Abo,Newsletter Anmeldung', 'aktiv,ja', 'abgemeldet,ja'],
  ['Infolettre statut,Infolettre accord', 'actif,oui', 'désabonné,oui'],
  ['News status,News consent', 'subscribed,yes', 'unsubscribed,yes'],
  ['Offers status,Unsubscribed from our offers', 'subscribed,no', 'subscribed,yes'],
  ['List: News,News status', 'subscribed,active', 'subscribed,unsubscribed'],
])('uses the more restrictive of two columns about one list: %s (C10)', async (header, stays, leaves) => {
  const { left, sent, finding } = await read(header, [`stays@x.test,${stays}`, `half@x.test,${leaves}`]);
  expect([left, sent, finding?.level]).toEqual([['half@x.test'], ['stays@x.test'], 'warn']);
});

test('offers one answer for all columns of a list (C11)', async () => {
  const rows = ['half@x.test,subscribed,subscribed,yes', 'b@x.test,subscribed,subscribed,no'];
  const { finding } = await read('News status,Offers status,Unsubscribed from Offers', rows);
  expect(finding?.otherwise?.map(({ when }) => when)).toEqual([
    'If they must get no mail of any list',
    'Only if the audience is for the list "News status"',
    'Only if the audience is for the list "Offers status" and "Unsubscribed from Offers"',
  ]);
});

test('names two opt-out columns in one condition of an offered answer (C11)', async () => {
  const rows = ['a@x.test,active,yes,yes', 'b@x.test,active,no,no', 'c@x.test,active,no,no'];
  const { finding } = await read('Status,Unsubscribed,Opt-out from mail', rows);
  expect(finding?.otherwise?.map(({ when }) => when)).toEqual([
    'Only if neither "Unsubscribed" nor "Opt-out from mail" is about this audience',
  ]);
});

test.each([
  ['reads', 'up to', 50, undefined],
  ['asks the user about', 'more than', 51, 'stop'],
])('%s a cell of many status words when it has %s 400 characters (C10)', async (_, _length, words, level) => {
  const cell = Array.from({ length: words }, () => 'active').join('; ');
  const { sent, finding } = await read('Status', [`long@x.test,"${cell}"`, 'stays@x.test,active']);
  expect([cell.length > 400, finding?.level]).toEqual([level !== undefined, level]);
  expect(sent).toEqual(level === undefined ? ['long@x.test', 'stays@x.test'] : ['stays@x.test']);
});
