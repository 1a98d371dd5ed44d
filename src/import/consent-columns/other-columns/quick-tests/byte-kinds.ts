import { EMPTY_STARTS } from '../../../../platforms/lib/blank-cells.ts';

// The separators between the items of a list, the kinds of bytes in a cell, and a quick test for replies of mail
// servers.

export const SEPARATORS = ',;|()*!';
export const DASHES = '-–/';
export const BRACKETS = '[{';
export const COLONS = ':=：＝';
export const CROSSES = '†✝✞☠⚰⛔';
const SEPARATOR_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(
    [...SEPARATORS, ...DASHES, ...BRACKETS, ...COLONS, ...CROSSES].some(
      (character) => Buffer.from(character).at(-1) === byte,
    ),
  ),
);

/** True for the last byte of a separator such as `,` or `：` in UTF-8. Also true for bytes of a few other characters. */
export function isSeparatorByte(byte: number): boolean {
  return SEPARATOR_BYTES[byte] === 1;
}

const [FIRST_NUMBER_BYTE, LAST_NUMBER_BYTE, SEMICOLON] = [0x20, 0x3a, 0x3b]; // From a blank to a colon, but no semicolon.

/** True for a digit, a blank, or another character of numbers and times, such as a plus, a dash or a colon. */
export function isNumberByte(code: number): boolean {
  return code >= FIRST_NUMBER_BYTE && code <= LAST_NUMBER_BYTE && code !== SEMICOLON;
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

const BLANK = 0x20;
// How a byte may begin a note beside a name. `opens`: a bracket or a sign, and the first byte of a full-width bracket.
// `longDash`: the first byte of a long dash in UTF-8. The last byte of such a dash is at most LAST_DASH, but that of
// the apostrophe in `O’Brien` is higher.
const NOTE_STARTS = { opens: 1, hyphen: 2, endsName: 3, longDash: 4 } as const;
const LAST_DASH = 0x95;
const NOTE_START_OF = new Uint8Array(256);
for (const [kind, characters] of [
  ['opens', '([{*!:|\xef'],
  ['hyphen', '-'],
  ['endsName', ',/'],
  ['longDash', '\xe2'],
] as const) {
  Buffer.from(characters, 'latin1').forEach((byte) => {
    NOTE_START_OF[byte] = NOTE_STARTS[kind];
  });
}

/**
 * A quick test of a name in bytes: true for each name with a note in brackets, beside a dash between blanks, or in
 * small letters after a comma or a slash, and for few others.
 */
export function mayHoldNote(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    const kind = NOTE_START_OF[bytes[position] as number] as number;
    if (kind !== 0 && mayBeginNote(kind, bytes, position, start)) {
      return true;
    }
  }
  return false;
}

function mayBeginNote(kind: number, bytes: Uint8Array, position: number, start: number): boolean {
  const after = bytes[position + 1];
  switch (kind) {
    case NOTE_STARTS.hyphen:
      return position === start || bytes[position - 1] === BLANK || after === BLANK;
    case NOTE_STARTS.endsName:
      return isSmallLetter(after === BLANK ? bytes[position + 2] : after);
    case NOTE_STARTS.longDash:
      return (bytes[position + 2] as number) <= LAST_DASH;
    default:
      return true;
  }
}

function isSmallLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte > BEFORE_A && letterNumber(byte) > 0;
}

/** A quick test of a name in bytes: true if its first or last word can be `X` or `Z`. */
export function mayBeCrossedOut(bytes: Uint8Array, start: number, end: number): boolean {
  if (isCross(bytes[start]) && (!isLetterByte(bytes[start + 1] as number) || isCross(bytes[start + 1]))) {
    return true;
  }
  return isCross(bytes[end - 1]) && (bytes[end - 2] === BLANK || isCross(bytes[end - 2]));
}

const [SMALL_X, SMALL_Z] = [0x78, 0x7a];

function isCross(byte = 0): boolean {
  const small = byte | CASE;
  return small === SMALL_X || small === SMALL_Z;
}

const [ZERO, FIVE, NINE, DOT] = [0x30, 0x35, 0x39, 0x2e];
/** The maximum number of separators between the two numbers of a reply, such as the blank in `550 5.1.1`. */
const MAX_SEPARATORS = 3;

/**
 * A quick test of a cell in bytes: true for each cell with a final reply of a mail server, such as `550 5.1.1 user
 * unknown`, and for few others.
 */
export function mayHoldReply(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end - MAX_SEPARATORS; position++) {
    if (bytes[position] === FIVE && isCode(bytes, position) && mayFollowCode(bytes, position + MAX_SEPARATORS, end)) {
      return true;
    }
  }
  return false;
}

// True for a code from 500 to 559 with a separator after it.
function isCode(bytes: Uint8Array, position: number): boolean {
  const [second, third] = [bytes[position + 1] as number, bytes[position + 2] as number];
  return (
    second >= ZERO && second <= FIVE && third >= ZERO && third <= NINE && separatesCode(bytes[position + 3] as number)
  );
}

// True if text, or a second number such as `5.1.1`, follows the separators after the code. This rules out telephone
// numbers.
function mayFollowCode(bytes: Uint8Array, start: number, end: number): boolean {
  let position = start;
  while (position < end && position < start + MAX_SEPARATORS && separatesCode(bytes[position] as number)) {
    position++;
  }
  const next = bytes[position] as number;
  return (
    position < end &&
    (next < ZERO || next > NINE || hasLetter(bytes, position, end) || (next === FIVE && bytes[position + 1] === DOT))
  );
}

function hasLetter(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    if (letterNumber(bytes[position] as number) > 0) {
      return true;
    }
  }
  return false;
}

// True for a blank, `#`, `-`, `:` and `;`.
function separatesCode(byte: number): boolean {
  return byte === 0x20 || byte === 0x23 || byte === 0x2d || byte === 0x3a || byte === 0x3b;
}

/** The first two letters or digits of all texts that `isEmptyValue` takes for empty, such as `null` and `00000101`. */
const EMPTY_PAIRS = 'nu no na ni un bl em le vi va 00 01 17 18 19 12 30 31 99'.split(' ');
/** For each two bytes at the start of a cell: 1 if the cell can be empty. */
const MAY_BE_EMPTY = Uint8Array.from({ length: 0x1_0000 }, (_, pair) => Number(mayBeginEmpty(pair >> 8, pair & 0xff)));

/**
 * A quick test of the first two bytes of a cell: true for each cell for which `isEmptyValue` is true, and for few
 * others. If the cell has only one byte, `second` is the delimiter or the quote after it.
 */
export function mayBeEmptyValue(first: number, second: number): boolean {
  return MAY_BE_EMPTY[(first << 8) | second] === 1;
}

function mayBeginEmpty(first: number, second: number): boolean {
  if (EMPTY_STARTS[first] === 0 || first > 0x7f || second > 0x7f) {
    return EMPTY_STARTS[first] === 1;
  }
  if (!isLetterOrDigit(first)) {
    return EMPTY_STARTS[second] === 1;
  }
  return !isLetterOrDigit(second) || EMPTY_PAIRS.includes(String.fromCharCode(first, second).toLowerCase());
}

function isLetterOrDigit(byte: number): boolean {
  return letterNumber(byte) > 0 || (byte >= ZERO && byte <= NINE);
}
