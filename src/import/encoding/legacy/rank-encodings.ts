import iconv from 'iconv-lite';
import { characterFrequency, largestLanguageShare } from './alphabets.ts';

/**
 * The bytes as one encoding reads them, and a score of at least 0. Scores can be compared only within one call of
 * `rankReadings`.
 */
export interface RankedReading {
  readonly encoding: string;
  readonly text: string;
  readonly score: number;
  /**
   * True if the text looks like one language: nearly all its letters belong to that language, and symbols stand between
   * words, not inside them.
   */
  readonly isPlausible: boolean;
}

/** The different cells with bytes beyond ASCII, a line each, at most 16 KiB. */
export function nonAsciiCells(bytes: Buffer): Buffer {
  // Some encodings use `|` as the second byte of a letter, so cells are not cut at `|`. No encoding uses another
  // delimiter in this way.
  const cells = bytes.toString('latin1').split(/[\r\n,;\t"]+/);
  const foreign = new Set(cells.filter((cell) => /[\x80-\xff]/.test(cell)));
  return Buffer.from([...foreign].join('\n').slice(0, MAX_BYTES), 'latin1');
}

const MAX_BYTES = 16 * 1024;

/**
 * True if the best reading is clearly ahead of the second. The fewer characters there are, the larger its lead must be.
 */
export function isClearWinner([best, next]: readonly RankedReading[]): boolean {
  if (!best?.isPlausible) {
    return false;
  }
  const characters = best.text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const [, margin] = MARGINS.find(([least]) => characters >= least) ?? [];
  return margin !== undefined && best.score >= margin * (next?.score ?? 0);
}

// Pairs `[characters, margin]`. With at least so many characters beyond ASCII, the best score must be `margin` times
// the next one. Fewer than three characters prove nothing.
const MARGINS: readonly (readonly [number, number])[] = [
  [12, 1.2],
  [6, 1.5],
  [3, 2.5],
];

/**
 * The bytes as each encoding reads them, the most likely first. Encodings that give the same text are merged. jschardet
 * knows which letters follow each other in a language, but it can mistake the language of a list of names. So the score
 * is its confidence, multiplied by how well the letters fit one alphabet and the shape of words.
 */
export async function rankReadings(cells: Buffer): Promise<RankedReading[]> {
  // svc loads this module only when needed: the models take 1 MB, and most lists are UTF-8.
  const { chardet } = await import('jschardet');
  const found = chardet.detectAll(cells, {
    includeEncodings: Object.keys(ENCODINGS),
    ignoreThreshold: true,
    compatNames: false,
    preferSuperset: false,
  });
  const readings = new Map<string, RankedReading>();
  for (const { encoding: name, confidence } of found) {
    const encoding = ENCODINGS[name ?? ''];
    if (encoding !== undefined) {
      const reading = rateReading(cells, encoding, confidence);
      const same = readings.get(reading.text);
      readings.set(reading.text, same ? mergeReadings(same, reading) : reading);
    }
  }
  return [...readings.values()].sort((first, second) => second.score - first.score);
}

// Merges two encodings that give the same text for these cells. The more frequent encoding stays, because svc will read
// the rest of the file with it.
function mergeReadings(first: RankedReading, second: RankedReading): RankedReading {
  const better = first.score >= second.score ? first : second;
  const frequent = FREQUENT_ENCODINGS.find((encoding) => encoding === first.encoding || encoding === second.encoding);
  return { ...better, encoding: frequent ?? better.encoding };
}

const FREQUENT_ENCODINGS = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251'];

function rateReading(cells: Buffer, encoding: string, confidence: number): RankedReading {
  const text = iconv.decode(cells, encoding);
  const alphabet = largestLanguageShare(text);
  const shape = wordShape(text);
  const score =
    confidence * alphabet ** 8 * shape ** 2 * characterFrequency(text, encoding) * (ENCODING_FACTORS[encoding] ?? 1);
  return { encoding, text, score, isPlausible: alphabet >= 0.95 && shape >= 0.9 };
}

/** The names of encodings in jschardet and in iconv-lite. Encodings that no list uses, such as EBCDIC, are left out. */
const ENCODINGS: Readonly<Record<string, string>> = {
  ...{ cp1250: 'windows-1250', cp1251: 'windows-1251', cp1252: 'windows-1252', cp1253: 'windows-1253' },
  ...{ cp1254: 'windows-1254', cp1255: 'windows-1255', cp1256: 'windows-1256', cp1257: 'windows-1257' },
  ...{ cp1258: 'windows-1258', cp874: 'windows-874', 'koi8-r': 'koi8-r', 'koi8-u': 'koi8-u' },
  ...{ 'iso8859-1': 'iso-8859-1', 'iso8859-2': 'iso-8859-2', 'iso8859-5': 'iso-8859-5', 'iso8859-6': 'iso-8859-6' },
  ...{ 'iso8859-7': 'iso-8859-7', 'iso8859-8': 'iso-8859-8', 'iso8859-9': 'iso-8859-9' },
  ...{ 'iso8859-13': 'iso-8859-13', 'iso8859-15': 'iso-8859-15' },
  ...{ cp437: 'cp437', cp737: 'cp737', cp775: 'cp775', cp850: 'cp850', cp852: 'cp852', cp857: 'cp857' },
  ...{ cp861: 'cp861', cp862: 'cp862', cp865: 'cp865', cp866: 'cp866', cp1125: 'cp1125' },
  ...{ 'mac-roman': 'macintosh', 'mac-latin2': 'maccenteuro', 'mac-turkish': 'macturkish', 'mac-greek': 'macgreek' },
  ...{ 'mac-cyrillic': 'maccyrillic', 'mac-iceland': 'maciceland' },
  ...{ cp932: 'shift_jis', euc_jis_2004: 'euc-jp', cp949: 'euc-kr', gb18030: 'gb18030', big5hkscs: 'big5' },
};

// Factors for the score. Most lists that are not UTF-8 come from Excel, which writes these encodings, so they get a
// small advantage.
const ENCODING_FACTORS: Readonly<Record<string, number>> = {
  'windows-1252': 1.15,
  'windows-1250': 1.02,
  'windows-1251': 1.02,
};

/**
 * How well the characters beyond ASCII fit into words, from 0 to 1. Wrong encodings put symbols and capitals inside
 * words (`Pawe³`, `GyŃri`), or mix two scripts in a word (`Cantщ`).
 */
function wordShape(text: string): number {
  let faults = 0;
  let characters = 0;
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7f]/gu)) {
    const before = text[index - 1] ?? ' ';
    const after = text[index + character.length] ?? ' ';
    characters++;
    faults += faultOf(character, before, after);
  }
  return Math.max(0, 1 - faults / Math.max(characters, 1));
}

