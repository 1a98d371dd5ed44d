import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { contactBody } from '../../import/batch/cut-batches.ts';
import type { ContactItem } from '../../import/types.ts';
import { listReadableRuns } from '../../runs/find/list.ts';
import { type Journal, tryReadRun } from '../../runs/store/journal.ts';
import { lookUp } from '../verify/contacts.ts';
import { withKnownSpelling } from '../write/known-spelling.ts';
import { sendBatch } from '../write/send-batch.ts';
import type { WriteContext } from '../write-context.ts';
import { type CanaryRecord, keepRecord, readRecord, type SignedUp } from './canary-state.ts';

/** A contact that opts a person out again, with the opt-out date that the audience had. */
export function optOutAgain({ source, line, contact }: ContactItem, at: string | null | undefined): ContactItem {
  return {
    source,
    line,
    contact: { email: contact.email, status: 'unsubscribed', ...(at && { unsubscribed_at: at }) },
  };
}

/**
 * Stops a run whose service signs up people who opted out. The open people are opted out again and read back. A resume
 * retries those who are still subscribed, and stops again. Each try has a new key, because a replay would write
 * nothing.
 */
export async function stopSignedUp(context: WriteContext, record: CanaryRecord, signedUp: SignedUp): Promise<never> {
  const { message, byCount, mark, open } = signedUp;
  keepRecord(context.journal, { ...record, signedUp });
  if (open.length > 0) {
    const again = { ...context, again: mark };
    const batch = { name: `roll_back.${mark}`, rows: open, items: open, body: contactBody(open), counts: () => false };
    await withKnownSpelling(sendBatch, Number.POSITIVE_INFINITY)(again, record.audienceId, batch);
    const unresolved = await subscribedOf(context, record.audienceId, open);
    keepRecord(context.journal, { ...record, signedUp: { ...signedUp, mark: context.randomHex(8), open: unresolved } });
    if (unresolved.length > 0) {
      throw incomplete(context, unresolved);
    }
  }
  const hint = byCount ? countHint(context) : signedUpHint(context);
  throw new SvcError(EXIT.unverified, 'first_batch', message, { hint });
}

async function subscribedOf(context: WriteContext, audienceId: string, people: readonly ContactItem[]) {
  const seen = await Array.fromAsync(people, async (item) => ({
    item,
    after: await lookUp(context, audienceId, item.contact),
  }));
  return seen.filter(({ after }) => after?.status === 'subscribed').map(({ item }) => item);
}

function incomplete({ journal }: WriteContext, unresolved: readonly ContactItem[]): SvcError {
  const who = unresolved.map(({ contact }) => safe(contact.email)).join(', ');
  const message = `signed up again, and the service does not opt them out: ${who}`;
  const hint = `Unsubscribe them in the app, or try again: svc runs resume ${journal.header.run}`;
  return new SvcError(EXIT.unverified, 'roll_back_incomplete', message, { hint });
}

function signedUpHint({ journal }: WriteContext): string {
  return `Nothing more is sent. Without a status the service signs up people again who opted out. Give each of them that state in the list ("svc contacts export" shows it), or have the service corrected. Then: svc runs delete ${journal.header.run}, and the same command again.`;
}

/** The hint if only a number shows it: a number does not show the cause. */
function countHint({ journal }: WriteContext): string {
  return `Nothing more is sent. Either the service signs up people again who opted out when no status is sent, or people came back on their own meanwhile: "svc contacts export" shows who is in. If they came back on their own: svc runs delete ${journal.header.run}, and the same command again.`;
}

/**
 * Refuses to write contacts if an earlier run showed that the service signs up people who opted out. Other flags or
 * another list do not change that. The next batch may hold people whom no roll-back knows (C1: what an omitted status
 * becomes).
 */
export function refuseUnresolved(target: { state: string; journal: Journal; audienceId: string }): void {
  const { state, journal, audienceId } = target;
  const signsUp = (run: string) =>
    tryReadRun(state, run, (other) => {
      const record = readRecord(other);
      return record?.signedUp !== undefined && record.audienceId === audienceId;
    }) === true;
  const { origin, run: own } = journal.header;
  const earlier = listReadableRuns(state).find(
    (other) => other.run !== own && other.origin === origin && signsUp(other.run),
  );
  if (earlier) {
    throw new SvcError(
      EXIT.unverified,
      'first_batch',
      `nothing was sent: ${earlier.run} showed that this service signs up people again who opted out, and nothing shows that this was corrected`,
      {
        hint: `Give each person who opted out that state in the list ("svc contacts export" shows it), or have the service corrected. Then: svc runs delete ${earlier.run}`,
      },
    );
  }
}
