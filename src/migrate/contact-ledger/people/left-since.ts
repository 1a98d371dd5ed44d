import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { formatNumber, terminalSafe } from '../../../base/lib/text.ts';
import type { Batches } from '../../../import/batch/batches.ts';
import type { ContactItem } from '../../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../../run-lifecycle/data/run-context.ts';
import { CANARY_NAME, hasSentRequests, READ_DIFFERENTLY_NOTE } from '../../../runs/find/run-status.ts';
import { lookUpContact } from '../../compare/look-up.ts';
import type { LedgerComparison } from '../compare-ledger.ts';
import type { LookedUpPerson } from './deleted-people.ts';

// Look-ups older than this are made again, because a person may leave while svc waits for the user.
const FRESH_MS = 60_000;
const MAX_EXAMPLES = 5;

/** The people of the plan whom svc looked up, and the batches of the plan. */
interface PlannedPeople {
  /** Undefined if svc looked no person up. */
  readonly lookUps: Pick<LedgerComparison, 'lookedUp' | 'lookedUpAt'> | undefined;
  readonly batches: Pick<Batches, 'preview'>;
  /** The people of the canary. */
  readonly probes: readonly Pick<ContactItem, 'contact'>[];
}

/**
 * Repeats the look-ups of the plan in a resume, and after a long question. Throws if one of these people left since,
 * and a batch without a response has this person: svc would sign the person up again (C1). The batches of a run keep
 * their people (G4), so svc can't take the person out. The same command makes a new plan, which leaves the person out.
 */
export async function refuseLeftSince(
  context: WriteContext,
  audienceId: string,
  { lookUps, batches, probes }: PlannedPeople,
): Promise<void> {
  const { journal, clock } = context;
  const { lookedUp = [], lookedUpAt } = lookUps ?? {};
  if (lookedUpAt !== undefined && clock.now() - lookedUpAt < FRESH_MS) {
    return;
  }
  const left: LookedUpPerson[] = [];
  for (const person of lookedUp) {
    const contact = await lookUpContact(context, audienceId, { email: person.lookedUp });
    const isThere = person.lookedUp === person.email ? contact !== undefined : contact?.status === 'subscribed';
    if (!isThere) {
      left.push(person);
    }
  }
  const unsent = await unsentPeople(context, left, { batches, probes });
  if (unsent.length === 0) {
    return;
  }
  if (hasSentRequests(journal)) {
    journal.writeNote(READ_DIFFERENTLY_NOTE, true);
  }
  const names = unsent.slice(0, MAX_EXAMPLES).map(({ lookedUp: email }) => terminalSafe(email));
  const more = unsent.length > MAX_EXAMPLES ? ` and ${formatNumber(unsent.length - MAX_EXAMPLES)} more` : '';
  const message = `nothing more was sent: people of this list left the audience since svc made the plan: ${names.join(', ')}${more}`;
  throw new SvcError(EXIT.stopped, 'left_since', message, {
    hint: 'Run the same command again. It makes a new plan, which does not sign them up again.',
  });
}

/** Returns the people whom a batch without a response would send. Such a batch sends its people of the canary again. */
async function unsentPeople(
  { journal }: Pick<WriteContext, 'journal'>,
  people: readonly LookedUpPerson[],
  { batches, probes }: Pick<PlannedPeople, 'batches' | 'probes'>,
): Promise<readonly LookedUpPerson[]> {
  if (people.length === 0) {
    return [];
  }
  const unsent = new Set<string>();
  // A batch sends its people of the canary again, unless it has no other people.
  const hasCanary = journal.requests.stateOf(CANARY_NAME).hasResponse;
  const answered = new Set(hasCanary ? probes.map(({ contact }) => contact.email) : []);
  for await (const { index, items } of batches.preview()) {
    const isSent = items.some(({ contact }) => !answered.has(contact.email));
    if (isSent && !journal.requests.stateOf(String(index)).hasResponse) {
      items.forEach(({ contact }) => unsent.add(contact.email));
    }
  }
  return people.filter(({ email }) => unsent.has(email));
}