// Matches characters that no written text has: control characters, U+FFFD, and unassigned code points.
const UNWRITTEN = /[\u0080-\u009f\ufffd\p{Co}\p{Cn}]/u;
const CAPITAL = /\p{Lu}/u;
const SMALL = /\p{Ll}/u;
const LATIN = /\p{Script=Latin}/u;
const LETTER = /[\p{L}\p{M}]/u;
// Matches marks that can stand anywhere, also between two letters: apostrophes, and Arabic and East Asian marks.
const JOINING = /[\u00a0’´·\u0640\u200c-\u200f、。・ー「」（）]/u;
// Matches symbols that stand directly before or after a word, such as quotes.
const BESIDE_WORDS = /[ªº«»‘‚“”„–—…©®№§°¿¡]/u;
// Matches symbols that stand only directly after a word, as in `Nº` or `ACME®`.
const AFTER_WORDS = /[ªº©®°…]/u;

function faultOf(character: string, before: string, after: string): number {
  if (UNWRITTEN.test(character)) {
    return 3;
  }
  return LETTER.test(character) ? faultOfLetter(character, before, after) : faultOfSymbol(character, before, after);
}

function faultOfSymbol(symbol: string, before: string, after: string): number {
  if (JOINING.test(symbol)) {
    return 0;
  }
  const isInside = LETTER.test(before) && LETTER.test(after);
  const isBeforeWord = AFTER_WORDS.test(symbol) && LETTER.test(after);
  return BESIDE_WORDS.test(symbol) && !isInside && !isBeforeWord ? 0 : 1;
}

function faultOfLetter(letter: string, before: string, after: string): number {
  if (scriptsDiffer(letter, before) || scriptsDiffer(letter, after)) {
    return 1;
  }
  if ((CAPITAL.test(letter) && SMALL.test(before)) || (SMALL.test(letter) && CAPITAL.test(after))) {
    return 1;
  }
  // Most words in lists are names and begin with a capital, so a small first letter is a small fault.
  return SMALL.test(letter) && LATIN.test(letter) && !LETTER.test(before) ? 0.5 : 0;
}

const SCRIPTS = [
  LATIN,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
];

function scriptsDiffer(letter: string, neighbor: string): boolean {
  const script = SCRIPTS.findIndex((pattern) => pattern.test(letter));
  const otherScript = SCRIPTS.findIndex((pattern) => pattern.test(neighbor));
  return script >= 0 && otherScript >= 0 && script !== otherScript;
}
