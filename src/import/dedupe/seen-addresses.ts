import { type AnyRow, cellEnd, cellStart, isByteRow } from '../csv/raw-rows.ts';
import type { ParsedRecord, PersonRecord } from '../record/parse-record.ts';
import { type AddressHashSet, createAddressHashSet } from './address-hash-set.ts';
import { hasAddress, mentionsOf } from './staging.ts';

/** The addresses of the rows that the first read has passed. */
export interface SeenAddresses {
  /** The addresses of all people with a row of their own. */
  readonly all: AddressHashSet;
  /** Addresses that occur more than once. The set can contain a few others, because two addresses can have one hash. */
  readonly repeated: AddressHashSet;
  /** The number of addresses that the service may trim or lower-case in another way than svc (F8). */
  readonly ambiguous: number;
  /** How many times a row had an address that an earlier row has or mentions. */
  readonly repeats: number;
  /** Adds the addresses of a row. `isOrdinary` is true if `createOrdinaryRowReader` made the record. */
  add(row: AnyRow, record: ParsedRecord, isOrdinary: boolean): void;
}

/** An empty collection. `seed` is the key of the hashes: 16 hex digits. */
export function createSeenAddresses(seed: string): SeenAddresses {
  const all = createAddressHashSet(seed);
  const repeated = createAddressHashSet(seed);
  /** Addresses that the row of another person mentions. */
  const mentioned = createAddressHashSet(seed);
  let ambiguous = 0;
  let repeats = 0;
  const addRepeat = (email: string) => {
    repeats++;
    repeated.add(email);
  };
  return {
    all,
    repeated,
    get ambiguous() {
      return ambiguous;
    },
    get repeats() {
      return repeats;
    },
    add(row, record, isOrdinary) {
      for (const { email } of mentionsOf(record)) {
        mentioned.add(email);
        if (all.has(email)) {
          addRepeat(email);
        }
      }
      if (!hasAddress(record)) {
        return;
      }
      ambiguous += record.ambiguousAddress ? 1 : 0;
      const isKnown = isOrdinary ? addOrdinary(all, row, record) : all.add(record.email);
      if (isKnown || mentioned.has(record.email)) {
        addRepeat(record.email);
      }
    },
  };
}

// Adds the address of an ordinary row. Hashing its bytes costs less than hashing its text.
function addOrdinary(all: AddressHashSet, row: AnyRow, { table, cells, email }: PersonRecord): boolean {
  const index = table.columnIndexes.email;
  if (!isByteRow(row) || email !== cells[index]) {
    return all.add(email);
  }
  const { bytes, offsets } = row.block;
  return all.addAscii(bytes, cellStart(offsets, row.first + index), cellEnd(offsets, row.first + index));
}
