import type { EmulatorContext } from '../action-context.ts';
import { addressIn } from '../domain/address.ts';
import { checkMaySend, checkSender, type DeliveryStep, deliverySteps, MEMBERS_ONLY_MESSAGE } from '../domain/email.ts';
import { suppressAddresses } from '../domain/suppress.ts';
import { createRefusal, invalidRequest, notFound, Refusal } from '../http/envelope.ts';
import { findAudience } from '../store/audiences.ts';
import { insertJob } from '../store/jobs.ts';
import { addSentMessages, getOrganization, isMember } from '../store/organizations.ts';
import { queueEvents } from '../webhooks/emit.ts';
import { type CampaignRow, findCampaign, listRecipients, type Recipient, updateCampaign } from './campaign.ts';

/** Throws if a campaign has no content or no audience, or may not be sent. Returns its recipients. */
export function checkCampaign(context: EmulatorContext, row: CampaignRow): Recipient[] {
  if (row.html === null && row.text === null) {
    throw invalidRequest('This campaign has neither html nor text.', 'html');
  }
  if (findAudience(context.store, row.organization, row.audience) === undefined) {
    throw notFound('audience');
  }
  const organization = getOrganization(context.store, row.organization);
  const recipients = listRecipients(context.store, row);
  checkMaySend(context, organization, recipients.length);
  checkSender(organization, addressIn(row.sender, context.variants));
  if (organization.plan === 'free' && !recipients.every(({ email }) => isMember(organization, email))) {
    throw createRefusal(403, 'sandbox_recipient_not_allowed', MEMBERS_ONLY_MESSAGE);
  }
  return recipients;
}

/** Marks a campaign as sent and queues a message to each recipient. The worker plays what happens to each message. */
export function sendCampaign(context: EmulatorContext, row: CampaignRow): CampaignRow {
  const recipients = checkCampaign(context, row);
  const now = context.clock.now();
  const sent = { ...row, status: 'sent', recipients: recipients.length, updated_at: now };
  updateCampaign(context.store, sent);
  addSentMessages(context.store, row.organization, { messages: recipients.length, now });
  for (const { seq, email } of recipients) {
    scheduleRecipient(context, { campaign: row.seq, contact: seq, email, step: 0 });
  }
  return sent;
}

/**
 * Sends a scheduled campaign when it is due. `payload` is the payload of the job. If the service refuses to send, the
 * campaign becomes `failed`.
 */
export function sendScheduledCampaign(context: EmulatorContext, payload: string): void {
  const { campaign } = JSON.parse(payload) as { campaign: number };
  const row = findCampaign(context.store, campaign);
  if (row?.status !== 'scheduled') {
    return;
  }
  try {
    context.store.transaction(() => sendCampaign(context, row));
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    updateCampaign(context.store, { ...row, status: 'failed', updated_at: context.clock.now() });
  }
}

/** The payload of the job that plays the next step of a campaign message to one recipient. */
interface RecipientProgress {
  readonly campaign: number;
  readonly contact: number;
  readonly email: string;
  readonly step: number;
}

/** Queues the next step of a message to one recipient, if there is another step. */
function scheduleRecipient(context: EmulatorContext, progress: RecipientProgress): void {
  const step = deliverySteps(progress.email)[progress.step];
  if (step !== undefined) {
    const due_at = context.clock.now() + step.after;
    insertJob(context.store, { due_at, kind: 'campaign_recipient', payload: JSON.stringify(progress) });
    context.wake();
  }
}

/** Plays the next step of a campaign message to one recipient. `payload` is the payload of the job. */
export function playNextRecipientStep(context: EmulatorContext, payload: string): void {
  const progress = JSON.parse(payload) as RecipientProgress;
  const campaign = findCampaign(context.store, progress.campaign);
  const step = deliverySteps(progress.email)[progress.step];
  if (campaign !== undefined && step !== undefined) {
    playStep(context, campaign, { step, progress });
    scheduleRecipient(context, { ...progress, step: progress.step + 1 });
  }
}

// Makes the event of one step, and suppresses the address if the step says so. Events of campaigns have three ids
// instead of `email_id` and `to`, and no name or subject (service document, "Events").
function playStep(
  context: EmulatorContext,
  { organization }: CampaignRow,
  { step, progress }: { step: DeliveryStep; progress: RecipientProgress },
): void {
  const { campaign, contact, email } = progress;
  const { type, suppress: reason } = step;
  const recipient_id = `rcp_${campaign}_${contact}`;
  const data = {
    object: 'campaign_recipient',
    campaign_id: context.ids.make('campaign', campaign),
    recipient_id,
    contact_id: context.ids.make('contact', contact),
    email,
    provider_message_id: `<${recipient_id}@mail.example.com>`,
    ...step.data,
  };
  queueEvents(context, organization, { type, data: [data] });
  if (reason !== undefined) {
    suppressAddresses(context, organization, { reason, emails: [email] });
  }
}
