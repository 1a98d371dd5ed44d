import { expect, test } from 'vitest';
import { createDecoder } from '../../../../src/import/encoding/decode.ts';
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

test.each([';', '\t', '|'])('ignores a line with an address and the delimiter %j above a CSV list', async (other) => {
  const { contacts, trouble } = await readList(
    { 'list.csv': csv(`Email${other}info@shop.test`, 'Email,Name', 'ana@x.test,Ana') },
    { defaultStatus: { '*': 'subscribed' } },
  );
  expect([contacts.map(({ email }) => email), trouble.filter((line) => line.startsWith('stop'))]).toEqual([
    ['ana@x.test'],
    [],
  ]);
});

test.each([
  ['windows-1252', 'utf-16le', 8, 'UTF-16 text'],
  ['windows-1252', 'utf-16be', 8, 'UTF-16 text'],
  ['windows-1252', 'utf-16le', 7, undefined],
  ['windows-1252', 'utf-16be', 7, undefined],
])('reads %s text with %s appended (%i letters), and reports bad bytes: %s', (encoding, wide, letters, badBytes) => {
  const bytes = Buffer.from('b@x.test\t\n'.slice(0, letters), 'utf16le');
  const appended = wide === 'utf-16be' ? bytes.swap16() : bytes;
  const read = createDecoder(encoding).write(Buffer.concat([Buffer.from([0xe9, 0xe9]), appended]));
  expect(read.badBytes).toBe(badBytes);
  expect(read.text).toBe(badBytes === undefined ? `éé${appended.toString('latin1')}` : 'éé');
});
