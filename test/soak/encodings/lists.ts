import iconv from 'iconv-lite';
import { LANGUAGES, type Language } from './languages.ts';

/** A list in a legacy encoding, and its text. */
export interface EncodedList {
  readonly title: string;
  readonly language: string;
  readonly encoding: string;
  readonly text: string;
  readonly bytes: Buffer;
}

/** The number of rows. `every`: one in this number of rows has letters beyond ASCII. */
interface Size {
  readonly rows: number;
  readonly every: number;
}

const SIZES: readonly Size[] = [
  { rows: 3, every: 3 },
  { rows: 3, every: 1 },
  { rows: 20, every: 5 },
  { rows: 20, every: 1 },
  { rows: 200, every: 10 },
  { rows: 200, every: 1 },
];

/** Every language in every encoding that can write it, in six sizes. The same seed makes the same lists. */
export function encodedLists(seed: number): EncodedList[] {
  return LANGUAGES.flatMap((language, at) =>
    language.encodings.flatMap((encoding, turn) =>
      SIZES.map((size, index) =>
        listOf(language, encoding, { ...size, random: createRandom(seed, at, turn * 8 + index) }),
      ),
    ),
  ).filter((list) => list !== undefined);
}

interface ListParts extends Size {
  readonly random: (below: number) => number;
}

function listOf(language: Language, encoding: string, making: ListParts): EncodedList | undefined {
  const { rows, every, random } = making;
  const pick = (words: readonly string[]) => {
    const known = writable(words, encoding);
    return known[random(known.length)] ?? '';
  };
  const lines = Array.from({ length: rows }, (_, row) => {
    const own = row % every === 0;
    const first = own ? pick(language.first) : (ENGLISH[random(ENGLISH.length)] ?? '');
    const last = own ? pick(language.last) : (ENGLISH[random(ENGLISH.length)] ?? '');
    const city = own && random(3) > 0 ? pick(language.places) : (TOWNS[random(TOWNS.length)] ?? '');
    return `person${row}@example.com,${first},${last},${city}`;
  });
  const text = `Email,First name,Last name,City\r\n${lines.join('\r\n')}\r\n`;
  const bytes = iconv.encode(text, encoding);
  const foreign = /[^\0-\x7f]/.test(text);
  const title = `${language.name} in ${encoding}, ${rows} rows, every ${every}`;
  return foreign ? { title, language: language.name, encoding, text, bytes } : undefined;
}

/** The words that an encoding can write, in the form in which it writes them. */
function writable(words: readonly string[], encoding: string): readonly string[] {
  return words
    .map((word) => inForm(word, encoding))
    .filter((word) => iconv.decode(iconv.encode(word, encoding), encoding) === word);
}

// windows-1258 writes the tone of a Vietnamese vowel as a separate character.
function inForm(word: string, encoding: string): string {
  return encoding === 'windows-1258'
    ? word.normalize('NFD').replace(/[aeiouyd][\u0302\u0306\u031b]/gi, (pair) => pair.normalize('NFC'))
    : word;
}

const ENGLISH =
  'Anna Peter Maria Martin Daniel Laura Smith Jones Brown Taylor Walker Young Carter Nora Emma Oscar'.split(' ');
const TOWNS = 'London Boston Oxford Leeds York Bristol Denver Austin Dallas Toronto'.split(' ');

// A linear congruential generator: small, and the same everywhere.
function createRandom(...seeds: readonly number[]): (below: number) => number {
  let state = seeds.reduce((sum, seed) => Math.imul(sum ^ seed, 0x9e3779b1) + 0x7f4a7c15, 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
