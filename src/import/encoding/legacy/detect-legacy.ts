import iconv from 'iconv-lite';
import { sequenceLength } from '../utf8.ts';
import { isClearWinner, nonAsciiCells, type RankedReading, rankReadings } from './rank-encodings.ts';
import { westernOrMac } from './western.ts';

/**
 * An encoding that the user can choose. `text` has the cells with non-ASCII bytes as this encoding reads them, one a
 * line. All choices have the same cells in the same order.
 */
export interface EncodingChoice {
  readonly encoding: string;
  readonly text: string;
}

/** An encoding that svc concludes only from how the words look. If it is `ambiguous`, the user must choose. */
interface LegacyReading {
  readonly encoding: string;
  readonly certainty: 'guessed' | 'ambiguous';
  /** If the encoding is ambiguous: the possible encodings, the most likely one first. */
  readonly choices?: readonly EncodingChoice[];
}

/**
 * The most likely legacy encoding of bytes that are not all UTF-8. Undefined if the bytes count as UTF-8 with errors:
 * at least half of the sequences are UTF-8, or two files in different encodings were joined.
 */
export async function detectLegacyEncoding(bytes: Buffer): Promise<LegacyReading | undefined> {
  const { sequenceCount, otherCount } = utf8Share(bytes);
  if (sequenceCount >= otherCount) {
    return undefined;
  }
  const cells = nonAsciiCells(bytes);
  const readings = await rankReadings(cells);
  const [best] = readings;
  const western = westernOrMac(bytes);
  const isClearlyBest = best !== undefined && isClearWinner(readings);
  // Many of the sequences are UTF-8. Thai and East Asian bytes can look like UTF-8 by chance, but Western bytes can't.
  // So unless an encoding that is not Western is clearly best, two files in different encodings were joined.
  if (sequenceCount * 5 >= otherCount && (!isClearlyBest || best.encoding === western.encoding)) {
    return undefined;
  }
  const isWestern = western.certainty === 'guessed' && isWesternLikely(readings);
  if ((isClearlyBest || isWestern) && !hasNonAsciiAddress(bytes)) {
    return isClearlyBest ? { encoding: best.encoding, certainty: 'guessed' } : western;
  }
  const choices = choicesOf(readings, cells, western.encoding);
  return { encoding: choices[0]?.encoding ?? western.encoding, certainty: 'ambiguous', choices };
}

// True if Western is the better choice although another encoding has a slightly better score: Western lists are by far
// the most frequent.
function isWesternLikely(readings: readonly RankedReading[]): boolean {
  const [best] = readings;
  const western = readings.find(({ encoding }) => encoding === 'windows-1252');
  if (!best?.isPlausible || !western?.isPlausible) {
    return !best?.isPlausible;
  }
  const holdsSymbolsOnly = !/(?![\0-\x7f])\p{L}/u.test(western.text);
  // windows-1252 shows Turkish letters as Icelandic ones (`ş` as `þ`). So svc does not prefer Western if the text has
  // such letters.
  const factor = /[ðþý]/i.test(western.text) ? 0 : WESTERN_FACTOR;
  return holdsSymbolsOnly || western.score * factor >= best.score;
}

const WESTERN_FACTOR = 1.2;

/**
 * True if an email address has bytes beyond ASCII. In a wrong encoding it would become the address of another person.
 */
export function hasNonAsciiAddress(bytes: Buffer): boolean {
  const words = bytes.toString('latin1').split(/[\s",;|<>]+/);
  return words.some((word) => /^[^@]+@[^@]+\.[^@.]+$/.test(word) && /[\x80-\xff]/.test(word));
}

interface Utf8Share {
  /** The number of UTF-8 sequences of two bytes or more. */
  readonly sequenceCount: number;
  /** The number of bytes outside any UTF-8 sequence. */
  readonly otherCount: number;
}

function utf8Share(bytes: Buffer): Utf8Share {
  let sequenceCount = 0;
  let otherCount = 0;
  for (let index = 0; index < bytes.length; ) {
    const length = sequenceLength(bytes, index);
    sequenceCount += length > 1 ? 1 : 0;
    otherCount += length === 0 ? 1 : 0;
    index += length || 1;
  }
  return { sequenceCount, otherCount };
}

const MAX_LIKELY = 3;

// The encodings that the user can choose from: Mac if the words look like it, then the most likely encodings, then
// Excel's Western encoding. An encoding that gives the same text as an earlier one is left out.
function choicesOf(readings: readonly RankedReading[], cells: Buffer, westernEncoding: string): EncodingChoice[] {
  const likely = readings.slice(0, MAX_LIKELY).filter(({ score }) => score * 4 >= (readings[0]?.score ?? 0));
  const mac = westernEncoding === 'macintosh' && !isClearWinner(readings) ? ['macintosh'] : [];
  const encodings = [...mac, ...likely.map(({ encoding }) => encoding), 'windows-1252'];
  const choices = encodings.map((encoding) => ({ encoding, text: iconv.decode(cells, encoding) }));
  return choices.filter(({ text }, index) => choices.findIndex((other) => other.text === text) === index);
}
