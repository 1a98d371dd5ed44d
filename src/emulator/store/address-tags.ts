/** Numbers of rows by the tag of an address. A tag is only a hint: the caller compares the address itself. */
export interface AddressTags {
  /** Adds a row, at most once. */
  add(tag: number, seq: number): void;
  /** Puts the numbers of all rows with this tag into `found`. */
  find(tag: number, found: number[]): void;
}

/**
 * A 32-bit tag of an address: FNV-1a over its UTF-16 units, mixed so that every bit counts. Stores hold it, so it must
 * never change.
 */
export function tagOf(address: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < address.length; index += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const SMALLEST = 1_024;

/** An empty table: open addressing over two arrays, 16 to 32 bytes a row for addresses of any length. */
export function createAddressTags(): AddressTags {
  let slots = createSlots(SMALLEST);
  return {
    add(tag, seq) {
      if (2 * slots.used >= slots.seqs.length) {
        slots = grow(slots);
      }
      put(slots, tag, seq);
    },
    find(tag, found) {
      const { tags, seqs } = slots;
      const mask = seqs.length - 1;
      for (let at = tag & mask; seqs[at] !== FREE; at = (at + 1) & mask) {
        if (tags[at] === tag) {
          found.push(seqs[at] as number);
        }
      }
    },
  };
}

/** Rows are numbered from 1. */
const FREE = 0;

interface Slots {
  readonly tags: Uint32Array;
  readonly seqs: Uint32Array;
  used: number;
}

function createSlots(size: number): Slots {
  return { tags: new Uint32Array(size), seqs: new Uint32Array(size), used: 0 };
}

function put(slots: Slots, tag: number, seq: number): void {
  const { tags, seqs } = slots;
  const mask = seqs.length - 1;
  let at = tag & mask;
  while (seqs[at] !== FREE) {
    if (seqs[at] === seq && tags[at] === tag) {
      return;
    }
    at = (at + 1) & mask;
  }
  tags[at] = tag;
  seqs[at] = seq;
  slots.used += 1;
}

function grow({ tags, seqs }: Slots): Slots {
  const larger = createSlots(2 * seqs.length);
  for (const [at, seq] of seqs.entries()) {
    if (seq !== FREE) {
      put(larger, tags[at] as number, seq);
    }
  }
  return larger;
}
