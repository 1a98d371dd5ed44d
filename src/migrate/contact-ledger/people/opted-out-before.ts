import { isUnsubscribed } from '../../../api/resources/contacts.ts';
import { addBit, type PositionSet } from '../../../base/lib/bit-set.ts';
import { plural } from '../../../base/lib/text.ts';
import type { ContactText } from '../../../import/batch/contact-text.ts';
import type { ContactLedger } from '../../../ledgers/contact-ledger.ts';
import { lookUpContact } from '../../compare/look-up.ts';
import type { LookedUpPerson, LookUpContext, ResentPeople } from './deleted-people.ts';

/** People of a list whom svc unsubscribed in an earlier run, because they were missing then. */
export interface OptedOutBefore {
  /**
   * The address hashes of the ledger, in hex. Has only people whom the audience still has, or who are sent with --full.
   * From then on the ledger knows them as people of the list.
   */
  readonly hashes: readonly string[];
  /** How many of them are still opted out. With --full, the number of all. Undefined in runs of an older svc. */
  readonly named?: number;
  /** The first few addresses of these people. */
  readonly examples: readonly string[];
  /** How many people are not sent, because they are too many to look up in one run. Undefined if there are none. */
  readonly notLookedUp?: number;
}

interface BackPerson {
  readonly hash: string;
  readonly email: string;
  readonly position: number;
  /** True if the list sends the person. */
  readonly isSent: boolean;
}

// One request for each person: at 600 requests a minute, this takes less than a minute.
const MAX_LOOK_UPS = 400;
const MAX_EXAMPLES = 5;

/** Collects these people while a list is read. Leaves out people whom the list itself opts out. */
export function collectOptedOut(ledger: Pick<ContactLedger, 'optedOut'>) {
  const optedOut = ledger.optedOut();
  const people: BackPerson[] = [];
  return {
    people: people as readonly BackPerson[],
    /** `person` is the address hash of the contact. */
    has(person: Buffer, { optsOut }: Pick<ContactText, 'optsOut'>): boolean {
      return optedOut.size > 0 && !optsOut && optedOut.has(person.toString('hex'));
    },
    add(person: Buffer, place: Omit<BackPerson, 'hash'>): void {
      people.push({ hash: person.toString('hex'), ...place });
    },
  };
}

/**
 * Looks up people who are back in the list, before they are sent. Adds those who are not in the audience any more to
 * `unchanged`: they were deleted after svc unsubscribed them, and no run must sign them up again (C1). Does the same
 * with people beyond the limit, so that a later run looks them up. If a look-up fails, the run ends before it sends
 * anything. Adds the others to `lookedUp`.
 */
export async function holdBackOptedOut(
  { account, target, signal, emit }: LookUpContext,
  people: readonly BackPerson[],
  { unchanged, lookedUp }: { readonly unchanged: PositionSet; readonly lookedUp: LookedUpPerson[] },
): Promise<{ readonly optedOutBefore?: OptedOutBefore; readonly optedOut?: ResentPeople }> {
  if (!account || target?.kind !== 'found' || people.length === 0) {
    return {};
  }
  const asked = people.slice(0, MAX_LOOK_UPS);
  emit({ type: 'note', message: `Looking up ${plural(asked.length, 'person', 'people')} who were missing before.` });
  const there: BackPerson[] = [];
  const stay: string[] = [];
  const deleted: string[] = [];
  for (const person of asked) {
    const { email, position, isSent } = person;
    const contact = await lookUpContact({ client: account.client, signal }, target.audience.id, { email });
    if (contact) {
      there.push(person);
    }
    if (contact && isUnsubscribed(contact)) {
      stay.push(email);
    }
    if (contact && isSent) {
      lookedUp.push({ email, lookedUp: email });
    } else if (isSent) {
      addBit(unchanged, position);
      deleted.push(email);
    }
  }
  const later = people.slice(MAX_LOOK_UPS).filter(({ isSent }) => isSent);
  later.forEach(({ position }) => addBit(unchanged, position));
  const changed = asked.filter(({ isSent }) => isSent).length;
  return {
    optedOutBefore: {
      hashes: there.map(({ hash }) => hash),
      named: stay.length,
      examples: stay.slice(0, MAX_EXAMPLES),
      ...(later.length > 0 && { notLookedUp: later.length }),
    },
    ...(changed > 0 && {
      optedOut: { changed, deleted: deleted.length, examples: deleted.slice(0, MAX_EXAMPLES), lookedUp: true },
    }),
  };
}

/** Names these people in a run with --full, which looks no person up and sends all of them. */
export function optedOutOfFullList(people: readonly BackPerson[]): { readonly optedOutBefore?: OptedOutBefore } {
  const examples = people.slice(0, MAX_EXAMPLES).map(({ email }) => email);
  return people.length === 0
    ? {}
    : { optedOutBefore: { hashes: people.map(({ hash }) => hash), named: people.length, examples } };
}
