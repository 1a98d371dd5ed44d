/**
 * Finds contacts by address. An index of the database would write to as many pages as a batch has
 * addresses, because lists are unordered. Tags are stored in the order of the contacts instead, and kept in memory.
 */
export interface AddressIndex {
  /**
   * Numbers of contacts that may have one of these addresses, in any audience. Some may be deleted or have another
   * address.
   */
  candidates(addresses: readonly string[]): number[];
  /** Stores the addresses of newly inserted contacts, in their order. `last` is the row number of the last contact. */
  note(addresses: readonly string[], last: number): void;
  /** Called at the end of a transaction. Entries that were read inside a failed one are dropped. */
  ended(committed: boolean): void;
}

/** How the index reads and writes the database. */
export interface TagRows {
  all<Row>(sql: string, ...values: number[]): Row[];
  run(sql: string, ...values: (number | Uint8Array)[]): unknown;
}

interface TagRow {
  readonly last: number;
  readonly tags: Uint8Array;
}

/** The index of a store, read at the first look-up. Each look-up reads what other processes have added since. */
export function createAddressIndex(rows: TagRows): AddressIndex {
  const table = createAddressTags();
  let known = 0;
  let durable = 0;
  const catchUp = () => {
    for (const { last, tags } of rows.all<TagRow>(NEWER, known)) {
      const written = fromBytes(tags);
      written.forEach((tag, index) => table.add(tag, last - written.length + 1 + index));
      known = last;
    }
  };
  return {
    candidates(addresses) {
      catchUp();
      const found: number[] = [];
      for (const address of addresses) {
        table.find(tagOf(address), found);
      }
      return found;
    },
    note(addresses, last) {
      rows.run('insert into contact_tags (last, tags) values (?, ?)', last, toBytes(addresses.map(tagOf)));
    },
    ended(committed) {
      durable = committed ? known : durable;
      known = durable;
    },
  };
}

const NEWER = 'select last, tags from contact_tags where last > ? order by last';

function toBytes(tags: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(tags).buffer);
}

// The bytes may start at any offset; a Uint32Array needs a multiple of four.
function fromBytes(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}

/** Numbers of rows by the tag of an address. A tag is only a hint: the caller compares the address itself. */
interface AddressTags {
  /** Adds a row, at most once. */
  add(tag: number, seq: number): void;
  /** Puts the numbers of all rows with this tag into `found`. */
  find(tag: number, found: number[]): void;
}

/**
 * A 32-bit tag of an address: FNV-1a over its UTF-16 units, mixed so that every bit counts. Stores hold it, so it must
 * never change.
 */
function tagOf(address: string): number {
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
function createAddressTags(): AddressTags {
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
