import type { EmulatorContext } from '../context/action-context.ts';
import { createFieldRefusal, createRefusal } from '../protocol/envelope.ts';
import { queueJob } from '../store/jobs.ts';
import { isMember, type OrganizationRow, parseList, readSent } from '../store/organizations.ts';
import { findRow, updateRow } from '../store/rows.ts';
import { findSuppressed, HARD_REASONS } from '../store/suppressions.ts';
import { queueEvents } from './events.ts';
import { suppressAddresses } from './suppress.ts';

/**
 * Throws 403 `sending_disabled` if the account may not send, and 403 `plan_limit_reached` if the messages are more than
 * what is left of the monthly allowance.
 */
export function checkMaySend({ store, clock }: EmulatorContext, organization: OrganizationRow, messages: number): void {
  if (organization.sending_disabled) {
    throw createRefusal(403, 'sending_disabled', 'Sending is turned off for this account.');
  }
  const { allowance, seq } = organization;
  if (allowance !== null && readSent(store, seq, clock.now()) + messages > allowance) {
    throw createRefusal(403, 'plan_limit_reached', `The monthly allowance of ${allowance} emails is used up.`);
  }
}

/** Throws 403 `domain_not_verified` if the organization has not verified the domain of `from`. */
export function checkSender(organization: OrganizationRow, from: string): void {
  const verified = parseList(organization.domains);
  const domain = from.slice(from.indexOf('@') + 1);
  if (!verified.includes('*') && !verified.includes(domain)) {
    throw createFieldRefusal('from', [403, 'domain_not_verified', `${domain} is not a verified sending domain.`]);
  }
}

/** The error message if an account on the free plan would mail a person who is no member of the organization. */
export const MEMBERS_ONLY_MESSAGE = 'The free plan mails members of the organization only.';

/** Throws if a recipient can't get mail: 403 `sandbox_recipient_not_allowed` or 400 `email_suppressed`. */
export function checkRecipients(context: EmulatorContext, organization: OrganizationRow, to: readonly string[]): void {
  const nonMember = organization.plan === 'free' && to.find((email) => !isMember(organization, email));
  if (nonMember) {
    throw createFieldRefusal('to', [403, 'sandbox_recipient_not_allowed', MEMBERS_ONLY_MESSAGE]);
  }
  // People who unsubscribed still get transactional email (service document, "What the service does" 1 and 2).
  const suppressed = findSuppressed(context.store, organization.seq, to);
  if ([...suppressed.values()].some((reason) => HARD_REASONS.includes(reason))) {
    throw createFieldRefusal('to', [400, 'email_suppressed', 'A recipient is on the suppression list.']);
  }
}

/** What happens to a message next, for example a bounce. `after` is the time until then, in milliseconds. */
export interface DeliveryStep {
  readonly after: number;
  readonly status: string;
  readonly type: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly suppress?: string;
}

const SENT: DeliveryStep = { after: 1_000, status: 'sent', type: 'email.sent' };
const DELIVERED: DeliveryStep = { after: 1_000, status: 'delivered', type: 'email.delivered' };

const DELIVERY_STEPS: ReadonlyMap<string, readonly DeliveryStep[]> = new Map([
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

function bounce(type: string, subtype: string, reason?: string): DeliveryStep {
  const data = { bounce_type: type, bounce_subtype: subtype };
  return { after: 1_000, status: 'bounced', type: 'email.bounced', data, ...(reason ? { suppress: reason } : {}) };
}

/** All steps of a message to this canonical address. The text before the `@` decides them: `bounce@…` bounces. */
export function deliverySteps(recipient: string): readonly DeliveryStep[] {
  const local = recipient.slice(0, recipient.indexOf('@')).replace(/\+.*$/, '');
  return DELIVERY_STEPS.get(local) ?? [SENT, DELIVERED];
}

/**
 * Queues the next step of a message to this address (in canonical form), if there is a next step. `progress` becomes
 * the payload of the job.
 */
export function queueStep(
  context: EmulatorContext,
  { kind, address }: { readonly kind: 'email' | 'campaign_recipient'; readonly address: string },
  progress: { readonly step: number },
): void {
  const step = deliverySteps(address)[progress.step];
  if (step !== undefined) {
    queueJob(context, { due_at: context.clock.now() + step.after, kind, payload: progress });
  }
}

/** Sends the event of a step, with `data`. If the step says so, suppresses the address too. */
export function playStep(
  context: EmulatorContext,
  organization: number,
  { step, address, data }: { readonly step: DeliveryStep; readonly address: string; readonly data: object },
): void {
  queueEvents(context, organization, { type: step.type, data: [{ ...data, ...step.data }] });
  if (step.suppress !== undefined) {
    suppressAddresses(context, organization, { reason: step.suppress, emails: [address] });
  }
}

/** One transactional message, to one or more recipients. */
export interface EmailRow {
  readonly seq: number;
  readonly organization: number;
  /** The recipients: a JSON array of canonical addresses. */
  readonly recipients: string;
  readonly subject: string;
  /**
   * The status of the message: `queued`, `sent` or `delivered`. Also `bounced`, `complained` or `failed`, which are not
   * in the service document.
   */
  readonly status: string;
  readonly provider_message_id: string;
  readonly created_at: number;
}

/** The payload of a job that plays the next step of a transactional message to one recipient. */
interface EmailProgress {
  readonly email: number;
  readonly recipient: string;
  readonly step: number;
}

/** Schedules what happens to a message for one recipient. The text before the `@` of the address decides it. */
export function scheduleDelivery(context: EmulatorContext, email: number, recipient: string): void {
  queueEmailStep(context, { email, recipient, step: 0 });
}

/** Plays the next step of a message, and schedules the step after it. `payload` is the payload of the job. */
export function playNextEmailStep(context: EmulatorContext, payload: string): void {
  const progress = JSON.parse(payload) as EmailProgress;
  const { recipient } = progress;
  const email = findRow<EmailRow>(context.store, 'emails', { seq: progress.email });
  const step = deliverySteps(recipient)[progress.step];
  if (email !== undefined && step !== undefined) {
    updateRow<EmailRow>(context.store, 'emails', email.seq, { status: step.status });
    const data = {
      object: 'email',
      email_id: context.ids.make('email', email.seq),
      to: JSON.parse(email.recipients),
      email: recipient,
      subject: email.subject,
      provider_message_id: email.provider_message_id,
    };
    playStep(context, email.organization, { step, address: recipient, data });
    queueEmailStep(context, { ...progress, step: progress.step + 1 });
  }
}

function queueEmailStep(context: EmulatorContext, progress: EmailProgress): void {
  queueStep(context, { kind: 'email', address: progress.recipient }, progress);
}
