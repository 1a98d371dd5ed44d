import { expect, test } from 'vitest';
import { findBadByte, sequenceLength } from '../../../../src/import/encoding/utf8.ts';

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

const bytesFrom = (first: number) => Array.from({ length: 256 - first }, (_, index) => first + index);

/** The length of the letter at the start, by the decoder of the platform. 0 if there is none. */
function lengthByDecoder(bytes: Buffer): number {
  return [2, 3, 4].find((length) => isLetter(bytes.subarray(0, length))) ?? 0;
}

// An error for each wrong letter would take long, so the decoder writes U+FFFD. No test has the bytes of that letter.
function isLetter(bytes: Buffer): boolean {
  const text = DECODER.decode(bytes);
  return text !== '\ufffd' && [...text].length === 1;
}

test.each([
  ['the lowest', [0x80, 0x80]],
  ['the highest', [0xbf, 0xbf]],
  ['wrong', [0x80, 0x41]],
])('counts the bytes of a UTF-8 letter when its last bytes are %s (F10)', (_, tail) => {
  const wrong = bytesFrom(0x80)
    .flatMap((first) => bytesFrom(0).map((second) => Buffer.from([first, second, ...tail])))
    .filter((bytes) => sequenceLength(bytes, 0) !== lengthByDecoder(bytes));
  expect(wrong).toEqual([]);
});

test('svc finds the first byte that is not UTF-8 (F10)', () => {
  const letters = Buffer.from('a\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}');
  expect(findBadByte(letters)).toBe(letters.length);
  expect(findBadByte(Buffer.concat([letters, Buffer.from([0xc0, 0x80]), letters]))).toBe(letters.length);
});
