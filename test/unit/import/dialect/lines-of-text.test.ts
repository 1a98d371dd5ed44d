import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const PEOPLE = csv('email,status', 'ana@x.test,active', 'ben@x.test,active', 'cy@x.test,active');

/** The people who would get mail. */
const signedUp = ({ contacts }: Awaited<ReturnType<typeof readList>>) =>
  contacts.filter(({ status }) => status === undefined).map(({ email }) => email);

/** Ways in which people write an address into a text file. */
const LINES: readonly ((email: string) => string)[] = [
  (email) => `- ${email}`,
  (email) => `* ${email}`,
  (email) => `• ${email}`,
  (email) => `1. ${email}`,
  (email) => `2) ${email}`,
  (email) => `${email} - asked to stop 3.4.2020`,
  (email) => `${email} (hates us)`,
  (email) => `2024-01-01 10:00:00 UNSUB ${email} ip=1.2.3.4`,
];

test('offers no --map when a text file has no columns (C4, C11)', async () => {
  for (const line of LINES) {
    const text = csv(...['ben@x.test', 'cy@x.test'].map(line));
    const list = await readList({ 'list.csv': PEOPLE, 'unsubscribed.txt': text });
    const finding = list.finding('columns');
    expect([text, finding?.level, finding?.hint?.includes('--map'), finding?.otherwise]).toEqual([
      text,
      'stop',
      false,
      undefined,
    ]);
  }
});

test('calls no header a person when it shows an example of an address (C11)', async () => {
  const rows = ['Ana,Berlin', 'Ben,Paris'];
  const list = await readList({ 'list.csv': csv('Name (with an email like ana@example.com),City', ...rows) });
  const { level, message } = list.finding('columns') ?? {};
  expect(level).toBe('stop');
  expect(message).toMatch(/No cell of the first rows holds an "@"$/);
});

test('does not subscribe a person who is in a rejected opt-out line (C4, C9)', async () => {
  for (const line of LINES) {
    const list = await readList({
      'list.csv': PEOPLE,
      'unsubscribed.csv': csv('Email', ...['ben@x.test', 'cy@x.test'].map(line)),
    });
    expect([line('ben'), signedUp(list)]).toEqual([line('ben'), ['ana@x.test']]);
  }
});

test('opts out a person whose other row is a rejected opt-out (C9)', async () => {
  const rows = ['ana@x.test,active', 'ben@x.test,active', '"- ben@x.test",unsubscribed'];
  const { contacts, reading } = await readList({ 'list.csv': csv('email,status', ...rows) });
  expect(contacts.map(({ email, status }) => [email, status])).toEqual([
    ['ana@x.test', undefined],
    ['ben@x.test', 'unsubscribed'],
  ]);
  expect(reading.rows.rejected).toBe(1);
});

test('signs up no person when a cell has half an address or two addresses (F8)', async () => {
  for (const cell of ['call @example.com', 'ben@ x.test', 'see ben@x.test or cy@x.test!']) {
    const list = await readList({ 'list.csv': csv('email,status', 'ana@x.test,active', `"${cell}",active`) });
    expect([cell, signedUp(list)]).toEqual([cell, ['ana@x.test']]);
  }
});
