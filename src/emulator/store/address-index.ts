/**
 * Finds contacts by address. With an SQLite index, each address would change one page, because lists are not sorted.
 * This index stores a tag of 32 bits for each address instead, in the order of insertion, and has all tags in memory.
 */
export interface AddressIndex {
  /**
   * The row numbers of contacts that may have one of these addresses, in any audience. Some of these contacts are
   * deleted, or have another address with the same tag.
   */
  candidates(addresses: readonly string[]): number[];
  /** Stores the tags of contacts that were just inserted, in their order. `last` is the row number of the last one. */
  addRows(addresses: readonly string[], last: number): void;
  /**
   * To be called at the end of a transaction. If the transaction failed, the entries that were read during it are
   * dropped.
   */
  onTransactionEnd(isCommitted: boolean): void;
}

/** How the index uses its table in the database. */
export interface AddressTagTable {
  all<Row>(sql: string, ...values: number[]): Row[];
  run(sql: string, ...values: (number | Uint8Array)[]): unknown;
}

interface TagRow {
  readonly last: number;
  readonly tags: Uint8Array;
}

/**
 * The index of a store. Each look-up first reads the tags that this or another process has added since the last one.
 */
export function createAddressIndex(rows: AddressTagTable): AddressIndex {
  const table = createAddressTags();
  let lastKnown = 0;
  let durable = 0;
  const catchUp = () => {
    for (const { last, tags } of rows.all<TagRow>(NEWER_TAGS, lastKnown)) {
      const written = fromBytes(tags);
      written.forEach((tag, index) => table.add(tag, last - written.length + 1 + index));
      lastKnown = last;
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
    addRows(addresses, last) {
      rows.run('insert into contact_tags (last, tags) values (?, ?)', last, toBytes(addresses.map(tagOf)));
    },
    onTransactionEnd(isCommitted) {
      durable = isCommitted ? lastKnown : durable;
      lastKnown = durable;
    },
  };
}

const NEWER_TAGS = 'select last, tags from contact_tags where last > ? order by last';

function toBytes(tags: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(tags).buffer);
}

// Turns the bytes into tags. Copies them first, because SQLite's bytes may start at any offset, and a Uint32Array must
// start at a multiple of four.
function fromBytes(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}

/** Row numbers by tag. Two addresses can have one tag, so the caller must compare the addresses too. */
interface AddressTags {
  /** Adds a row. Adding it again has no effect. */
  add(tag: number, seq: number): void;
  /** Appends the row numbers with this tag to `found`. */
  find(tag: number, found: number[]): void;
}

/**
 * Hashes an address to 32 bits: FNV-1a over its UTF-16 units, and a final mix. Existing stores have these tags, so the
 * function must never change.
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

const MIN_SLOTS = 1_024;

/** An empty hash table with open addressing, in two arrays. A row takes 16 to 32 bytes, however long the address is. */
function createAddressTags(): AddressTags {
  let slots = createSlots(MIN_SLOTS);
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
      for (let position = tag & mask; seqs[position] !== FREE; position = (position + 1) & mask) {
        if (tags[position] === tag) {
          found.push(seqs[position] as number);
        }
      }
    },
  };
}

/** Marks a free slot. No row has this number, because row numbers begin at 1. */
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
  let position = tag & mask;
  while (seqs[position] !== FREE) {
    if (seqs[position] === seq && tags[position] === tag) {
      return;
    }
    position = (position + 1) & mask;
  }
  tags[position] = tag;
  seqs[position] = seq;
  slots.used += 1;
}

function grow({ tags, seqs }: Slots): Slots {
  const larger = createSlots(2 * seqs.length);
  for (const [position, seq] of seqs.entries()) {
    if (seq !== FREE) {
      put(larger, tags[position] as number, seq);
    }
  }
  return larger;
}
