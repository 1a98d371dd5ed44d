import { expect, test } from 'vitest';
import { encodedLists } from '../../../soak/encodings/lists.ts';
import { measure, type Outcome } from '../../../soak/encodings/measure.ts';

// Every fifth list of the longer test, `npm run encodings`. The counts are exact, so they also show an improvement.
const SAMPLE = encodedLists(1).filter((_, at) => at % 5 === 0);

test('reads lists in 36 languages in the right encoding, or asks (F10)', async () => {
  const counts = new Map<Outcome, number>();
  for (const list of SAMPLE) {
    const { outcome } = await measure(list);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  expect(Object.fromEntries(counts)).toEqual({ 'right with a warning': 148, asked: 15, 'wrong with a warning': 1 });
}, 60_000);
