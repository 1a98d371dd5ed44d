import { isUnsubscribed, refuseOtherPerson } from '../../api/resources/contacts.ts';
import { plural } from '../../base/lib/text.ts';
import { type ContactItem, contactBody, cutBatches } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { MissingPeople } from '../../runs/people/missing-people.ts';
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
  // People for whom the service refused at least one opt-out. A person can have several contacts, even in different
  // batches.
  const refused = new Set<string>();
  // Contacts of an earlier process that was killed before it recorded their results. They are sent again first.
  const sending = journal.readNote(SENDING_OPT_OUTS_NOTE) as readonly MissingOptOut[] | undefined;
  await sendOptOuts({ context, audienceId, missing, refused }, sending ?? []);
  const people = [...missing.all()].filter(({ outcome }) => outcome === 'reported').map(({ email }) => email);
  context.emit({
    type: 'note',
    message: `Looking up ${plural(people.length, 'person', 'people')} missing in the list.`,
  });
  for await (const { items } of cutBatches(optOutsOfSubscribed(context, audienceId, people, missing))) {
    const optOuts = items.map(({ line, contact }) => ({ person: people[line - 1] as string, email: contact.email }));
    journal.writeNote(SENDING_OPT_OUTS_NOTE, optOuts);
    await sendOptOuts({ context, audienceId, missing, refused }, optOuts);
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

interface MissingOptOuts {
  readonly context: WriteContext;
  readonly audienceId: string;
  readonly missing: MissingPeople;
  readonly refused: Set<string>;
}

/** Unsubscribes contacts in one request, and records the outcome for each person. */
async function sendOptOuts(
  { context, audienceId, missing, refused }: MissingOptOuts,
  optOuts: readonly MissingOptOut[],
): Promise<void> {
  if (optOuts.length === 0) {
    return;
  }
  const items = optOuts.map(({ email }, index) => optOutWithoutRow(email, index + 1));
  const sent = await sendOptOutsWithoutRow(context, audienceId, { kind: 'gone', items, body: contactBody(items) });
  const personOf = ({ line }: ContactItem) => (optOuts[line - 1] as MissingOptOut).person;
  sent.open.forEach((item) => refused.add(personOf(item)));
  for (const item of items) {
    const outcome = sent.suppressed.has(item) ? 'left_before' : 'unsubscribed';
    missing.setOutcome([personOf(item)], refused.has(personOf(item)) ? 'reported' : outcome);
  }
  const optedOut = optOuts.filter(({ person }) => !refused.has(person)).map(({ person }) => person);
  context.ledger?.addOptedOut(optedOut);
  context.journal.writeNote(SENDING_OPT_OUTS_NOTE, undefined);
}

/** Looks people up, and yields an opt-out for each of their contacts that may still get mail. */
async function* optOutsOfSubscribed(
  context: WriteContext,
  audienceId: string,
  people: readonly string[],
  missing: MissingPeople,
): AsyncGenerator<ContactItem> {
  for (const [index, email] of people.entries()) {
    const found = await lookUpAllContacts(context, audienceId, { email });
    found.forEach((contact) => refuseOtherPerson(email, contact));
    // A missing or unknown status does not prove an opt-out, so such a contact is unsubscribed too.
    const mailed = found.filter((contact) => !isUnsubscribed(contact));
    if (mailed.length === 0) {
      const hasLeft = found.length > 0 || wasNotFoundBefore(context, email);
      missing.setOutcome([email], hasLeft ? 'left_before' : 'not_found');
    }
    // The audience may have several contacts of the person, one for each spelling of the address (F8).
    yield* mailed.map((contact) => optOutWithoutRow(contact.email, index + 1));
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
