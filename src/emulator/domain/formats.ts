import { ID_PREFIXES } from '../../wire/service-words.ts';
import { notFound } from '../http/envelope.ts';

/** The kinds of objects with ids; each has its own prefix. */
export type IdKind = keyof typeof ID_PREFIXES;

/**
 * Turns row numbers into opaque ids and back. Ids of one kind sort like their numbers. Ids of another store are
 * unknown.
 */
export interface Ids {
  make(kind: IdKind, seq: number): string;
  /** The row number, or undefined for an id that this store never gave out. */
  parse(kind: IdKind, id: string): number | undefined;
}

/** The row that an id names. Throws 404 for an unknown id, and if `find` has no such row for the caller. */
export function rowOf<Row>(ids: Ids, kind: IdKind, id: string, find: (seq: number) => Row | undefined): Row {
  const seq = ids.parse(kind, id);
  const row = seq === undefined ? undefined : find(seq);
  if (row === undefined) {
    throw notFound(kind === 'webhook' ? 'webhook endpoint' : kind);
  }
  return row;
}

/** The row number of an id. Throws RangeError for an id that this store never gave out. */
export function parseId(ids: Ids, kind: IdKind, id: string): number {
  const seq = ids.parse(kind, id);
  if (seq === undefined) {
    throw new RangeError(`no ${kind} ${id}`);
  }
  return seq;
}

/** Ids of the store with this salt (8 hex characters). */
export function createIds(salt: string): Ids {
  const make = (kind: IdKind, seq: number) => `${ID_PREFIXES[kind]}${seq.toString(36).padStart(10, '0')}${salt}`;
  return {
    make,
    parse(kind, id) {
      const seq = Number.parseInt(id.slice(ID_PREFIXES[kind].length, -salt.length), 36);
      return Number.isSafeInteger(seq) && make(kind, seq) === id ? seq : undefined;
    },
  };
}

/** A time of the store as the document writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time of the store as the document writes it, or null for an empty column. */
export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}

// A timestamp in the form of the document, with milliseconds.
const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Milliseconds of a timestamp in exactly the document's shape, or undefined; 30 February is no date. */
export function parseTimestamp(text: string): number | undefined {
  const ms = SHAPE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) || timestamp(ms) !== text ? undefined : ms;
}
