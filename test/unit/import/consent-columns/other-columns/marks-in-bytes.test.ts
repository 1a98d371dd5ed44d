import { expect, test } from 'vitest';
import { hasOptOutMark } from '../../../../../src/import/consent-columns/other-columns/name-marks.ts';
import { cellMarkBits, STATE_MARK, TRIM_MARK } from '../../../../../src/import/csv/row-types.ts';
import { createByteCutter } from '../../../../../src/import/rows/byte-cut.ts';
import { createStateMarker, ROLES } from '../../../../../src/import/rows/state-marks.ts';
import { everyNth } from '../../../../support/sweep.ts';

const UNUSABLE = /[\p{Cs}\p{Cn}\p{Co}\0\t\n\r"]/u;
const CHARACTERS = Array.from({ length: 0x1f200 }, (_, code) => String.fromCodePoint(code)).filter(
  (character) => !UNUSABLE.test(character),
);

/** The names with a mark whose bytes get no state mark. */
function missedNames(names: readonly string[]): string[] {
  const roles = Uint8Array.of(ROLES.UNUSED, ROLES.NAME);
  const cutBytes = createByteCutter(',', createStateMarker({ roles, groupsEnd: 0, seed: '0123456789abcdef' }));
  const { offsets, starts } = cutBytes(Buffer.from(names.map((name) => `1,"${name}"\n`).join('')));
  expect(starts.length).toBe(names.length + 1);
  const isMarked = (row: number) => (cellMarkBits(offsets, 2 * row + 1) & (STATE_MARK | TRIM_MARK)) !== 0;
  return names.filter((name, row) => !isMarked(row) && hasOptOutMark(name));
}

// The characters of most alphabets, and all punctuation. Each other character stands in one of the places.
const isFrequent = (character: string) => character < '\u3100' || character >= '\ufe00';
const FREQUENT = CHARACTERS.filter(isFrequent);
const OTHERS = CHARACTERS.filter((character) => !isFrequent(character));
const PLACES: readonly (readonly [where: string, write: (character: string) => string])[] = [
  ['alone', (character) => character],
  ['before a name', (character) => `${character} Anna`],
  ['after a name', (character) => `Anna ${character}`],
  ['as an opening bracket', (character) => `Anna ${character}nein)`],
  ['as a closing bracket', (character) => `Anna (nein${character}`],
  ['before a refusal', (character) => `Anna ${character} nein`],
  ['after a refusal', (character) => `Nein${character} Anna`],
  ['as a blank', (character) => `Anna${character}-${character}nein`],
];

test.each(PLACES.map((place, nth) => [...place, nth] as const))(
  'finds a mark in the bytes of a name when any character stands %s (C1)',
  (_, write, nth) => {
    expect(missedNames([...FREQUENT, ...everyNth(OTHERS, 8, nth)].map(write))).toEqual([]);
  },
);
