import { isUnsubscribed } from '../../api/resources/contacts.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { lookUpContact } from '../compare/look-up.ts';
import { refuseUnsent } from './send-and-bisect.ts';
import { type OutgoingBatch, type PeopleOfResponse, sendBatch } from './send-batch.ts';
import { noteStillSubscribed } from './still-subscribed.ts';

const NO_SOURCE = -1;
const NAME_LENGTH = 12;

/** The contact that opts out a person who has no row in the list. `number`, from 1, is used as the line of the row. */
export function optOutWithoutRow(email: string, number: number): ContactItem {
  return { source: NO_SOURCE, line: number, contact: { email, status: 'unsubscribed' } };
}

/** Opts out people without a row, and looks them up. Throws if some stay unsent because the bisect budget is spent. */
export async function sendOptOutsWithoutRow(
  context: WriteContext,
  audienceId: string,
  { kind, items, body }: Pick<OutgoingBatch, 'items' | 'body'> & { readonly kind: 'gone' | 'spelling' },
): Promise<OptOutsWithoutRow> {
  // A run with keys of its own (`keySuffix`) sends another request, which needs another name in the journal.
  const name = [kind, ...(context.keySuffix ? [context.keySuffix] : []), sha256Hex(body).slice(0, NAME_LENGTH)].join(
    '.',
  );
  // Recorded, because a resume does not get the response again.
  const [acceptedNote, suppressedNote] = [`accepted.${name}`, `suppressed.${name}`];
  const recorded = <T>(note: string) => (context.journal.readNote(note) as readonly T[] | undefined) ?? [];
  const onResponse = ({ accepted, suppressed }: PeopleOfResponse) => {
    const lines = accepted.map(({ line }) => line);
    context.journal.writeNote(acceptedNote, [...recorded<number>(acceptedNote), ...lines]);
    const emails = suppressed.map(({ contact }) => contact.email);
    context.journal.writeNote(suppressedNote, [...recorded<string>(suppressedNote), ...emails]);
  };
  const hooks = { isCounted: () => false, onResponse, beforeAttempt: undefined };
  const batch: OutgoingBatch = { name, rows: items, items, body, bodyOf: undefined, op: undefined, ...hooks };
  refuseUnsent(context, (await sendBatch({ ...context, newAutomationGuard: undefined }, audienceId, batch)).unsent);
  const accepted = new Set(recorded<number>(acceptedNote));
  const emails = new Set(recorded<string>(suppressedNote));
  const suppressed = new Set(items.filter(({ contact }) => emails.has(contact.email)));
  const open = new Set<ContactItem>();
  for (const item of items.filter((one) => !suppressed.has(one))) {
    const found = await lookUpContact(context, audienceId, item.contact);
    // After a refusal, a look-up that finds no contact proves nothing: svc saw the contact before.
    const isRefused = !accepted.has(item.line) && !(found && isUnsubscribed(found));
    if (found?.status === 'subscribed' || isRefused) {
      open.add(item);
    }
  }
  noteStillSubscribed(context, items, open);
  return { open, suppressed };
}

interface OptOutsWithoutRow {
  /**
   * People who may still get mail, because the service refused the opt-out, or accepted it and shows them as
   * subscribed.
   */
  readonly open: ReadonlySet<ContactItem>;
  /** People who are suppressed, so they get no mail. */
  readonly suppressed: ReadonlySet<ContactItem>;
}
