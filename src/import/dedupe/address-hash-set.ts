import { personKey } from '../../wire/person-key.ts';
import { createHash64 } from '../rows/hash64.ts';

/**
 * A set of addresses that stores only a 64-bit hash of each, so that it is small. Two spellings of one domain are the
 * same entry (F8). If a look-up returns false, that is certain. If it returns true, the hash may be that of another
 * address.
 */
export interface AddressHashSet {
  /** Adds a text. Returns true if the set had it before. */
  add(text: string): boolean;
  /** Adds an address by the two words of its hash, which was made with the same seed. */
  addHash(low: number, high: number): void;
  /**
   * Like `addHash`, but the address waits until many are added at once. The processor then fetches many slots in the
   * time that one would take. Calls `onRepeat` for each address that the set had before.
   */
  addHashSoon(low: number, high: number): void;
  /** Adds the addresses that wait. */
  flush(): void;
  /** Makes room for this many addresses, so that the set need not grow step by step. */
  reserve(count: number): void;
  has(text: string): boolean;
  /** Like `has`, by the two words of the hash, which was made with the same seed. */
  hasHash(low: number, high: number): boolean;
  readonly size: number;
}

/**
 * Makes an empty set. `seed` is the key of the hashes: 16 hex digits. The key is secret, because otherwise an attacker
 * could choose addresses with equal hashes. One hash of 64 bits is safer than two hashes of 32 bits with the same
 * function. `onRepeat` gets the two words of the hash of a repeated address. Only `addHashSoon` leads to this call.
 */
export function createAddressHashSet(
  seed: string,
  onRepeat: (low: number, high: number) => void = () => {},
): AddressHashSet {
  const hash = createHash64(seed);
  const out = new Int32Array(2);
  const parts = Array.from({ length: PARTS }, (): Part => ({ table: new Int32Array(2 * FIRST_SLOTS), size: 0 }));
  let size = 0;

  const addHash = (low: number, high: number): boolean => {
    const part = parts[high & (PARTS - 1)] as Part;
    const wasThere = insert(part.table, low, high);
    if (!wasThere) {
      size++;
      part.size++;
    }
    if (2 * part.size > MAX_LOAD * part.table.length) {
      part.table = withSlots(part.table, part.table.length);
    }
    return wasThere;
  };

  const hasHash = (low: number, high: number): boolean => {
    flush();
    const { table } = parts[high & (PARTS - 1)] as Part;
    return isTaken(table, slotOf(table, low, high));
  };
  const waiting = new Int32Array(2 * MAX_WAITING);
  let waitingWords = 0;
  const flush = () => {
    const words = waitingWords;
    waitingWords = 0;
    for (let index = 0; index < words; index += 2) {
      const [low, high] = [waiting[index] as number, waiting[index + 1] as number];
      if (addHash(low, high)) {
        onRepeat(low, high);
      }
    }
  };

  return {
    get size() {
      flush();
      return size;
    },
    has(text) {
      flush();
      if (size === 0) {
        return false;
      }
      hash.text(personKey(text), out);
      return hasHash(out[0] as number, out[1] as number);
    },
    add(text) {
      flush();
      hash.text(personKey(text), out);
      return addHash(out[0] as number, out[1] as number);
    },
    addHashSoon(low, high) {
      waiting[waitingWords++] = low;
      waiting[waitingWords++] = high;
      if (waitingWords === waiting.length) {
        flush();
      }
    },
    reserve(count) {
      const slots = Math.ceil(count / PARTS / RESERVED_LOAD);
      for (const part of parts) {
        part.table = 2 * slots > part.table.length ? withSlots(part.table, slots) : part.table;
      }
    },
    addHash,
    hasHash,
    flush,
  };
}

/** How many addresses wait at most. */
const MAX_WAITING = 512;

// The set has many parts, and each grows alone. A single table would need half as much memory again while it is copied.
const PARTS = 64;
const FIRST_SLOTS = 16;

// The largest share of slots of a part that may be in use: before the part grows, and when room is reserved. Reserved
// parts stay emptier, because the number of addresses is only estimated.
const MAX_LOAD = 0.75;
const RESERVED_LOAD = 0.68;

interface Part {
  table: Int32Array;
  size: number;
}

// A table with this many slots, and with the hashes of the old one.
function withSlots(old: Int32Array, slots: number): Int32Array {
  const table = new Int32Array(2 * slots);
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

// Finds the slot of a hash. The search starts at the low word, scaled to the number of slots. A bit mask would need a
// power of two as the number of slots, and a table would then take up to twice as much memory as it needs.
function slotOf(table: Int32Array, low: number, high: number): number {
  let position = 2 * Math.floor((low >>> 0) * (table.length / 2 ** 33));
  while (isTaken(table, position) && (table[position] !== low || table[position + 1] !== high)) {
    position = position + 2 === table.length ? 0 : position + 2;
  }
  return position;
}
