import { ID_PREFIXES } from '../../wire/words.ts';

/** The kinds of things that have ids; each has a prefix of its own. */
export type IdKind = keyof typeof ID_PREFIXES;

/** Turns row numbers into opaque ids and back. Ids of one kind sort like their numbers; ids of another store are unknown. */
export interface Ids {
  make(kind: IdKind, seq: number): string;
  /** The row number, or undefined for anything this store never gave out. */
  parse(kind: IdKind, id: string): number | undefined;
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
