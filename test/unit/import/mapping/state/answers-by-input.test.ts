import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const mailed = ({ contacts }: Awaited<ReturnType<typeof readList>>) =>
  contacts.filter(({ status }) => status === undefined).map(({ email }) => email);

/** Pairs of inputs whose names differ only in case, accents or punctuation. */
const SIMILAR_NAMES = [
  ['list-1.csv', 'list1.csv'],
  ['2024-01.csv', '2024_01.csv'],
  ['Über.csv', 'uber.csv'],
  ['List.csv', 'list.csv'],
  ['a.zip/list.csv', 'a.zip/list_.csv'],
];
const FORMS = ['moved', 'Status:moved', '2:moved', 'Status:*', 'Status:', '@left.test'];
const CASES = SIMILAR_NAMES.flatMap(([first = '', second = '']) => FORMS.map((form) => [first, second, form] as const));

test.each(CASES)('applies each answer only to its input: %s and %s, answer %s (C11)', async (first, second, form) => {
  const word = form.endsWith(':') ? '' : 'moved';
  const general = form.startsWith('@') ? { moved: 'subscribed' } : {};
  const [a, b] = [first, second].map((name) => name.replace(/^.*\//, ''));
  const list = await readList(
    {
      [first]: csv('Email,Status', `a@left.test,${word}`, 'c@x.test,subscribed'),
      [second]: csv('Email,Status', `b@left.test,${word}`, 'd@x.test,subscribed'),
    },
    { statusMap: { ...general, [`${a}:${form}`]: 'skip', [`${b}:${form}`]: 'subscribed' } },
  );

  expect(mailed(list)).not.toContain('a@left.test');
  expect(mailed(list)).toContain('b@left.test');
});

test('prefers the stricter answer when neither is more exact (C1)', async () => {
  const files = { 'list.csv': csv('Email,Status', 'a@x.test,moved', 'b@x.test,active') };
  for (const [named, general] of [
    ['list.csv:moved', 'Status:moved'],
    ['list.csv:*', 'Status:*'],
    ['list.csv:2:moved', 'status:moved'],
    ['./list.csv:Status:moved', 'moved'],
  ] as const) {
    const strict = await readList(files, { statusMap: { [named]: 'skip', [general]: 'subscribed' } });
    expect([named, mailed(strict)]).toEqual([named, ['b@x.test']]);
  }
  const other = await readList(files, { statusMap: { 'Status:moved': 'skip', 'list.csv:moved': 'subscribed' } });
  expect(mailed(other)).toEqual(['b@x.test']);
});

test.each([
  ['list.csv', './list.csv', 'moved'],
  ['list.csv', './list.csv', 'Status:moved'],
  ['list.csv', './list.csv', '@x.test'],
  ['Out/list.csv', 'a.zip/Out/list.csv', 'moved'],
])('refuses two states when %s and %s name the same input (C1)', async (one, other, word) => {
  const files = { [one.includes('/') ? other : one]: csv('Email,Status', 'a@x.test,moved', 'b@x.test,active') };
  const refusal = await readList(files, {
    statusMap: { [`${one}:${word}`]: 'skip', [`${other}:${word}`]: 'subscribed' },
  }).catch((error) => error);

  expect([refusal.code, refusal.exit]).toEqual(['contradicting_answers', 2]);
  expect(refusal.hint).toContain(`without --status-map ${other}:${word}=subscribed\n`);
});

test('applies a column number to the column at that place in each input (C11)', async () => {
  const files = {
    'a.csv': csv('Email,Status', 'a@x.test,moved', 'b@x.test,active'),
    'b.csv': csv('Email,Code,Status', 'c@x.test,moved,active', 'd@x.test,K,moved'),
  };
  const list = await readList(files, { statusMap: { '2:moved': 'subscribed', '3:moved': 'skip' } });

  expect(mailed(list)).toEqual(['a@x.test', 'b@x.test', 'c@x.test']);
});

test.each([
  ['Out=status', '3=ignore'],
  ['Out=status', ' out =attributes.out'],
  ['list.csv:Out=unsubscribed_at', './list.csv:Out=ignore'],
])('refuses --map %s beside %s when both name one column (C1, C10)', async (keeps, drops) => {
  const files = { 'list.csv': csv('Email,Status,Out', 'a@x.test,active,2020-01-01', 'b@x.test,active,') };
  for (const map of [
    [keeps, drops],
    [drops, keeps],
  ]) {
    const refusal = await readList(files, { map }).catch((error) => error);

    expect([refusal.code, refusal.exit]).toEqual(['contradicting_answers', 2]);
  }
});

test.each([
  ['list.csv', 'Out/list.csv'],
  ['list.csv', 'a.zip/Out/list.csv'],
])('an answer for input %s counts less than one for the exact name %s (C1)', async (general, exact) => {
  const files = {
    'a.zip/Out/list.csv': csv('Email,Status', 'a@x.test,moved'),
    'b.zip/In/list.csv': csv('Email,Status', 'b@x.test,moved'),
  };
  const answers = [
    [`${general}:Status:moved`, 'subscribed'],
    [`${exact}:Status:moved`, 'unsubscribed'],
  ];
  for (const typed of [answers, answers.toReversed()]) {
    const statusMap = { ...Object.fromEntries(typed), 'b.zip/In/list.csv:moved': 'skip' };
    const { contacts } = await readList(files, { statusMap });
    const states = new Map(contacts.map(({ email, status }) => [email, status]));

    expect(states.get('a@x.test')).toBe('unsubscribed');
  }
  const maps = [`${general}:Status=ignore`, `${exact}:Status=status`];
  for (const map of [maps, maps.toReversed()]) {
    const list = await readList(files, {
      map,
      statusMap: { moved: 'unsubscribed' },
      defaultStatus: { '*': 'subscribed' },
    });

    expect(mailed(list)).not.toContain('a@x.test');
  }
});
