import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { WriteContext } from '../context.ts';
import { lookUp } from '../verify/contacts.ts';
import { withKnownSpelling } from '../write/known-spelling.ts';
import { sendBatch } from '../write/send-batch.ts';
import { type CanaryRecord, keepRecord, type SignedUp } from './canary-state.ts';

/**
 * Stops a run whose service signs up people who opted out. The open people are opted out again and read back. A resume
 * retries those who are still subscribed, and stops again. Each try has a new key, because a replay would write
 * nothing.
 */
export async function stopSignedUp(context: WriteContext, record: CanaryRecord, signedUp: SignedUp): Promise<never> {
  await rollBack(context, context.journal, { ...record, signedUp });
  const hint = signedUp.byCount ? countHint(context) : signedUpHint(context);
  throw new SvcError(EXIT.unverified, 'first_batch', signedUp.message, { hint });
}

type SignedUpRecord = CanaryRecord & { readonly signedUp: SignedUp };

/**
 * Opts out the people whom a record names as still subscribed, and reads them back. `journal` is that of the run that
 * signed them up.
 */
export async function rollBack(context: WriteContext, journal: Journal, record: SignedUpRecord): Promise<void> {
  const { signedUp, audienceId } = keepRecord(journal, record);
  const { mark, open } = signedUp;
  if (open.length === 0) {
    return;
  }
  const again = { ...context, again: mark };
  const batch = { name: `roll_back.${mark}`, rows: open, items: open, body: contactBody(open), counts: () => false };
  await withKnownSpelling(sendBatch, Number.POSITIVE_INFINITY)(again, audienceId, batch);
  const unresolved = await subscribedOf(context, audienceId, open);
  keepRecord(journal, { ...record, signedUp: { ...signedUp, mark: context.randomHex(8), open: unresolved } });
  if (unresolved.length > 0) {
    throw incompleteError(context, unresolved);
  }
}

export async function subscribedOf<T extends ContactItem>(
  context: WriteContext,
  audienceId: string,
  people: readonly T[],
): Promise<T[]> {
  const seen = await Array.fromAsync(people, async (item) => ({
    item,
    after: await lookUp(context, audienceId, item.contact),
  }));
  return seen.filter(({ after }) => after?.status === 'subscribed').map(({ item }) => item);
}

function incompleteError({ journal }: WriteContext, unresolved: readonly ContactItem[]): SvcError {
  const who = unresolved.map(({ contact }) => safe(contact.email)).join(', ');
  const message = `signed up again, and the service does not opt them out: ${who}`;
  const hint = `Unsubscribe them in the app, or try again: svc runs resume ${journal.header.run}`;
  return new SvcError(EXIT.unverified, 'roll_back_incomplete', message, { hint });
}

function signedUpHint({ journal }: WriteContext): string {
  return `Nothing more is sent. The service signs opted-out people up again if they are sent without a status. Mark each of them as unsubscribed in the list ("svc contacts export" shows them), or ask the service to correct this. Then: svc runs delete ${journal.header.run}, and the same command again.`;
}

/** The hint if only a count shows the problem. A count does not show its cause. */
function countHint({ journal }: WriteContext): string {
  return `Nothing more is sent. The service may sign opted-out people up again, or people came back on their own meanwhile. "svc contacts export" shows who is subscribed. If they came back on their own: svc runs delete ${journal.header.run}, and the same command again.`;
}
