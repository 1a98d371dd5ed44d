import { rankOf } from '../../platforms/lib/states.ts';
import { personKey } from '../../wire/person-key.ts';
import { type AnyRow, isByteRow } from '../csv/row-types.ts';
import type { FoundAddressColumn } from '../mapping/address-columns.ts';
import { mayBeOptOut } from '../mapping/state/default-status.ts';
import { effectiveReading, type ParsedRecord } from '../record/parse-record.ts';
import { asCorrected, namedAddresses } from '../record/row-addresses.ts';
import { summarizedAddress } from '../rows/row-summaries.ts';
import { type AddressHashSet, createAddressHashSet } from './address-hash-set.ts';

/** The addresses of the rows that the first read has passed. */
export interface SeenAddresses {
  /** The addresses of all people with a row of their own. */
  readonly all: AddressHashSet;
  /** Addresses that a row names beside its own, and that no row may sign up (C9). */
  readonly keptAway: AddressHashSet;
  /** Addresses that occur more than once. The set can contain a few others, because two addresses can have one hash. */
  readonly repeated: AddressHashSet;
  /** The number of addresses that the service may trim or lower-case in another way than svc (F8). */
  readonly ambiguous: number;
  /** A counter of repeats: an earlier row has the address of a row or mention, or mentions the address of a row. */
  readonly repeats: number;
  /** Makes room for the addresses of this many rows. Only the first call with a number counts. */
  expect(rows: number | undefined): void;
  /** Adds the addresses of a row. `isOrdinary` is true if `createOrdinaryRowReader` made the record. */
  add(row: AnyRow, record: ParsedRecord, isOrdinary: boolean): void;
}

/** An empty collection. `seed` is the key of the hashes: 16 hex digits. */
export function createSeenAddresses(seed: string): SeenAddresses {
  const repeated = createAddressHashSet(seed);
  const all = createAddressHashSet(seed, (low, high) => {
    repeats++;
    repeated.addHash(low, high);
  });
  /** Addresses that the row of another person mentions. */
  const mentioned = createAddressHashSet(seed);
  const keptAway = createAddressHashSet(seed);
  let ambiguous = 0;
  let repeats = 0;
  let isExpecting = false;
  const addRepeat = (email: string) => {
    repeats++;
    repeated.add(email);
  };
  return {
    all,
    keptAway,
    repeated,
    get ambiguous() {
      return ambiguous;
    },
    get repeats() {
      all.flush();
      return repeats;
    },
    expect(rows) {
      if (rows !== undefined && !isExpecting) {
        isExpecting = true;
        all.reserve(rows);
      }
    },
    add(row, record, isOrdinary) {
      for (const { email, column } of mentionsOf(record)) {
        mentioned.add(email);
        if (column?.isOfOtherPeople !== true) {
          keptAway.add(email);
        }
        if (all.has(email)) {
          addRepeat(email);
        }
      }
      if (!hasAddress(record)) {
        return;
      }
      ambiguous += record.ambiguousAddress ? 1 : 0;
      const waits = isOrdinary && addSoon(all, row);
      const isKnown = !waits && all.add(record.email);
      if (isKnown || mentioned.has(record.email)) {
        addRepeat(record.email);
      }
    },
  };
}

// Adds the address of an ordinary row by its hash. False if the row has no hash: while svc cuts rows, it hashes only
// canonical addresses in ASCII.
function addSoon(all: AddressHashSet, row: AnyRow): boolean {
  const hash = isByteRow(row) ? summarizedAddress(row) : undefined;
  if (hash) {
    all.addHashSoon(hash.low, hash.high);
  }
  return hash !== undefined;
}

export function hasAddress(record: ParsedRecord): record is ParsedRecord & { readonly email: string } {
  return record.email !== undefined;
}

/**
 * A person whom the row of another person mentions. `column` is set if the address may be wrong or belong to a third
 * person: svc corrected it, or its column has no header about addresses.
 */
export interface Mention {
  readonly email: string;
  readonly column?: FoundAddressColumn;
}

/**
 * The other people whom a row mentions, if its state is more restrictive than subscribed or has an unknown word, or if
 * the row has no state and stands in an opt-out list. No other row may sign these people up (C9). If two mentions name
 * the same person, the later one counts.
 */
export function mentionsOf({ table, cells, email, others, statusReading }: ParsedRecord): readonly Mention[] {
  // A row with too many cells was probably cut at a wrong place, so the last cells may name its person or another one.
  // So svc opts these people out, and never suppresses them.
  const beyond = cells.length > table.width ? asCorrected(cells.slice(table.width).flatMap(namedAddresses)) : [];
  if (others === undefined && beyond.length === 0) {
    return NO_MENTIONS;
  }
  const reading = effectiveReading(table, others?.statusReading ?? statusReading);
  const { state, unknown } = reading;
  if (unknown === undefined && rankOf(state) >= rankOf('subscribed') && !mayBeOptOut(table, reading)) {
    return NO_MENTIONS;
  }
  const keyOfPerson = email && personKey(email);
  const found = (others?.found ?? []).toSorted(
    (first, second) => Number(second.column.isOfOtherPeople) - Number(first.column.isOfOtherPeople),
  );
  const all: Mention[] = [...found, ...beyond, ...(others?.emails ?? []).map((other) => ({ email: other }))];
  return all.filter((mention) => personKey(mention.email) !== keyOfPerson);
}

const NO_MENTIONS: readonly Mention[] = [];
