import type { DatabaseSync } from 'node:sqlite';
import { eachRow } from '../base/os/sqlite.ts';

/** A ledger in memory, as it was when it was read: 17 bytes a person. */
export interface LedgerIndex {
  readonly size: number;
  /**
   * Records that the list holds this person. Returns true if the person's content is the one last accepted. Only a hash
   * collision (64 bits) makes it wrong.
   */
  isUnchanged(person: Uint8Array, content: Uint8Array): boolean;
  /** The first eight bytes of each person that the list did not hold. */
  unseen(): Generator<Buffer>;
}

/** The index of a ledger without people. */
export const EMPTY_INDEX: LedgerIndex = {
  size: 0,
  isUnchanged: () => false,
  unseen: function* () {
    // No person.
  },
};

const WORDS = 2;
const SEEN = 1;
const HAS_CONTENT = 2;

/** Reads the people of a ledger, in the order of their hashes. */
export function readIndex(db: DatabaseSync): LedgerIndex {
  const size = Number(db.prepare('SELECT count(*) AS n FROM people').get()?.n);
  const people = new Uint32Array(WORDS * size);
  const contents = new Uint32Array(WORDS * size);
  const flags = new Uint8Array(size);
  let at = 0;
  for (const row of eachRow(db, 'SELECT person, content FROM people ORDER BY person')) {
    putWords(people, at, row.person as Uint8Array);
    if (row.content !== null) {
      putWords(contents, at, row.content as Uint8Array);
      flags[at] = HAS_CONTENT;
    }
    at += 1;
  }
  return {
    size,
    isUnchanged(person, content) {
      const found = indexOf(people, size, person);
      if (found < 0) {
        return false;
      }
      const known = ((flags[found] as number) & HAS_CONTENT) !== 0;
      flags[found] = (flags[found] as number) | SEEN;
      return known && compareWords(contents, found, content) === 0;
    },
    *unseen() {
      for (let index = 0; index < size; index += 1) {
        if (((flags[index] as number) & SEEN) === 0) {
          const prefix = Buffer.alloc(WORDS * Uint32Array.BYTES_PER_ELEMENT);
          prefix.writeUInt32BE(people[WORDS * index] as number);
          prefix.writeUInt32BE(people[WORDS * index + 1] as number, Uint32Array.BYTES_PER_ELEMENT);
          yield prefix;
        }
      }
    },
  };
}

function putWords(words: Uint32Array, at: number, bytes: Uint8Array): void {
  words[WORDS * at] = wordAt(bytes, 0);
  words[WORDS * at + 1] = wordAt(bytes, Uint32Array.BYTES_PER_ELEMENT);
}

function wordAt(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

function indexOf(people: Uint32Array, size: number, person: Uint8Array): number {
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
  return -1;
}

/** The order of an entry and the first eight bytes: negative, 0 or positive. */
function compareWords(words: Uint32Array, at: number, bytes: Uint8Array): number {
  const first = (words[WORDS * at] as number) - wordAt(bytes, 0);
  return first === 0 ? (words[WORDS * at + 1] as number) - wordAt(bytes, Uint32Array.BYTES_PER_ELEMENT) : first;
}
