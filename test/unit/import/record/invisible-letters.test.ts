import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

/** Characters without a visible shape, by code point. */
const INVISIBLE = [
  ...[0x01, 0x7f, 0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200e, 0x2060, 0x2800, 0x3164],
  ...[0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xe0020, 0xe0100],
];

const PLACES = [
  (letter: string) => `${letter}left@x.test`,
  (letter: string) => `le${letter}ft@x.test`,
  (letter: string) => `left${letter}@x.test`,
  (letter: string) => `left@${letter}x.test`,
  (letter: string) => `left@x.te${letter}st`,
  (letter: string) => `left@x.test${letter}`,
];

test.each(INVISIBLE)('signs no person up when their opt-out address contains U+%x (C1, F8)', async (code) => {
  for (const address of PLACES.map((place) => place(String.fromCodePoint(code)))) {
    const rows = ['left@x.test,subscribed', `${address},unsubscribed`, 'ben@x.test,subscribed'];

    const { contacts } = await readList({ 'list.csv': csv('Email,Status', ...rows) });

    const subscribed = contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
    expect([address, subscribed]).toEqual([address, ['ben@x.test']]);
  }
});
