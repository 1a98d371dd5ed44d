/**
 * Finds contacts by address. In an SQLite index, each new address would change a page of its own, because lists are not
 * sorted. So this index stores a tag of 32 bits for each address, in the order of insertion. It has all tags in memory.
 */
export interface AddressIndex {
  /**
   * The row numbers of contacts that may have one of these addresses, in any audience. Some of these contacts are
   * deleted, or have another address with the same tag.
   */
  candidates(addresses: readonly string[]): number[];
  /**
   * Stores the tags of contacts that were just inserted into one audience, in the order of insertion. `last` is the row
   * number of the last contact.
   */
  addRows(addresses: readonly string[], series: { readonly audience: number; readonly last: number }): void;
  /**
   * To be called at the end of a transaction. If the transaction failed, the next use of the index reads the tags since
   * the last commit again.
   */
  onTransactionEnd(isCommitted: boolean): void;
}

/** What the index needs of the database: to read rows of its table, and to add them. */
export interface AddressTagTable {
  all<Row>(sql: string, ...values: number[]): Row[];
  run(sql: string, ...values: (number | Uint8Array)[]): unknown;
}

interface TagRow {
  readonly last: number;
  readonly tags: Uint8Array;
}

/**
 * The index of a store. Each use first reads the tags that another process has added since the last use. The tags of
 * this process are in memory already.
 */
export function createAddressIndex(rows: AddressTagTable): AddressIndex {
  const table = createAddressTags();
  let lastKnown = 0;
  let durable = 0;
  const addTags = (tags: Uint32Array, last: number) => {
    const before = last - tags.length;
    for (let index = 0; index < tags.length; index += 1) {
      table.add(tags[index] as number, before + index + 1);
    }
    lastKnown = last;
  };
  const catchUp = () => {
    for (const { last, tags } of rows.all<TagRow>(NEWER_TAGS, lastKnown)) {
      addTags(fromBytes(tags), last);
    }
  };
  return {
    candidates(addresses) {
      catchUp();
      const found: number[] = [];
      for (const tag of tagsOf(addresses)) {
        table.find(tag, found);
      }
      return found;
    },
    addRows(addresses, { audience, last }) {
      // Older rows of another process must be read first, because later only tags after `last` are read.
      catchUp();
      const tags = tagsOf(addresses);
      rows.run(ADD_SERIES, audience, last - tags.length + 1, last, new Uint8Array(tags.buffer));
      addTags(tags, last);
    },
    onTransactionEnd(isCommitted) {
      durable = isCommitted ? lastKnown : durable;
      lastKnown = durable;
    },
  };
}

const NEWER_TAGS = 'select last, tags from contact_series where last > ? order by last';
const ADD_SERIES = 'insert into contact_series (audience, first, last, tags) values (?, ?, ?, ?)';

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

/**
 * The tags of a whole batch. The caller looks them up in a second loop, so that the processor can wait for several
 * places in memory at the same time.
 */
function tagsOf(addresses: readonly string[]): Uint32Array {
  const tags = new Uint32Array(addresses.length);
  for (let index = 0; index < tags.length; index += 1) {
    tags[index] = tagOf(addresses[index] as string);
  }
  return tags;
}

const MIN_SLOTS = 1_024;

/** Marks a free slot. No row has this number, because row numbers begin at 1. */
const FREE = 0;

/**
 * An empty hash table with open addressing. The tag and the row number of a slot are side by side, so a look-up reads
 * one place in memory. A row takes 16 to 32 bytes, however long the address is.
 */
function createAddressTags(): AddressTags {
  let slots = createSlots(MIN_SLOTS);
  let used = 0;
  return {
    add(tag, seq) {
      if (4 * used >= slots.length) {
        slots = grow(slots);
      }
      used += put(slots, tag, seq) ? 1 : 0;
    },
    find(tag, found) {
      for (let at = firstSlot(slots, tag); slots[at + 1] !== FREE; at = nextSlot(slots, at)) {
        if (slots[at] === tag) {
          found.push(slots[at + 1] as number);
        }
      }
    },
  };
}

/** Pairs of a tag and a row number. The number of pairs is a power of two. */
type Slots = Uint32Array;

function createSlots(count: number): Slots {
  return new Uint32Array(2 * count);
}

function firstSlot(slots: Slots, tag: number): number {
  return (tag << 1) & (slots.length - 1);
}

function nextSlot(slots: Slots, at: number): number {
  return (at + 2) & (slots.length - 1);
}

/** Puts a row into the first free slot for its tag. Returns false if the row is there already. */
function put(slots: Slots, tag: number, seq: number): boolean {
  let at = firstSlot(slots, tag);
  while (slots[at + 1] !== FREE) {
    if (slots[at + 1] === seq && slots[at] === tag) {
      return false;
    }
    at = nextSlot(slots, at);
  }
  slots[at] = tag;
  slots[at + 1] = seq;
  return true;
}

function grow(slots: Slots): Slots {
  const larger = createSlots(slots.length);
  for (let at = 0; at < slots.length; at += 2) {
    if (slots[at + 1] !== FREE) {
      put(larger, slots[at] as number, slots[at + 1] as number);
    }
  }
  return larger;
}
