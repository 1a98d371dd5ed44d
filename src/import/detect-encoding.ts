import iconv from 'iconv-lite';
import { byteOrderMark } from './encodings.ts';
import { readability } from './readability.ts';
import type { Sample } from './sample.ts';
import { sequenceLength } from './utf8.ts';

/** An encoding and how it was found: `guessed` calls for a look, `ambiguous` for an answer. */
export interface EncodingReading {
  readonly encoding: string;
  readonly bom: boolean;
  readonly certainty: 'certain' | 'guessed' | 'ambiguous';
}

/**
 * Tells the encoding from the bytes. A byte order mark outranks the encoding asked for. Bytes that are UTF-8 for the
 * better part stay UTF-8, so that reading stops at the bad ones instead of making wrong letters of the good ones.
 */
export function detectEncoding({ bytes, foreign }: Sample, asked: string | undefined): EncodingReading {
  const mark = byteOrderMark(bytes);
  if (mark) {
    return { encoding: mark.encoding, bom: true, certainty: 'certain' };
  }
  const encoding = asked ?? wideEncoding(bytes) ?? (isMostlyUtf8(foreign) ? 'utf-8' : undefined);
  return encoding === undefined ? legacyEncoding(foreign) : { encoding, bom: false, certainty: 'certain' };
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
