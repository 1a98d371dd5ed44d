import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { byteOrderMark } from './encodings.ts';
import { readability } from './readability.ts';
import type { Sample } from './sample.ts';
import { cutTail, sequenceLength } from './utf8.ts';

/** An encoding and how it was found: `guessed` calls for a look, `ambiguous` for an answer. */
export interface EncodingReading {
  readonly encoding: string;
  readonly bom: boolean;
  readonly certainty: 'certain' | 'guessed' | 'ambiguous';
  /** The encoding that was asked for and isn't taken. */
  readonly insteadOf?: string | undefined;
}

/** What is known of a table's encoding beside its bytes. */
export interface EncodingHints {
  readonly asked?: string | undefined;
  /** The one asked for is meant for several tables. */
  readonly forSeveral?: boolean | undefined;
  /** What the table is in where it isn't UTF-8. */
  readonly legacy?: string | undefined;
}

/**
 * Tells the encoding from the bytes. A byte order mark outranks the encoding asked for, and so does a table in UTF-8
 * among several: an encoding of single bytes is asked for because of the others. Bytes that are UTF-8 for the better
 * part stay UTF-8, so that reading stops at the bad ones instead of making wrong letters of the good ones.
 */
export function detectEncoding({ bytes, foreign }: Sample, hints: EncodingHints): EncodingReading {
  const mark = byteOrderMark(bytes);
  if (mark) {
    return { encoding: mark.encoding, bom: true, certainty: 'certain' };
  }
  if (hints.forSeveral && SINGLE_BYTES.test(hints.asked ?? '') && !isAscii(foreign) && isWhollyUtf8(foreign)) {
    return { encoding: 'utf-8', bom: false, certainty: 'certain', insteadOf: hints.asked };
  }
  const encoding = hints.asked ?? wideEncoding(bytes);
  if (encoding !== undefined) {
    return { encoding, bom: false, certainty: 'certain' };
  }
  if (hints.legacy !== undefined && !isWhollyUtf8(foreign) && !namesForeignAddress(foreign)) {
    return { encoding: hints.legacy, bom: false, certainty: 'guessed' };
  }
  return isMostlyUtf8(foreign) ? { encoding: 'utf-8', bom: false, certainty: 'certain' } : legacyEncoding(foreign);
}

const SINGLE_BYTES = /^(?:windows-?125\d|cp125\d|iso-?8859|latin|mac|koi8)/i;

function isWhollyUtf8(bytes: Buffer): boolean {
  return isUtf8(bytes.subarray(0, bytes.length - cutTail(bytes)));
}

// Read in the wrong encoding, an address is somebody else's.
function namesForeignAddress(bytes: Buffer): boolean {
  const words = bytes.toString('latin1').split(/[\s",;|<>]+/);
  return words.some((word) => word.includes('@') && /[\x80-\xff]/.test(word));
}

// Delimiters, digits and most letters of a list are ASCII: in UTF-16 and UTF-32 the other bytes are zeros.
function wideEncoding(bytes: Buffer): string | undefined {
  const found = wideIn(bytes.subarray(0, 4096));
  // Another beginning than the rest: two files joined, of which the second is in UTF-16.
  const start = bytes.subarray(0, 64);
  return start.includes(0) ? (found ?? wideIn(start)) : undefined;
}

function wideIn(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, bytes.length & ~3 || bytes.length);
  const zeros = [0, 0, 0, 0];
  start.forEach((byte, index) => {
    zeros[index % 4] = (zeros[index % 4] ?? 0) + (byte === 0 ? 1 : 0);
  });
  const pattern = zeros.map((count) => shape(count / (start.length / 4))).join('');
  return WIDE.find(([shapes]) => shapes.test(pattern))?.[1];
}

const WIDE: readonly (readonly [RegExp, string])[] = [
  [/^[.?]000$/, 'utf-32-le'],
  [/^000[.?]$/, 'utf-32-be'],
  [/^\.[0?]\.[0?]$/, 'utf-16-le'],
  [/^[0?]\.[0?]\.$/, 'utf-16-be'],
];

function shape(share: number): '0' | '?' | '.' {
  if (share > 0.9) {
    return '0';
  }
  return share > 0.3 ? '?' : '.';
}

function isMostlyUtf8(bytes: Buffer): boolean {
  let good = 0;
  let bad = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    good += length > 1 ? 1 : 0;
    bad += length === 0 ? 1 : 0;
    at += length || 1;
  }
  return bad === 0 || good * 5 >= bad;
}

// Nothing but the look of the words tells these apart.
function legacyEncoding(foreign: Buffer): EncodingReading {
  const western = readability(iconv.decode(foreign, 'windows-1252'));
  const mac = readability(iconv.decode(foreign, 'macintosh'));
  if (western.foreign || western.broken || standsInRuns(foreign)) {
    return { encoding: 'windows-1252', bom: false, certainty: 'ambiguous' };
  }
  const isMac = mac.score > western.score || (mac.score === western.score && hasLoneReturns(foreign));
  return isMac
    ? { encoding: 'macintosh', bom: false, certainty: 'ambiguous' }
    : { encoding: 'windows-1252', bom: false, certainty: 'guessed' };
}

// Western letters stand between ASCII ones; where most bytes beyond ASCII come in twos and threes, two make a character.
function standsInRuns(bytes: Buffer): boolean {
  let all = 0;
  let inRuns = 0;
  bytes.forEach((byte, at) => {
    const foreign = byte > 0x7f;
    const beside = (bytes[at - 1] ?? 0) > 0x7f || (bytes[at + 1] ?? 0) > 0x7f;
    all += foreign ? 1 : 0;
    inRuns += foreign && beside ? 1 : 0;
  });
  return inRuns >= 6 && inRuns * 2 > all;
}

function hasLoneReturns(bytes: Buffer): boolean {
  return bytes.includes(13) && !bytes.includes(10);
}
