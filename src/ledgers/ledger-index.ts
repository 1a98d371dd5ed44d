import type { DatabaseSync } from 'node:sqlite';
import { eachRow } from '../base/os/sqlite.ts';
import { UNPROVEN } from './accepted-content.ts';

/**
 * Whether the service accepted a person.
 * - `known`: yes, and the ledger has what it accepted.
 * - `without content`: yes, but the ledger forgot what (G2, G8).
 * - `unproven`: yes, but in a run that found differences, so the service may not have written the person (G8).
 * - `none`: the ledger knows of no acceptance. A request for the person may have an unknown outcome.
 */
type Acceptance = 'known' | 'without content' | 'unproven' | 'none';

/**
 * A contact ledger in memory, because svc looks up each person of a list. It takes 21 bytes a person. Entries are
 * numbered from 0.
 */
export interface LedgerIndex {
  readonly size: number;
  /** The entry of the person with this address hash. Undefined if the ledger has none. */
  find(person: Uint8Array): number | undefined;
  /**
   * True if the service last accepted this content of the person. `content` is its hash; the first 64 bits are
   * compared.
   */
  hasContent(entry: number, content: Uint8Array): boolean;
  /** Whether the service accepted the person of an entry, as far as the ledger knows. */
  acceptanceOf(entry: number): Acceptance;
  /**
   * True if the service last accepted the person of an entry as subscribed. Also true if the service accepted the
   * person, and the ledger of an older svc does not record the status.
   */
  isSubscribed(entry: number): boolean;
  /** True if the service last accepted the person of an entry as opted out. */
  isOptedOut(entry: number): boolean;
  /** The list with which svc last sent the person of an entry. */
  lastListOf(entry: number): number;
  /** The first eight bytes of the address hash of an entry. */
  hashPrefixOf(entry: number): Buffer;
}

const WORDS = 2;
const ACCEPTED = 1;
const SUBSCRIBED = 2;
const OPTED_OUT = 4;
const WITHOUT_CONTENT = 8;
const UNPROVEN_FLAG = 16;
/** The length of a hash prefix, in bytes. */
export const PREFIX_BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** Reads a contact ledger into memory. Its entries are sorted by address hash. */
export function readLedgerIndex(db: DatabaseSync): LedgerIndex {
  const size = Number(db.prepare('SELECT count(*) AS n FROM people').get()?.n);
  const people = new Uint32Array(WORDS * size);
  const contents = new Uint32Array(WORDS * size);
  const flags = new Uint8Array(size);
  const lists = new Uint32Array(size);
  let position = 0;
  for (const row of eachRow(db, 'SELECT person, content, list, opts_out, first_run FROM people ORDER BY person')) {
    putWords(people, position, row.person as Uint8Array);
    lists[position] = Number(row.list);
    if (row.content !== null) {
      putWords(contents, position, row.content as Uint8Array);
      flags[position] = ACCEPTED;
    } else if (row.first_run !== null) {
      flags[position] = row.first_run === UNPROVEN ? UNPROVEN_FLAG : WITHOUT_CONTENT;
    }
    if (row.opts_out === 1) {
      flags[position] = (flags[position] as number) | OPTED_OUT;
    } else if (row.opts_out === null ? row.content !== null : row.opts_out === 0) {
      flags[position] = (flags[position] as number) | SUBSCRIBED;
    }
    position += 1;
  }
  const has = (entry: number, flag: number) => ((flags[entry] as number) & flag) !== 0;
  return {
    size,
    find: (person) => indexOf(people, size, person),
    hasContent: (entry, content) => has(entry, ACCEPTED) && compareWords(contents, entry, content) === 0,
    acceptanceOf(entry) {
      if (has(entry, ACCEPTED)) {
        return 'known';
      }
      return has(entry, WITHOUT_CONTENT) ? 'without content' : has(entry, UNPROVEN_FLAG) ? 'unproven' : 'none';
    },
    isSubscribed: (entry) => has(entry, SUBSCRIBED),
    isOptedOut: (entry) => has(entry, OPTED_OUT),
    lastListOf: (entry) => lists[entry] as number,
    hashPrefixOf(entry) {
      const prefix = Buffer.alloc(PREFIX_BYTES);
      prefix.writeUInt32BE(people[WORDS * entry] as number);
      prefix.writeUInt32BE(people[WORDS * entry + 1] as number, Uint32Array.BYTES_PER_ELEMENT);
      return prefix;
    },
  };
}

function putWords(words: Uint32Array, position: number, bytes: Uint8Array): void {
  words[WORDS * position] = wordAt(bytes, 0);
  words[WORDS * position + 1] = wordAt(bytes, Uint32Array.BYTES_PER_ELEMENT);
}

function wordAt(bytes: Uint8Array, position: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[position], bytes[position + 1], bytes[position + 2], bytes[position + 3]];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

function indexOf(people: Uint32Array, size: number, person: Uint8Array): number | undefined {
  let low = 0;
  let high = size - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compareWords(people, middle, person);
    if (order === 0) {
      return middle;
    }
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return undefined;
}

/**
 * Compares the eight bytes of an entry with the first eight bytes of a hash. Returns a number below, equal to or above
 * 0, like a sort function.
 */
function compareWords(words: Uint32Array, position: number, bytes: Uint8Array): number {
  const first = (words[WORDS * position] as number) - wordAt(bytes, 0);
  return first === 0 ? (words[WORDS * position + 1] as number) - wordAt(bytes, Uint32Array.BYTES_PER_ELEMENT) : first;
}
