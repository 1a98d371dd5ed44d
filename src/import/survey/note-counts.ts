import { NONE } from '../../platforms/lib/words.ts';
import type { ConsentColumn } from '../consent-columns/detect.ts';

/** The different cells of each column of notes, by index, up to a limit. */
export type NoteValues = ReadonlyMap<number, Set<string>>;

/** A column of notes, and the number of its different cells in which svc finds nothing about consent. */
export interface NoteCount {
  readonly at: number;
  readonly values: number;
}

/** The columns of a table that may hold notes. */
interface WithNotes {
  readonly consent: readonly ConsentColumn[];
}

const DISTINCT = 1_000;

/** No values yet. Tags are not notes: they have few values, which are shown elsewhere. */
export function createNoteValues({ consent }: WithNotes): NoteValues {
  return new Map(
    consent.flatMap(({ at, meaning, groups }) => (meaning === 'text' && !groups ? [[at, new Set()]] : [])),
  );
}

/** Adds the notes of a row. */
export function collectNotes(notes: NoteValues, cells: readonly string[]): void {
  for (const [at, values] of notes) {
    if (values.size < DISTINCT) {
      values.add(cells[at] ?? '');
    }
  }
}

/** The columns of notes in which svc finds nothing about consent. Only the user can decide about them. */
export function harmlessNotes(notes: NoteValues, { consent }: WithNotes): readonly NoteCount[] {
  return consent.flatMap(({ at, stateOf }) => {
    const values = [...(notes.get(at) ?? [])].filter((cell) => /\p{L}/u.test(cell) && stateOf(cell) === NONE).length;
    return values > 0 ? [{ at, values }] : [];
  });
}
