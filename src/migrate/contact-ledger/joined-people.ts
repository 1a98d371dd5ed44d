import { hasPosition, type Positions } from '../../import/batch/positions.ts';
import type { ContactLedger, LedgerPerson } from '../../runs/contact-ledger.ts';
import { type LedgerIndex, PREFIX_BYTES } from '../../runs/ledger-index.ts';

interface NamedPeople {
  /** The id of the list in the ledger. Undefined for a new list. */
  readonly own: number | undefined;
  /** The entries of the ledger whose people are contacts of the list. */
  readonly present: Positions;
  /** The other people whom the list names: all their rows are skipped or rejected. */
  readonly named: Iterable<LedgerPerson>;
}

/** People of a list whom another list sent last. They are stored as the first bytes of their hashes, one by one. */
export type JoinedPeople = Uint8Array;

/**
 * Finds the people of a list whom another list sent last. The ledger then records that they are in both lists. So they
 * are not missing as long as one of the two lists has them (G7).
 */
export function joinedPeople(
  ledger: ContactLedger,
  index: LedgerIndex,
  { own, present, named }: NamedPeople,
): JoinedPeople {
  const unsent = [...Iterator.from(named).filter(({ lists }) => lists[0] !== own)];
  const isJoined = (entry: number) => index.list(entry) !== own && hasPosition(present, entry);
  let size = unsent.length;
  for (let entry = 0; entry < index.size; entry += 1) {
    size += isJoined(entry) ? 1 : 0;
  }
  const joined = Buffer.alloc(size * PREFIX_BYTES);
  let end = 0;
  for (const { email } of unsent) {
    end += ledger.person(email).copy(joined, end, 0, PREFIX_BYTES);
  }
  for (let entry = 0; entry < index.size; entry += 1) {
    end += isJoined(entry) ? index.prefix(entry).copy(joined, end) : 0;
  }
  return joined;
}

/** Returns the beginnings of the hashes, one by one. */
export function* prefixesOf(joined: JoinedPeople): Generator<Uint8Array> {
  for (let at = 0; at < joined.length; at += PREFIX_BYTES) {
    yield joined.subarray(at, at + PREFIX_BYTES);
  }
}
