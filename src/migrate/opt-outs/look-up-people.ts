import { hasKnownStatus } from '../../api/resources/contacts.ts';
import { runConcurrently } from '../../base/lib/concurrency.ts';
import type { ListBatch } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { BatchContact, Contact } from '../../wire/shapes.ts';
import { lookUpContact } from '../compare/look-up.ts';
import type { KnownAudience, OptedOut } from './canary-record.ts';
import type { ListToWrite } from './known-audience.ts';
import { hiddenStatuses } from './proofs.ts';

/** The list whose people svc looks up in the audience. */
type PeopleOfList = Pick<ListToWrite, 'audienceId' | 'batches'>;

/** Looks up all people of the list whose status svc does not know. Returns the audience with those who opted out. */
export async function lookUpAll(
  context: WriteContext,
  list: PeopleOfList,
  audience: KnownAudience,
): Promise<KnownAudience> {
  const optedOut = new Map(audience.optedOut);
  let isEachShown = true;
  for await (const { email, known } of lookUpEach(context, list, audience, 1)) {
    // The service may hide a person who opted out: a missing contact proves nothing.
    isEachShown &&= known !== undefined && hasKnownStatus(known);
    addOptedOut(optedOut, email, known);
  }
  const others = isEachShown ? { othersOptedOut: false, othersUnconfirmed: false } : {};
  return { ...audience, optedOut, ...others, mustLookUp: () => false };
}

/**
 * Looks up every `distance`-th person whose status in the audience svc does not know. Stops once it found one person of
 * each hidden status. One person of each status is enough, because the canary then shows what happens to the others.
 */
export async function lookUpSome(
  context: WriteContext,
  list: PeopleOfList,
  audience: KnownAudience,
  distance: number,
): Promise<KnownAudience> {
  const optedOut = new Map(audience.optedOut);
  const missing = new Set<string>(hiddenStatuses(undefined, audience));
  for await (const { email, known } of lookUpEach(context, list, audience, distance)) {
    addOptedOut(optedOut, email, known);
    if (missing.delete(known?.status ?? '') && missing.size === 0) {
      break;
    }
  }
  return { ...audience, optedOut };
}

// Adds a person who is not subscribed. An unknown status word counts too: it may mean that the person left (O6).
function addOptedOut(
  optedOut: Map<string, NonNullable<ReturnType<OptedOut['get']>>>,
  email: string,
  known: Contact | undefined,
): void {
  if (known && known.status !== 'subscribed') {
    optedOut.set(email, known);
  }
}

/** Looks people up, several at once. `known` is undefined if the service shows no contact, or no status (O6). */
function lookUpEach(
  context: WriteContext,
  { audienceId, batches }: PeopleOfList,
  audience: KnownAudience,
  distance: number,
): AsyncIterable<{ readonly email: string; readonly known: Contact | undefined }> {
  const people = peopleAtDistance(batches, audience, distance);
  return runConcurrently(people, context.options.concurrency, async (contact) => {
    const known = await lookUpContact(context, audienceId, contact);
    return { email: contact.email, known: typeof known?.status === 'string' ? known : undefined };
  });
}

async function* peopleAtDistance(
  batches: ListToWrite['batches'],
  audience: KnownAudience,
  distance: number,
): AsyncGenerator<BatchContact> {
  let position = 0;
  for await (const batch of batches.preview()) {
    for (const contact of peopleToLookUp(batch, audience)) {
      if (position++ % distance === 0) {
        yield contact;
      }
    }
  }
}

/**
 * The people of a batch to look up: the list gives them no status, and svc does not know their status in the audience.
 */
export function peopleToLookUp({ items }: ListBatch, { mustLookUp }: KnownAudience): BatchContact[] {
  return items.flatMap(({ contact }) => (contact.status === undefined && mustLookUp?.(contact.email) ? [contact] : []));
}
