import { hasBit, type PositionSet } from '../../../base/lib/bit-set.ts';
import type { ContactLedger, LedgerPerson } from '../../../ledgers/contact-ledger.ts';
import { type LedgerIndex, PREFIX_BYTES } from '../../../ledgers/ledger-index.ts';

interface NamedPeople {
  /** The id of this list in the ledger. Undefined for a new list. */
  readonly own: number | undefined;
  /** The entries of people whom svc sends as contacts of the list, or leaves out as unchanged. */
  readonly present: PositionSet;
  /** People whom the list names in any cell, but whom svc does not send. */
  readonly named: Iterable<LedgerPerson>;
}

/**
 * The people of a list whom svc last sent with another list. The bytes hold the first bytes of each person's address
 * hash, without a separator.
 */
export type SharedPeopleHashes = Uint8Array;

/**
 * Finds the people of a list whom svc last sent with another list. The ledger records these people for both lists: a
 * person counts as missing only once both lists dropped the person (G7).
 */
export function findSharedPeople(
  ledger: ContactLedger,
  index: LedgerIndex,
  { own, present, named }: NamedPeople,
): SharedPeopleHashes {
  const unsent = [...Iterator.from(named).filter(({ lists }) => lists[0] !== own)];
  const isShared = (entry: number) => index.lastListOf(entry) !== own && hasBit(present, entry);
  let size = unsent.length;
  for (let entry = 0; entry < index.size; entry += 1) {
    size += isShared(entry) ? 1 : 0;
  }
  const shared = Buffer.alloc(size * PREFIX_BYTES);
  let end = 0;
  for (const { email } of unsent) {
    end += ledger.hashAddress(email).copy(shared, end, 0, PREFIX_BYTES);
  }
  for (let entry = 0; entry < index.size; entry += 1) {
    end += isShared(entry) ? index.hashPrefixOf(entry).copy(shared, end) : 0;
  }
  return shared;
}

/** Splits the bytes into the hash prefix of each person. */
export function* hashPrefixesOf(shared: SharedPeopleHashes): Generator<Uint8Array> {
  for (let position = 0; position < shared.length; position += PREFIX_BYTES) {
    yield shared.subarray(position, position + PREFIX_BYTES);
  }
}
