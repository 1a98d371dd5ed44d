import { expect, test } from 'vitest';
import { rankReadings } from '../../../../src/import/encoding/legacy/rank-encodings.ts';
import { encodedLists } from '../../../soak/encodings/lists.ts';
import { measure, type Outcome } from '../../../soak/encodings/measure.ts';

// Every fifth list of the longer test, `npm run encodings`. The counts are exact, so they also show an improvement.
const SAMPLE = encodedLists(1).filter((_, at) => at % 5 === 0);

test('reads or asks about lists in 36 languages, and misreads only one (F10)', async () => {
  const counts = new Map<Outcome, number>();
  for (const list of SAMPLE) {
    const { outcome } = await measure(list);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({ 'right with a warning': 148, asked: 15, 'wrong with a warning': 1 });
}, 60_000);

// Each word ends in a byte that is an accented letter in Western encodings, and another script in other encodings.
test('gives no score to an encoding that mixes two scripts in each word (F10)', async () => {
  const words = ['Cant\xf9', 'Citt\xe0', 'Perch\xe9', 'Lun\xec', 'Mar\xe8', 'Tortor\xf2'];
  const readings = await rankReadings(Buffer.from(words.join('\n'), 'latin1'));
  const mixed = ['Cyrillic', 'Greek', 'Hebrew'].map((script) => {
    const end = new RegExp(`[a-z]\\p{Script=${script}}$`, 'u');
    return readings.filter(({ text }) => text.split('\n').every((word) => end.test(word)));
  });
  expect(mixed.map(({ length }) => length > 0)).toEqual([true, true, true]);
  expect(mixed.flat().filter(({ score }) => score > 0)).toEqual([]);
  expect(readings[0]?.encoding).toBe('windows-1252');
});
