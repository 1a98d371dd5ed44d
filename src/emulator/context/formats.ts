import { ID_PREFIXES } from '../../wire/service-words.ts';

/** The kinds of objects that have ids. Each kind has its own prefix, such as `aud_`. */
export type IdKind = keyof typeof ID_PREFIXES;

/**
 * Turns row numbers of the store into ids, and back. Ids of one kind sort like their row numbers. Ids of another store
 * are unknown here.
 */
export interface Ids {
  make(kind: IdKind, seq: number): string;
  /** The row number of an id, even if there is no such row. Undefined for an id of another form or of another store. */
  parse(kind: IdKind, id: string): number | undefined;
}

/** Makes the ids of one store. `salt` is 8 hex digits that differ from store to store. */
export function createIds(salt: string): Ids {
  const makeId = (kind: IdKind, seq: number) => `${ID_PREFIXES[kind]}${seq.toString(36).padStart(10, '0')}${salt}`;
  return {
    make: makeId,
    parse(kind, id) {
      const seq = Number.parseInt(id.slice(ID_PREFIXES[kind].length, -salt.length), 36);
      return Number.isSafeInteger(seq) && makeId(kind, seq) === id ? seq : undefined;
    },
  };
}

/** Milliseconds since the epoch as `YYYY-MM-DDTHH:MM:SS.mmmZ`, the form of the service document. */
export function timestamp(ms: number): string {
  // A page of contacts often has the same time 100 times.
  if (ms !== last.ms) {
    last = { ms, text: new Date(ms).toISOString() };
  }
  return last.text;
}

let last = { ms: 0, text: new Date(0).toISOString() };

/** Like `timestamp`, but null for an empty column. */
export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}

const TIMESTAMP_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * Parses a timestamp in the form of the service document to milliseconds. Undefined for any other form, and for a date
 * that does not exist.
 */
export function parseTimestamp(text: string): number | undefined {
  const ms = TIMESTAMP_FORM.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) || timestamp(ms) !== text ? undefined : ms;
}
