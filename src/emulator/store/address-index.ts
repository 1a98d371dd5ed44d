import { createAddressTags, tagOf } from './address-tags.ts';

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
