import { expect, test } from 'vitest';
import { detectEncoding } from '../../../../src/import/encoding/encodings.ts';
import { csv, readList } from '../support.ts';

const WIDE = [
  ['utf-16-le', 2, 0],
  ['utf-16-be', 2, 1],
  ['utf-32-le', 4, 0],
  ['utf-32-be', 4, 3],
] as const;

/** The text with each ASCII character at a place among zero bytes. */
function widen(text: string, width: number, place: number): Buffer {
  const bytes = Buffer.alloc(text.length * width);
  Buffer.from(text).forEach((byte, at) => void bytes.writeUInt8(byte, at * width + place));
  return bytes;
}

test.each(WIDE)('detects %s from a few characters', async (encoding, width, place) => {
  for (const text of ['abcd', 'email\na@b.co', 'email,name\nana@x.test,Ana', 'x'.repeat(3_000)]) {
    const bytes = widen(text, width, place);
    const found = await detectEncoding({ bytes, beyondAscii: Buffer.alloc(0), isWhole: true }, {});
    expect([text, found]).toEqual([text, { encoding, hasByteOrderMark: false, certainty: 'certain' }]);
  }
});

test.each([';', '\t', '|'])('reads a list below a line with an address and the delimiter %j', async (other) => {
  const { contacts, trouble } = await readList(
    { 'list.csv': csv(`Email${other}info@shop.test`, 'Email,Name', 'ana@x.test,Ana') },
    { defaultStatus: { '*': 'subscribed' } },
  );
  expect([contacts.map(({ email }) => email), trouble.filter((line) => line.startsWith('stop'))]).toEqual([
    ['ana@x.test'],
    [],
  ]);
});
