import { memoize } from '../../../base/lib/memoize.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import type { CellReading } from '../headers/header-reading.ts';
import { optOutReader } from '../other-columns/read-words.ts';
import { readCell } from '../read-cell.ts';
import { keepsMailAway } from '../several-columns/combine-readings.ts';

/**
 * True for a text that would make svc ask or keep mail away if it stood in a note or beside a name. Such a text may
 * mean that a person left, whatever its column is about.
 */
export const maySayThatPersonLeft = memoize((text: string): boolean => {
  const readings = [readCell(text, NOTE), ...READERS.map((read) => read(text))];
  return readings.some((reading) => reading !== NONE && (reading.unknown !== undefined || keepsMailAway(reading)));
});

const NOTE: CellReading = {
  meaning: 'text',
  asksAboutUnknown: false,
  filledMeansHappened: false,
  mayMeanSubscribed: false,
};
const READERS = [optOutReader('name'), optOutReader('other')];
