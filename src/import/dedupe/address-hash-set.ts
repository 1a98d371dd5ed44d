import { personKey } from '../../wire/person-key.ts';
import { createHash64 } from './hash64.ts';

/**
 * A set of 64-bit hashes of addresses: 8 bytes a slot, open addressing. Two spellings of one domain are one entry (F8).
 * A miss is certain; a hit may be a hash collision.
 */
export interface AddressHashSet {
  /** Adds the hash of a text. Returns true if the set held it before. */
  add(text: string): boolean;
  /** Adds the hash of an ASCII text, given as bytes. Such a text is its own person key. */
  addAscii(bytes: Uint8Array, start: number, end: number): boolean;
  has(text: string): boolean;
  /** `has` for an ASCII text, given as bytes. */
  hasAscii(bytes: Uint8Array, start: number, end: number): boolean;
  readonly size: number;
}

/**
 * A set keyed by `seed`: 16 hex digits. It uses hash64: two 32-bit hashes of one family give less than 64 bits, and an
 * attacker could choose collisions for a hash without a key.
 */
export function createAddressHashSet(seed: string): AddressHashSet {
  const hash = createHash64(seed);
  const out = new Int32Array(2);
  const parts = Array.from({ length: PARTS }, (): Part => ({ table: new Int32Array(2 * FIRST_SLOTS), size: 0 }));
  let size = 0;

  const partOfHash = (): Part => parts[(out[1] as number) & (PARTS - 1)] as Part;
  const addHash = (): boolean => {
    const part = partOfHash();
    const found = insert(part.table, out[0] as number, out[1] as number);
    if (!found) {
      size++;
      part.size++;
    }
    if (part.size * 3 > part.table.length) {
      part.table = doubledPart(part.table);
    }
    return found;
  };

  const hasHash = (): boolean => {
    const { table } = partOfHash();
    return isTaken(table, slotOf(table, out[0] as number, out[1] as number));
  };

  return {
    get size() {
      return size;
    },
    has(text) {
      if (size === 0) {
        return false;
      }
      hash.text(personKey(text), out);
      return hasHash();
    },
    hasAscii(bytes, start, end) {
      hash.ascii(bytes, start, end, out);
      return hasHash();
    },
    add(text) {
      hash.text(personKey(text), out);
      return addHash();
    },
    addAscii(bytes, start, end) {
      hash.ascii(bytes, start, end, out);
      return addHash();
    },
  };
}

// The parts grow one after the other. A single table would need half as much memory again while it is copied.
const PARTS = 64;
const FIRST_SLOTS = 16;

interface Part {
  table: Int32Array;
  size: number;
}

function doubledPart(old: Int32Array): Int32Array {
  const table = new Int32Array(old.length * 2);
  for (let i = 0; i < old.length; i += 2) {
    if (isTaken(old, i)) {
      insert(table, old[i] as number, old[i + 1] as number);
    }
  }
  return table;
}

function insert(table: Int32Array, low: number, high: number): boolean {
  const at = slotOf(table, low, high);
  const found = isTaken(table, at);
  table[at] = low;
  table[at + 1] = high;
  return found;
}

function isTaken(table: Int32Array, at: number): boolean {
  return table[at] !== 0 || table[at + 1] !== 0;
}

function slotOf(table: Int32Array, low: number, high: number): number {
  const mask = table.length - 1;
  let at = (low << 1) & mask;
  while (isTaken(table, at) && (table[at] !== low || table[at + 1] !== high)) {
    at = (at + 2) & mask;
  }
  return at;
}
