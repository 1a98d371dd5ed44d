import { expect, test } from 'vitest';
import { answerName, columnName } from '../../../../../src/import/mapping/column-names.ts';
import { csv, readList } from '../../support.ts';

const HEADERS = ['Newsletter', 'Email status', 'Do not email', 'Größe', 'Notes', 'Confirmed at', 'Tags'];
const WORDS = ['', '✗', '?', 'n/a', '-', 'none', '#', '-1', 'later', 'B', '12'];
const SPELLINGS = [
  (header: string) => header.toLowerCase(),
  (header: string) => ` ${header} `,
  (header: string) => `list.csv:${header.toLowerCase()}`,
];
const CASES = HEADERS.flatMap((header) => WORDS.map((word) => [header, word] as const));

test.each(CASES)('accepts other spellings of the column %s in an answer for %j (C11)', async (header, word) => {
  for (const spelled of SPELLINGS.map((spell) => spell(header))) {
    const list = await readList(
      { 'list.csv': csv(`Email,City,${header}`, `left@x.test,Rome,${word}`, 'b@x.test,Rome,no') },
      { defaultStatus: { '*': 'subscribed' }, statusMap: { [`${spelled}:${word}`]: 'unsubscribed' } },
    );

    expect([spelled, list.contacts.find(({ email }) => email === 'left@x.test')?.status]).toEqual([
      spelled,
      'unsubscribed',
    ]);
  }
});

test('applies each answer to its column when headers have only symbols (C11)', async () => {
  const files = { 'list.csv': csv('Email,Status,✉,☎', 'left@x.test,active,x y,ok', 'b@x.test,active,ok,x y') };

  const { contacts } = await readList(files, { statusMap: { '✉:x y': 'unsubscribed', '☎:x y': 'subscribed' } });

  expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', undefined]);
});

test.each([
  ['Mail+', 'Mail-'],
  ['Status', 'STATUS'],
  ['Statút', 'Statut'],
  ['News (A)', 'News A'],
  ['ハス', 'バス'],
  ['Status', ' status '],
])('does not apply an answer for %s to the similar column %s (C1, C10)', async (header, other) => {
  const files = { 'list.csv': csv(`Email,${header},${other}`, 'a@x.test,foo,active', 'b@x.test,active,foo') };
  for (const [name, subscribed] of [
    [header, 'a@x.test'],
    [other, 'b@x.test'],
  ] as const) {
    const map = [`${header}=status`, `${other}=status`];
    const statusMap = { [`${name}:foo`]: 'subscribed', active: 'subscribed' };
    const { contacts } = await readList(files, { map, statusMap });

    expect(contacts.map(({ email }) => email)).toEqual([subscribed]);
  }
});

test('does not name a column by a number that is another header (C10)', async () => {
  const header = ['Email', 'Code', '2', 'Code'];
  expect(header.map((_, index) => columnName({ header }, index))).toEqual(['Email', 'Code', '2', '4']);
});

test('does not apply an answer for a blank cell to a cell with a colon (C11)', async () => {
  const files = { 'list.csv': csv('Email,Status', 'a@x.test,active', 'b@x.test,', 'c@x.test,:') };

  const { contacts } = await readList(files, { statusMap: { 'status:': 'subscribed', 'status::': 'unsubscribed' } });

  expect(contacts.map(({ status }) => status)).toEqual([undefined, undefined, 'unsubscribed']);
});

test('reads headers fewer than 20 times per column when a list is wide', () => {
  let reads = 0;
  const header = new Proxy(
    Array.from({ length: 2_000 }, (_, index) => `Field ${index}`),
    {
      get(target, key, receiver) {
        reads++;
        return Reflect.get(target, key, receiver);
      },
    },
  );
  const names = Array.from({ length: 2_000 }, (_, index) => answerName(header, index));
  expect([names[7], new Set(names).size]).toEqual(['Field 7', 2_000]);
  expect(reads).toBeLessThan(20 * header.length);
});
