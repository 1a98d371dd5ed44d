// The signs between the items of a list, and the kinds of bytes in a cell.

export const SEPARATORS = ',;|()*!';
export const DASHES = '-–/';
export const BRACKETS = '[{';
export const COLONS = ':=：＝';
export const CROSSES = '†✝✞☠⚰⛔';
const SEPARATOR_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(
    [...SEPARATORS, ...DASHES, ...BRACKETS, ...COLONS, ...CROSSES].some((sign) => Buffer.from(sign).at(-1) === byte),
  ),
);

/** True for a byte that can end a separator such as `,` or `：` in UTF-8. Also true for a few other bytes. */
export function isSeparatorByte(byte: number): boolean {
  return SEPARATOR_BYTES[byte] === 1;
}

const [FIRST_SIGN, LAST_SIGN, NO_SIGN] = [0x20, 0x3a, 0x3b]; // From a blank to a colon, but no semicolon.

/** True for a digit, a blank, or a sign of numbers and times, such as a plus, a dash or a colon. */
export function isNumberByte(code: number): boolean {
  return code >= FIRST_SIGN && code <= LAST_SIGN && code !== NO_SIGN;
}

/** True for a letter, or a part of a character beyond ASCII. */
export function isLetterByte(byte: number): boolean {
  return byte > 0x7f || letterNumber(byte) > 0;
}

const CASE = 0x20;
const BEFORE_A = 0x60;
const LETTERS = 26;

/** The number of an ASCII letter in the alphabet, from 1. 0 for any other byte. */
export function letterNumber(byte: number): number {
  const letter = (byte | CASE) - BEFORE_A;
  return byte < 0x80 && letter >= 1 && letter <= LETTERS ? letter : 0;
}
