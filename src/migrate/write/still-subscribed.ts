import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { joinAtMost, plural, terminalSafe } from '../../base/lib/text.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';

const STILL_SUBSCRIBED_NOTE = 'open_beside_list';

/** Records people who may still get mail (`open`), and removes the other people of `items` from the record. */
export function noteStillSubscribed(
  { journal }: WriteContext,
  items: readonly ContactItem[],
  open: ReadonlySet<ContactItem>,
): void {
  const emailOf = ({ contact }: ContactItem) => contact.email;
  const sent = new Set(items.map(emailOf));
  journal.writeNote(STILL_SUBSCRIBED_NOTE, [
    ...stillSubscribed(journal).filter((email) => !sent.has(email)),
    ...Array.from(open, emailOf),
  ]);
}

/** The addresses of people without a row in the list who had to be opted out and may still get mail. */
export function stillSubscribed(journal: WriteContext['journal']): readonly string[] {
  return (journal.readNote(STILL_SUBSCRIBED_NOTE) as readonly string[] | undefined) ?? [];
}

const MAX_NAMED = 3;

/** Throws (exit 3) if the service refused to opt out people who have no row in the list (F8, G6). */
export function refuseStillSubscribed({ journal }: Pick<WriteContext, 'journal'>): void {
  const open = stillSubscribed(journal);
  if (open.length > 0) {
    const who = `the service refused to unsubscribe ${plural(open.length, 'address', 'addresses')}`;
    throw new SvcError(EXIT.partial, 'opt_out_refused', `${who}: ${joinAtMost(open.map(terminalSafe), MAX_NAMED)}`, {
      hint: 'Unsubscribe them in the app. The next import of the list tries again.',
    });
  }
}
