import type { Context } from '../context.ts';
import { type EmailRow, findEmail, setEmailStatus } from '../store/emails.ts';
import { insertJob } from '../store/jobs.ts';
import { emit } from '../webhooks/emit.ts';
import { suppress } from './suppress.ts';

/** One step of a message to one recipient. `after` is the wait before it, in milliseconds. */
export interface Step {
  readonly after: number;
  readonly status: string;
  readonly type: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly suppress?: string;
}

/** The job of one recipient: which message, which address, which step comes next. */
interface Progress {
  readonly email: number;
  readonly recipient: string;
  readonly step: number;
}

/** Starts a message to one recipient. The local part of the address decides its steps. */
export function sendOff(context: Context, email: number, recipient: string): void {
  schedule(context, { email, recipient, step: 0 });
}

/** Takes the next step of a message; the payload is that of its job. */
export function advanceEmail(context: Context, payload: string): void {
  const progress = JSON.parse(payload) as Progress;
  const email = findEmail(context.store, progress.email);
  const step = journeyOf(progress.recipient)[progress.step];
  if (email !== undefined && step !== undefined) {
    take(context, email, { step, recipient: progress.recipient });
    schedule(context, { ...progress, step: progress.step + 1 });
  }
}

const SENT: Step = { after: 1_000, status: 'sent', type: 'email.sent' };
const DELIVERED: Step = { after: 1_000, status: 'delivered', type: 'email.delivered' };

const JOURNEYS: ReadonlyMap<string, readonly Step[]> = new Map([
  ['bounce', [SENT, bounce('Permanent', 'General', 'hard_bounce')]],
  ['undetermined', [SENT, bounce('Undetermined', 'Undetermined', 'hard_bounce')]],
  ['softbounce', [SENT, bounce('Transient', 'MailboxFull')]],
  [
    'complaint',
    [SENT, DELIVERED, { after: 1_000, status: 'complained', type: 'email.complained', suppress: 'complaint' }],
  ],
  ['delay', [SENT, { ...DELIVERED, after: 600_000 }]],
  ['fail', [{ after: 1_000, status: 'failed', type: 'email.failed', data: { error: 'rendering failed' } }]],
]);

function bounce(type: string, subtype: string, reason?: string): Step {
  const data = { bounce_type: type, bounce_subtype: subtype };
  return { after: 1_000, status: 'bounced', type: 'email.bounced', data, ...(reason ? { suppress: reason } : {}) };
}

/** All steps of a message to this canonical address: its local part decides. */
export function journeyOf(recipient: string): readonly Step[] {
  const local = recipient.slice(0, recipient.indexOf('@')).replace(/\+.*$/, '');
  return JOURNEYS.get(local) ?? [SENT, DELIVERED];
}

function schedule(context: Context, progress: Progress): void {
  const step = journeyOf(progress.recipient)[progress.step];
  if (step !== undefined) {
    insertJob(context.store, {
      due_at: context.clock.now() + step.after,
      kind: 'email',
      payload: JSON.stringify(progress),
    });
    context.wake();
  }
}

function take(context: Context, email: EmailRow, { step, recipient }: { step: Step; recipient: string }): void {
  setEmailStatus(context.store, email.seq, step.status);
  const data = {
    object: 'email',
    email_id: context.ids.make('email', email.seq),
    to: JSON.parse(email.recipients),
    email: recipient,
    subject: email.subject,
    provider_message_id: email.provider_message_id,
    ...step.data,
  };
  emit(context, email.organization, { type: step.type, data: [data] });
  if (step.suppress !== undefined) {
    suppress(context, email.organization, { reason: step.suppress, emails: [recipient] });
  }
}
