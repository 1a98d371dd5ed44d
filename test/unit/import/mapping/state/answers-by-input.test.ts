import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const mailed = ({ contacts }: Awaited<ReturnType<typeof readList>>) =>
  contacts.filter(({ status }) => status === undefined).map(({ email }) => email);

/** Pairs of inputs whose names differ only in case, accents or signs. */
const SIMILAR_NAMES = [
  ['list-1.csv', 'list1.csv'],
  ['2024-01.csv', '2024_01.csv'],
  ['Über.csv', 'uber.csv'],
  ['List.csv', 'list.csv'],
  ['a.zip/list.csv', 'a.zip/list_.csv'],
];
const FORMS = ['moved', 'Status:moved', '2:moved', 'Status:*', 'Status:', '@leavers.test'];
const CASES = SIMILAR_NAMES.flatMap(([first = '', second = '']) => FORMS.map((form) => [first, second, form] as const));

test.each(CASES)('takes answers for %s and for %s with two states for %s (C11)', async (first, second, form) => {
  const word = form.endsWith(':') ? '' : 'moved';
  const general = form.startsWith('@') ? { moved: 'subscribed' } : {};
  const [a, b] = [first, second].map((name) => name.replace(/^.*\//, ''));
  const list = await readList(
    {
      [first]: csv('Email,Status', `a@leavers.test,${word}`, 'c@x.test,subscribed'),
      [second]: csv('Email,Status', `b@leavers.test,${word}`, 'd@x.test,subscribed'),
    },
    { statusMap: { ...general, [`${a}:${form}`]: 'skip', [`${b}:${form}`]: 'subscribed' } },
  );

  expect(mailed(list)).not.toContain('a@leavers.test');
  expect(mailed(list)).toContain('b@leavers.test');
});

test.each([
  ['list.csv', 'Out/list.csv'],
  ['Out/list.csv', 'a.zip/Out/list.csv'],
  ['list.csv', 'a.zip/Out/list.csv'],
])('prefers the more exact name of an input to %s when it is %s (C1)', async (general, exact) => {
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
