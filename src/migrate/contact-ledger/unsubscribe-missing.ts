import { Readable } from 'node:stream';
import { isUnsubscribed, refuseOtherPerson } from '../../api/resources/contacts.ts';
import { plural } from '../../base/lib/text.ts';
import { cutBatches } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { MissingPeople } from '../../runs/people/missing-people.ts';
import { LIMITS } from '../../wire/limits.ts';
import { lookUpAllContacts } from '../compare/look-up.ts';
import { optOutWithoutRow, sendOptOutsWithoutRow } from '../write/opt-out-without-row.ts';

/**
 * Unsubscribes the missing people. Looks each person up first, for two reasons: a deleted person must not be created
 * again, and an opted-out person keeps the opt-out date. People whom the service refuses stay missing, so the next
 * import tries again.
 */
export async function unsubscribeMissing(
  context: WriteContext,
  audienceId: string,
  missing: MissingPeople,
): Promise<void> {
  const { journal } = context;
  const to = { context, audienceId, missing };
  // The people of an earlier process that was killed before it recorded their results. They are sent again first.
  const sending = journal.readNote(SENDING_OPT_OUTS_NOTE) as readonly MissingOptOut[] | undefined;
  if (sending) {
    await sendOptOuts(to, sending);
  }
  const people = [...missing.all()].filter(({ outcome }) => outcome === 'reported').map(({ email }) => email);
  context.emit({
    type: 'note',
    message: `Looking up ${plural(people.length, 'person', 'people')} missing in the list.`,
  });
  for await (const optOuts of inGroups(optOutsOfPeople(to, people))) {
    journal.writeNote(SENDING_OPT_OUTS_NOTE, optOuts);
    await sendOptOuts(to, optOuts);
  }
}

const SENDING_OPT_OUTS_NOTE = 'gone_sending';

/**
 * A contact to unsubscribe. `person` is the address in the ledger. `email` is the address in the audience, which may
 * have another spelling.
 */
interface MissingOptOut {
  readonly person: string;
  readonly email: string;
}

interface Destination {
  readonly context: WriteContext;
  readonly audienceId: string;
  readonly missing: MissingPeople;
}

/**
 * Unsubscribes all contacts of some people, and then records the outcome for each person. It records no outcome
 * earlier, because a resume would then skip this person.
 */
async function sendOptOuts(
  { context, audienceId, missing }: Destination,
  optOuts: readonly MissingOptOut[],
): Promise<void> {
  // People for whom the service refused at least one opt-out.
  const refused = new Set<string>();
  const unsubscribed = new Set<string>();
  const contacts = Readable.from(optOuts.map(({ email }, index) => optOutWithoutRow(email, index + 1)));
  for await (const { items, body } of cutBatches(contacts)) {
    const sent = await sendOptOutsWithoutRow(context, audienceId, { kind: 'gone', items, body });
    for (const item of items) {
      const { person } = optOuts[item.line - 1] as MissingOptOut;
      if (sent.open.has(item)) {
        refused.add(person);
      }
      if (!sent.suppressed.has(item)) {
        unsubscribed.add(person);
      }
    }
  }
  const people = [...new Set(optOuts.map(({ person }) => person))];
  for (const person of people) {
    const outcome = unsubscribed.has(person) ? 'unsubscribed' : 'left_before';
    missing.setOutcome([person], refused.has(person) ? 'reported' : outcome);
  }
  context.ledger?.addOptedOut(people.filter((person) => !refused.has(person)));
  context.journal.writeNote(SENDING_OPT_OUTS_NOTE, undefined);
}

/** Collects opt-outs into groups of the size of one request. Look-alikes still get a request of their own (F8). */
async function* inGroups(people: AsyncIterable<readonly MissingOptOut[]>): AsyncGenerator<readonly MissingOptOut[]> {
  let group: readonly MissingOptOut[] = [];
  for await (const optOuts of people) {
    if (group.length + optOuts.length > LIMITS.batchItems) {
      yield group;
      group = [];
    }
    group = [...group, ...optOuts];
  }
  if (group.length > 0) {
    yield group;
  }
}

/** Looks people up. Yields for each person the opt-outs of all contacts that may still get mail, if there are any. */
async function* optOutsOfPeople(
  { context, audienceId, missing }: Destination,
  people: readonly string[],
): AsyncGenerator<readonly MissingOptOut[]> {
  for (const person of people) {
    const found = await lookUpAllContacts(context, audienceId, { email: person });
    found.forEach((contact) => refuseOtherPerson(person, contact));
    // A missing or unknown status does not prove an opt-out, so such a contact is unsubscribed too.
    const mailed = found.filter((contact) => !isUnsubscribed(contact));
    if (mailed.length === 0) {
      const hasLeft = found.length > 0 || wasNotFoundBefore(context, person);
      missing.setOutcome([person], hasLeft ? 'left_before' : 'not_found');
      continue;
    }
    // The audience may have several contacts of the person, one for each spelling of the address (F8).
    yield mailed.map(({ email }) => ({ person, email }));
  }
}

const HOUR_MS = 3_600_000;

/**
 * True if an earlier run looked the person up too, and found no contact. One such response may be false, and the person
 * would then stay subscribed for ever. So svc believes only two of them, at least an hour apart (G6).
 */
function wasNotFoundBefore({ ledger, clock }: Pick<WriteContext, 'ledger' | 'clock'>, email: string): boolean {
  const since = ledger?.find(ledger.hashAddress(email))?.notFoundSince;
  return since !== undefined && clock.now() - since >= HOUR_MS;
}
