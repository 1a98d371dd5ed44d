import { personKey } from '../../wire/person-key.ts';
import { createHash64 } from './hash64.ts';

/**
 * A set of addresses that stores only a 64-bit hash of each, so that it is small. Two spellings of one domain are the
 * same entry (F8). `false` is certain; `true` can be a collision of hashes.
 */
export interface AddressHashSet {
  /** Adds a text. Returns true if the set had it before. */
  add(text: string): boolean;
  /** Like `add`, for an ASCII address in bytes. No `personKey` is needed, because it is the address itself. */
  addAscii(bytes: Uint8Array, start: number, end: number): boolean;
  has(text: string): boolean;
  /** Like `has`, for an ASCII text in bytes. */
  hasAscii(bytes: Uint8Array, start: number, end: number): boolean;
  readonly size: number;
}

/**
 * Makes an empty set. `seed` is the key of the hashes: 16 hex digits. The key is secret, because otherwise an attacker
 * could choose addresses with equal hashes. One hash of 64 bits is safer than two hashes of 32 bits with the same
 * function.
 */
export function createAddressHashSet(seed: string): AddressHashSet {
  const hash = createHash64(seed);
  const out = new Int32Array(2);
  const parts = Array.from({ length: PARTS }, (): Part => ({ table: new Int32Array(2 * FIRST_SLOTS), size: 0 }));
  let size = 0;

  const partOfHash = (): Part => parts[(out[1] as number) & (PARTS - 1)] as Part;
  const addHash = (): boolean => {
    const part = partOfHash();
    const wasThere = insert(part.table, out[0] as number, out[1] as number);
    if (!wasThere) {
      size++;
      part.size++;
    }
    if (part.size * 3 > part.table.length) {
      part.table = doubledPart(part.table);
    }
    return wasThere;
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

// The set has many parts, and each grows alone. A single table would need half as much memory again while it is copied.
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
  const position = slotOf(table, low, high);
  const isFound = isTaken(table, position);
  table[position] = low;
  table[position + 1] = high;
  return isFound;
}

function isTaken(table: Int32Array, position: number): boolean {
  return table[position] !== 0 || table[position + 1] !== 0;
}

function slotOf(table: Int32Array, low: number, high: number): number {
  const mask = table.length - 1;
  let position = (low << 1) & mask;
  while (isTaken(table, position) && (table[position] !== low || table[position + 1] !== high)) {
    position = (position + 2) & mask;
  }
  return position;
}
