import { expect, test } from 'vitest';
import { findBadByte, sequenceLength } from '../../../../src/import/encoding/utf8.ts';

const bytesFrom = (first: number) => Array.from({ length: 256 - first }, (_, index) => first + index);

/** The length of the letter at the start, by the decoder of the platform. 0 if there is none. */
function lengthByDecoder(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return [2, 3, 4].find((length) => isLetter(decoder, bytes.subarray(0, length))) ?? 0;
}

function isLetter(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer): boolean {
  try {
    return [...decoder.decode(bytes)].length === 1;
  } catch {
    return false;
  }
}

test.each([
  ['the lowest', [0x80, 0x80]],
  ['the highest', [0xbf, 0xbf]],
  ['wrong', [0x80, 0x41]],
])('counts the bytes of a UTF-8 letter when its last bytes are %s (F10)', (_, tail) => {
  for (const first of bytesFrom(0x80)) {
    for (const second of bytesFrom(0)) {
      const bytes = Buffer.from([first, second, ...tail]);
      expect([first, second, sequenceLength(bytes, 0)]).toEqual([first, second, lengthByDecoder(bytes)]);
    }
  }
});

test('svc finds the first byte that is not UTF-8 (F10)', () => {
  const letters = Buffer.from('a\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}');
  expect(findBadByte(letters)).toBe(letters.length);
  expect(findBadByte(Buffer.concat([letters, Buffer.from([0xc0, 0x80]), letters]))).toBe(letters.length);
});
