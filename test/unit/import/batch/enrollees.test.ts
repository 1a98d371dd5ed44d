import { expect, test } from 'vitest';
import { rereadEnrollees } from '../../../../src/import/batch/reread-list.ts';
import { csv, readList } from '../support.ts';

async function enrolledPeople(files: Readonly<Record<string, string>>): Promise<readonly [readonly string[], number]> {
  const { reading, people } = await readList(files);
  const found = await Array.fromAsync(
    rereadEnrollees({ survey: reading, people }, { signal: new AbortController().signal }),
  );
  return [found.map(({ email }) => email), reading.enrollable];
}

test('enrolls only subscribed people when a list has statuses (M1)', async () => {
  const rows = [
    'a@x.test,active',
    'b@x.test,unsubscribed',
    'c@x.test,pending',
    'd@x.test,bounced',
    'bad,active',
    'A@x.test,active',
  ];
  expect(await enrolledPeople({ 'list.csv': csv('Email,Status', ...rows) })).toEqual([['a@x.test'], 1]);
});

test('enrolls all people when a list has no statuses (M1)', async () => {
  expect(await enrolledPeople({ 'list.csv': csv('Email,City', 'a@x.test,', 'b@x.test,', 'a@x.test,') })).toEqual([
    ['a@x.test', 'b@x.test'],
    2,
  ]);
});

test('enrolls no person from a file named unsubscribed.csv (M1)', async () => {
  expect(await enrolledPeople({ 'unsubscribed.csv': csv('Email', 'a@x.test') })).toEqual([[], 0]);
});

test('enrolls no person without a status when another input has statuses (M1)', async () => {
  const files = { 'one.csv': csv('Email,Status', 'a@x.test,active'), 'two.csv': csv('Email', 'a@x.test', 'b@x.test') };
  expect(await enrolledPeople(files)).toEqual([['a@x.test'], 1]);
});

test.each([
  ['with statuses', csv('Email,Status', 'a@x.test,active', 'b@x.test,active')],
  ['without statuses', csv('Email,City', 'a@x.test,', 'b@x.test,')],
])('enrolls no person of an opt-out list who is also in a list %s (M1)', async (_, people) => {
  const left = csv('Email', 'A@x.test');
  expect(await enrolledPeople({ 'people.csv': people, 'unsubscribed.csv': left })).toEqual([['b@x.test'], 1]);
  expect(await enrolledPeople({ 'unsubscribed.csv': left, 'people.csv': people })).toEqual([['b@x.test'], 1]);
});
