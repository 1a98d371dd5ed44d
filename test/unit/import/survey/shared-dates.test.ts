import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const people = (dates: readonly string[], status = '') =>
  dates.map((date, at) => `p${at}@x.test,${date}${status === '' ? '' : `,${status}`}`);
const mailed = ({ contacts }: Awaited<ReturnType<typeof readList>>) =>
  contacts.map(({ email, status = 'subscribed' }) => `${email.split('@')[0]} ${status}`);

const FAR = '2099-12-31';

test('asks when most opt-out dates are equal and no row has a blank (C12)', async () => {
  const files = { 'list.csv': csv('Email,Opt-out date', ...people([FAR, FAR, '2023-05-04', FAR])) };
  const { finding } = await readList(files);
  expect(finding('unknown_status')).toMatchObject({
    level: 'stop',
    message: `list.csv: 3 rows have the same opt-out date "${FAR}" in "Opt-out date", and no row has a blank there. It may mean that these people have not left`,
    hint: `--status-map 'Opt-out date:${FAR}=skip'`,
    otherwise: [
      { flags: `--status-map 'Opt-out date:${FAR}=unsubscribed'` },
      { flags: `--status-map 'Opt-out date:${FAR}=subscribed'` },
    ],
    total: 3,
  });
  const answered = async (state: string) => {
    const list = await readList(files, { statusMap: { [`Opt-out date:${FAR}`]: state } });
    return [list.finding('unknown_status'), ...mailed(list)];
  };
  expect(await answered('skip')).toEqual([undefined, 'p2 unsubscribed']);
  expect((await answered('unsubscribed')).slice(1)).toHaveLength(4);
  expect(await answered('subscribed')).toEqual([
    undefined,
    'p0 subscribed',
    'p1 subscribed',
    'p2 unsubscribed',
    'p3 subscribed',
  ]);
});

test('asks the user when several active people share one opt-out date (C12)', async () => {
  const rows = [...people([FAR, FAR, FAR, '', ''], 'active'), 'left@x.test,2023-05-04,unsubscribed'];
  const { finding } = await readList({ 'list.csv': csv('Email,Opt-out date,Status', ...rows) });
  expect(finding('unknown_status')?.message).toContain('3 rows have the same opt-out date');
  expect(finding('unknown_status')?.message).toContain('although they say subscribed');
});

test.each([
  ['other rows have none', csv('Email,Left on', ...people(['2022-12-31', '2022-12-31', '2022-12-31', '']))],
  [
    'the status says unsubscribed too',
    csv('Email,Left on,Status', ...people(Array(4).fill('2022-12-31'), 'unsubscribed')),
  ],
  ['only two rows have it', csv('Email,Left on', ...people(['2022-12-31', '2022-12-31', '2021-04-05']))],
  ['the dates differ', csv('Email,Left on', ...people(['2022-12-31', '2022-12-30', '2021-04-05', '2022-12-31']))],
])('does not ask the user about a repeated opt-out date when %s (C12)', async (_, text) => {
  expect((await readList({ 'list.csv': text })).finding('unknown_status')).toBeUndefined();
});

test('does not ask the user about a shared date in an opt-out list (C12)', async () => {
  const files = { 'unsubscribed.csv': csv('Email,Left on', ...people(Array(4).fill('2022-12-31'))) };
  expect((await readList(files)).finding('unknown_status')).toBeUndefined();
});

test('notices a repeated opt-out date after 300 different ones (C12)', async () => {
  const dates = Array.from({ length: 300 }, (_, at) => `${1900 + (at % 90)}-0${1 + (at % 9)}-1${at % 7}`);
  const files = { 'list.csv': csv('Email,Left on', ...people([...dates, ...Array(400).fill(FAR)])) };
  expect((await readList(files)).finding('unknown_status')?.hint).toBe(`--status-map 'Left on:${FAR}=skip'`);
});
