import { hasPosition, type Positions } from '../../import/batch/positions.ts';
import type { ContactLedger, LedgerPerson } from '../../runs/contact-ledger.ts';
import { type LedgerIndex, PREFIX_BYTES } from '../../runs/ledger-index.ts';

interface NamedPeople {
  /** Undefined for a list that is new in the ledger. */
  readonly own: number | undefined;
  /** The entries whose people will be sent, or are unchanged. */
  readonly present: Positions;
  /** People whom the list names and does not send. */
  readonly named: Iterable<LedgerPerson>;
}

/** People whom a list names and another list sent last: the first bytes of their hashes, one after the other. */
export type JoinedPeople = Uint8Array;

/**
 * Finds people whom the list names and another list sent last. From now on both lists hold them, so no person is
 * missing as long as one of the two lists has the person (G7).
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

/** The hashes one by one. */
export function* prefixesOf(joined: JoinedPeople): Generator<Uint8Array> {
  for (let at = 0; at < joined.length; at += PREFIX_BYTES) {
    yield joined.subarray(at, at + PREFIX_BYTES);
  }
}
