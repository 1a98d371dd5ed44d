import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const BESIDE = 'Email,Kennung,Notes,First Name,Joined,Points,Plan,Paid,Gruppe';
const ORDINARY = 'x@x.test,A,from the fair,Ann,2020-01-02,12,basic,yes,Nord';
const MAILCHIMP = `Email Address,${BESIDE.slice('Email,'.length)},MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,LEID,TAGS`;

/** A column that svc does not take for a status, and an ordinary word in it. */
const WORDS = [
  ['Kennung', 'B'],
  ['Notes', 'left table nine'],
  ['First Name', 'Bo'],
  ['Joined', '2021-05-06'],
  ['Points', '7'],
  ['Plan', 'free'],
  ['Gruppe', 'Süd'],
] as const;

const HEADERS = [
  ['an ordinary list', BESIDE, ''],
  ['a list of Mailchimp', MAILCHIMP, ',2,2020-01-02 10:00:00,2020-01-02 10:00:00,123,'],
] as const;

const CASES = HEADERS.flatMap(([list, header, rest]) =>
  WORDS.flatMap(([column, word]) => {
    const number = header.split(',').indexOf(column) + 1;
    return [column, `${number}`, `list.csv:${column}`].map((name) => ({ list, header, rest, column, word, name }));
  }),
);

function listWith({ header, rest, column, word }: Pick<(typeof CASES)[number], 'header' | 'rest' | 'column' | 'word'>) {
  const cells = `${ORDINARY}${rest}`.split(',');
  const left = cells.with(0, 'left@x.test').with(header.split(',').indexOf(column), word);
  return { 'list.csv': csv(header, cells.join(','), left.join(',')) };
}

test.each(CASES)('opts a person out when $name:$word=unsubscribed is typed for $list (C10)', async (one) => {
  const list = await readList(listWith(one), {
    defaultStatus: { '*': 'subscribed' },
    statusMap: { [`${one.name}:${one.word}`]: 'unsubscribed' },
  });

  expect(list.contacts.map(({ email, status }) => [email, status])).toEqual([
    ['x@x.test', undefined],
    ['left@x.test', 'unsubscribed'],
  ]);
});

test.each(CASES)('stops when only $name:$word=subscribed is typed for $list (C1)', async (one) => {
  const list = await readList(listWith(one), { statusMap: { [`${one.name}:${one.word}`]: 'subscribed' } });

  expect([list.contacts, list.trouble]).toEqual([[], expect.arrayContaining(['stop no_status'])]);
});

test('opts people out when an answer names the blank cells of a column (C10)', async () => {
  const files = { 'list.csv': csv('Email,Kennung', 'a@x.test,A', 'b@x.test,') };

  const list = await readList(files, {
    defaultStatus: { '*': 'subscribed' },
    statusMap: { 'Kennung:': 'unsubscribed' },
  });

  expect(list.contacts.map(({ email, status }) => [email, status])).toEqual([
    ['a@x.test', undefined],
    ['b@x.test', 'unsubscribed'],
  ]);
});

test('reads 2 as a header, not a number, when a column has the header 2 (C11)', async () => {
  const files = { 'list.csv': csv('Email,Kennung,2', 'a@x.test,B,A', 'b@x.test,A,B') };

  const list = await readList(files, {
    defaultStatus: { '*': 'subscribed' },
    statusMap: { '2:B': 'unsubscribed' },
  });

  expect(list.contacts.map(({ email, status }) => [email, status])).toEqual([
    ['a@x.test', undefined],
    ['b@x.test', 'unsubscribed'],
  ]);
});
