import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { createDecoder } from '../../../../src/import/encoding/decode.ts';

const SINGLE_BYTE = ['windows-1252', 'windows-1250', 'windows-1251', 'iso-8859-15', 'macintosh', 'cp437', 'koi8-r'];
const MULTI_BYTE = ['utf-16-le', 'utf-16-be', 'utf-32-le', 'gb18030', 'shift_jis', 'euc-jp', 'euc-kr', 'big5'];
const LETTERS = ['a', 'Z', '9', ',', '"', '@', '\n', '\r\n', ' ', 'é', 'Ž', 'я', '日', '한'];

/** All texts that the decoder makes of these buffers, and the bad bytes that it names. */
function decodeAll(encoding: string, buffers: readonly Buffer[]) {
  const decoder = createDecoder(encoding);
  const texts: string[] = [];
  for (const take of [...buffers.map((bytes) => () => decoder.write(bytes)), () => decoder.end()]) {
    const { text, lines, badBytes } = take();
    texts.push(text);
    if (lines !== undefined) {
      expect([lines.toString(), lines.at(-1)]).toEqual([text, 10]);
    }
    if (badBytes !== undefined) {
      return { text: texts.join(''), badBytes };
    }
  }
  return { text: texts.join(''), badBytes: undefined };
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return ends.slice(1).map((end, index) => Buffer.from(bytes.subarray(ends[index], end)));
}

const places = fc.array(fc.nat(200), { maxLength: 6 });

test.each([...SINGLE_BYTE, ...MULTI_BYTE])(
  'decodes %s like iconv-lite when its bytes are cut anywhere (F10)',
  (encoding) => {
    const letters = LETTERS.filter((letter) => iconv.decode(iconv.encode(letter, encoding), encoding) === letter);
    expect(letters.length).toBeGreaterThan(9);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...letters), maxLength: 80 }), places, (text, cuts) => {
        const decoded = decodeAll(encoding, cutAt(iconv.encode(text, encoding), cuts));
        expect(decoded).toEqual({ text, badBytes: undefined });
      }),
    );
  },
);

test.each(SINGLE_BYTE)('decodes the text up to the first byte that is invalid in %s (F10)', (encoding) => {
  const isLetter = (byte: number) => iconv.decode(Buffer.of(byte), encoding) !== '\ufffd';
  const byte = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 255 }) }, fc.constant(0x0a));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 60 }), places, (values, cuts) => {
      const bad = values.find((value) => !isLetter(value));
      const good = bad === undefined ? values : values.slice(0, values.indexOf(bad));
      expect(decodeAll(encoding, cutAt(Buffer.from(values), cuts))).toEqual({
        text: iconv.decode(Buffer.from(good), encoding),
        badBytes: bad === undefined ? undefined : `byte 0x${bad.toString(16).toUpperCase()}`,
      });
    }),
  );
});

test.each([
  ['windows-1252', 0x81],
  ['shift_jis', 0xff],
])('keeps the start of a %s row when the next block has a bad byte (F10)', (encoding, bad) => {
  const { text, badBytes } = decodeAll(encoding, [Buffer.from('email\nan'), Buffer.of(0x61, bad, 0x0a)]);
  expect([text, badBytes]).toEqual(['email\nana', `byte 0x${bad.toString(16).toUpperCase()}`]);
});

test.each(['windows-1252', 'utf-16-le', 'shift_jis'])(
  'converts the complete lines of %s text to bytes of UTF-8',
  (encoding) => {
    const decoder = createDecoder(encoding);
    const { lines } = decoder.write(iconv.encode('email\nana@example.com\nbo@', encoding));
    expect([lines?.toString(), decoder.end().text]).toEqual(['email\nana@example.com\n', 'bo@']);
  },
);

test('keeps half of a surrogate pair when UTF-16 text has one (F10)', () => {
  const text = 'ana\n\ud83dbo\n';
  expect(decodeAll('utf-16-le', [Buffer.from('x\ny', 'utf16le'), Buffer.from(text, 'utf16le')]).text).toBe(
    `x\ny${text}`,
  );
});

test.each(['utf-16-le', 'utf-16-be', 'utf-32-le'])(
  'keeps %s text unchanged when a NUL follows each letter (F10)',
  (encoding) => {
    const text = 'ana\nb\0o\0@\0x\0.\0t\0e\0s\0t\0\nida\n';
    expect(decodeAll(encoding, [iconv.encode(text, encoding)])).toEqual({ text, badBytes: undefined });
  },
);
