import { isUnsubscribed } from '../../../api/resources/contacts.ts';
import { addBit, type PositionSet } from '../../../base/lib/bit-set.ts';
import { sha256Hex } from '../../../base/lib/hash.ts';
import { plural } from '../../../base/lib/text.ts';
import type { ContactText } from '../../../import/batch/contact-text.ts';
import type { ContactLedger } from '../../../ledgers/contact-ledger.ts';
import type { OpenRun } from '../../../run-lifecycle/data/run-context.ts';
import { lookUpContact } from '../../compare/look-up.ts';
import { type LookedUpPerson, type LookUpContext, MAX_LOOK_UPS, type ResentPeople } from './deleted-people.ts';

/** People of a list whom an earlier list lacked: svc unsubscribed them then, or they had left on their own. */
export interface OptedOutBefore {
  /**
   * The address hashes of those whom svc unsubscribed, in hex. Has only people whom the audience still has, or who are
   * sent with --full. When the import ends, the ledger forgets that svc unsubscribed them.
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
  /** True if svc must send the person, because the row changed or because all people are sent. */
  readonly isSent: boolean;
  /** True if svc unsubscribed the person. False if the person had left on their own. */
  readonly wasUnsubscribed: boolean;
}

const MAX_EXAMPLES = 5;

/** Collects the people who are back in a list while it is read. Leaves out people whom the list itself opts out. */
export function collectOptedOut(ledger: Pick<ContactLedger, 'optedOut' | 'leftBefore'>) {
  const optedOut = ledger.optedOut();
  const left = new Set([...optedOut, ...ledger.leftBefore()]);
  const people: BackPerson[] = [];
  return {
    people: people as readonly BackPerson[],
    /** `person` is the address hash of the contact. */
    has(person: Buffer, { optsOut }: Pick<ContactText, 'optsOut'>): boolean {
      return left.size > 0 && !optsOut && left.has(person.toString('hex'));
    },
    add(person: Buffer, place: Pick<BackPerson, 'email' | 'position' | 'isSent'>): void {
      const hash = person.toString('hex');
      people.push({ hash, wasUnsubscribed: optedOut.has(hash), ...place });
    },
  };
}

/**
 * Looks up people who are back in the list, before they are sent. Adds those who are not in the audience any more to
 * `unchanged`: they were deleted after they left, and no run must sign them up again (C1). Adds the others to
 * `lookedUp`. People beyond the limit are not looked up, but added to `unchanged` too. Each run draws whom it looks up,
 * so that a later run looks up others. If a look-up fails, the run ends before it sends anything.
 */
export async function holdBackOptedOut(
  { account, target, signal, emit, journal }: LookUpContext & Pick<OpenRun, 'journal'>,
  people: readonly BackPerson[],
  { unchanged, lookedUp }: { readonly unchanged: PositionSet; readonly lookedUp: LookedUpPerson[] },
): Promise<{ readonly optedOutBefore?: OptedOutBefore; readonly optedOut?: ResentPeople }> {
  if (!account || target?.kind !== 'found' || people.length === 0) {
    return {};
  }
  const drawn = people.length > MAX_LOOK_UPS ? inDrawnOrder(people, journal.run) : people;
  const asked = drawn.slice(0, MAX_LOOK_UPS);
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
    if (contact && isUnsubscribed(contact) && person.wasUnsubscribed) {
      stay.push(email);
    }
    if (contact && isSent) {
      lookedUp.push({ email, lookedUp: email });
    } else if (isSent) {
      addBit(unchanged, position);
      deleted.push(email);
    }
  }
  const later = drawn.slice(MAX_LOOK_UPS).filter(({ isSent }) => isSent);
  later.forEach(({ position }) => addBit(unchanged, position));
  const changed = asked.filter(({ isSent }) => isSent).length;
  return {
    optedOutBefore: {
      hashes: there.filter(({ wasUnsubscribed }) => wasUnsubscribed).map(({ hash }) => hash),
      named: stay.length,
      examples: stay.slice(0, MAX_EXAMPLES),
      ...(later.length > 0 && { notLookedUp: later.length }),
    },
    ...(changed > 0 && {
      optedOut: { changed, deleted: deleted.length, examples: deleted.slice(0, MAX_EXAMPLES), lookedUp: true },
    }),
  };
}

// An order that differs from run to run, and is the same in a resume.
function inDrawnOrder(people: readonly BackPerson[], run: string): readonly BackPerson[] {
  const drawn = people.map((person) => ({ person, place: sha256Hex(`${run} ${person.hash}`) }));
  return drawn.toSorted((one, other) => (one.place < other.place ? -1 : 1)).map(({ person }) => person);
}

/** For a run with --full, which looks no person up and sends all. Names the people whom svc unsubscribed before. */
export function optedOutOfFullList(back: readonly BackPerson[]): { readonly optedOutBefore?: OptedOutBefore } {
  const people = back.filter(({ wasUnsubscribed }) => wasUnsubscribed);
  const examples = people.slice(0, MAX_EXAMPLES).map(({ email }) => email);
  return people.length === 0
    ? {}
    : { optedOutBefore: { hashes: people.map(({ hash }) => hash), named: people.length, examples } };
}
