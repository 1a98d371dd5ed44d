import type { ContactItem, ListBatch } from '../../import/batch/cut-batches.ts';
import type { Contact } from '../../wire/shapes.ts';
import {
  type CanaryRecord,
  type KnownAudience,
  type OptedOut,
  type OptOutItem,
  type Proofs,
  statusBefore,
} from './canary-record.ts';

/** Adds proofs from people who were read back without a difference. A proof that the record has stays true. */
export function withProofs(record: CanaryRecord, proofs: Proofs): CanaryRecord {
  return {
    ...record,
    fieldsProven: record.fieldsProven || proofs.fieldsProven,
    signUpProven: record.signUpProven || proofs.signUpProven,
    keptStatuses: [...new Set([...(record.keptStatuses ?? []), ...proofs.keptStatuses])],
  };
}

/** True if svc has seen that people with this status keep it. Without a status nothing is known. */
export function isKept({ keptStatuses = [] }: Partial<Proofs>, status: string | undefined): boolean {
  return status !== undefined && keptStatuses.includes(status);
}

/**
 * True if the service signed a person up again who was not subscribed before. `pending` counts as signed up too,
 * because the service then asks a person who left to confirm. It does not count if the person was pending before, or if
 * svc does not know the status before.
 */
export function isSignedUp(item: ContactItem & Pick<OptOutItem, 'was' | 'pending'>, now: Contact | undefined): boolean {
  const before = statusBefore(item);
  return now?.status === 'subscribed' || (now?.status === 'pending' && before !== undefined && before !== 'pending');
}

/** Returns a function that is true for a contact that has no status, if its person is in `optedOut`. */
export function createOptedOutTest(optedOut: OptedOut): (item: ContactItem) => boolean {
  return ({ contact }) => contact.status === undefined && optedOut.has(contact.email);
}

/**
 * True if an opted-out person of the batch may be signed up, because svc has not seen yet what happens to people of
 * their status. Parses the batch only if the audience has such people, because parsing takes time.
 */
export function holdsPersonAtRisk(record: Partial<Proofs>, optedOut: OptedOut, batch: ListBatch): boolean {
  const isAtRisk = ({ status }: { readonly status?: string | undefined } = {}) => !isKept(record, status);
  return (
    optedOut.values().some(isAtRisk) &&
    batch.items.filter(createOptedOutTest(optedOut)).some(({ contact }) => isAtRisk(optedOut.get(contact.email)))
  );
}

/** For each status that is not proven yet: the people of a batch who had it. */
export function byUnprovenStatus(record: Partial<Proofs>, people: readonly OptOutItem[]): OptOutItem[][] {
  const groups = Map.groupBy(people, statusBefore);
  return [...groups].filter(([status]) => !isKept(record, status)).map(([, group]) => group);
}

/** The statuses of people whom svc did not read. Leaves out the statuses that svc has seen the service keep. */
export function hiddenStatuses(
  record: Partial<Proofs> = {},
  { othersOptedOut, othersUnconfirmed, unknownStatuses }: HiddenPeople,
): string[] {
  // The counts of the audience do not separate pending people, bounced people and people with an unknown status.
  const unconfirmed = othersUnconfirmed ? ['pending', 'bounced', ...unknownStatuses] : [];
  return [...(othersOptedOut ? ['unsubscribed'] : []), ...unconfirmed].filter((status) => !isKept(record, status));
}

type HiddenPeople = Pick<KnownAudience, 'othersOptedOut' | 'othersUnconfirmed' | 'unknownStatuses'>;
