import { plural } from '../../base/lib/text.ts';
import { type ContactItem, contactBody, cutBatches } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUpAll } from '../verify/look-up.ts';
import { optOutBesideList, sendBesideList } from '../write/send-batch.ts';
import type { MissingPeople } from './missing-people.ts';

/**
 * Writes people as unsubscribed. Looks each person up first: a deleted person must not be created again, and an
 * opted-out person keeps the date. People whom the service refuses stay missing, so the next import tries again.
 */
export async function unsubscribeMissing(
  context: WriteContext,
  audienceId: string,
  missing: MissingPeople,
): Promise<void> {
  const { journal } = context;
  // The refused people of all batches, because a person may have contacts in two batches.
  const refused = new Set<string>();
  // After a stop between the request and the end of its look-ups, these contacts show what this run itself wrote.
  const sending = journal.read(SENDING) as readonly OptOut[] | undefined;
  await sendOptOuts({ context, audienceId, missing, refused }, sending ?? []);
  const people = [...missing.all()].filter(({ outcome }) => outcome === 'reported').map(({ email }) => email);
  context.emit({
    type: 'note',
    message: `Looking up ${plural(people.length, 'person', 'people')} missing in the list.`,
  });
  for await (const { items } of cutBatches(optOutsOfSubscribed(context, audienceId, people, missing))) {
    const optOuts = items.map(({ line, contact }) => ({ person: people[line - 1] as string, email: contact.email }));
    journal.note(SENDING, optOuts);
    await sendOptOuts({ context, audienceId, missing, refused }, optOuts);
  }
}

const SENDING = 'gone_sending';

/** A contact to unsubscribe. The audience may have a missing person under another spelling. */
interface OptOut {
  readonly person: string;
  readonly email: string;
}

interface OptOutWork {
  readonly context: WriteContext;
  readonly audienceId: string;
  readonly missing: MissingPeople;
  readonly refused: Set<string>;
}

/** Unsubscribes contacts in one request, or continues that of an earlier process, and records who left. */
async function sendOptOuts(
  { context, audienceId, missing, refused }: OptOutWork,
  optOuts: readonly OptOut[],
): Promise<void> {
  if (optOuts.length === 0) {
    return;
  }
  const items = optOuts.map(({ email }, index) => optOutBesideList(email, index + 1));
  const sent = await sendBesideList(context, audienceId, { kind: 'gone', items, body: contactBody(items) });
  const personOf = ({ line }: ContactItem) => (optOuts[line - 1] as OptOut).person;
  sent.open.forEach((item) => refused.add(personOf(item)));
  for (const item of items) {
    const outcome = sent.suppressed.has(item) ? 'left_before' : 'unsubscribed';
    missing.setOutcome([personOf(item)], refused.has(personOf(item)) ? 'reported' : outcome);
  }
  context.journal.note(SENDING, undefined);
}

async function* optOutsOfSubscribed(
  context: WriteContext,
  audienceId: string,
  people: readonly string[],
  missing: MissingPeople,
): AsyncGenerator<ContactItem> {
  for (const [index, email] of people.entries()) {
    const found = await lookUpAll(context, audienceId, { email });
    // A service may not show the status. Then writing it changes nothing for an opted-out person.
    const subscribed = found.filter(({ status = 'subscribed' }) => status === 'subscribed');
    if (subscribed.length === 0) {
      missing.setOutcome([email], 'left_before');
    }
    // The audience may have the person under several spellings (F8).
    yield* subscribed.map((contact) => optOutBesideList(contact.email, index + 1));
  }
}
