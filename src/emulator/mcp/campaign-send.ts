import type { Context } from '../action-context.ts';
import { addressIn } from '../domain/address.ts';
import { checkAccount, checkSender, deliverySteps, MEMBERS_ONLY, type Step } from '../domain/email.ts';
import { suppress } from '../domain/suppress.ts';
import { invalid, notFound, Refusal, refuse } from '../http/envelope.ts';
import { findAudience } from '../store/audiences.ts';
import { insertJob } from '../store/jobs.ts';
import { countSent, getOrganization, isMember } from '../store/organizations.ts';
import { emit } from '../webhooks/emit.ts';
import { type CampaignRow, findCampaign, listRecipients, type Recipient, updateCampaign } from './campaign.ts';

/** Throws if a campaign has no content or no audience, or may not be sent. Returns its recipients. */
export function checkCampaign(context: Context, row: CampaignRow): Recipient[] {
  if (row.html === null && row.text === null) {
    throw invalid('This campaign has neither html nor text.', 'html');
  }
  if (findAudience(context.store, row.organization, row.audience) === undefined) {
    throw notFound('audience');
  }
  const organization = getOrganization(context.store, row.organization);
  const recipients = listRecipients(context.store, row);
  checkAccount(context, organization, recipients.length);
  checkSender(organization, addressIn(row.sender, context.variants));
  if (organization.plan === 'free' && !recipients.every(({ email }) => isMember(organization, email))) {
    throw refuse(403, 'sandbox_recipient_not_allowed', MEMBERS_ONLY);
  }
  return recipients;
}

/** Marks a campaign as sent and queues a message to each recipient. The worker plays what happens to each message. */
export function sendCampaign(context: Context, row: CampaignRow): CampaignRow {
  const recipients = checkCampaign(context, row);
  const now = context.clock.now();
  const sent = { ...row, status: 'sent', recipients: recipients.length, updated_at: now };
  updateCampaign(context.store, sent);
  countSent(context.store, row.organization, { messages: recipients.length, now });
  for (const { seq, email } of recipients) {
    scheduleRecipient(context, { campaign: row.seq, contact: seq, email, step: 0 });
  }
  return sent;
}

/**
 * Sends a scheduled campaign when it is due. `payload` is that of its job. If the service refuses to send, the campaign
 * becomes `failed`.
 */
export function sendScheduled(context: Context, payload: string): void {
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
function scheduleRecipient(context: Context, progress: RecipientProgress): void {
  const step = deliverySteps(progress.email)[progress.step];
  if (step !== undefined) {
    const due_at = context.clock.now() + step.after;
    insertJob(context.store, { due_at, kind: 'campaign_recipient', payload: JSON.stringify(progress) });
    context.wake();
  }
}

/** Plays the next step of a campaign message to one recipient. `payload` is that of its job. */
export function advanceRecipient(context: Context, payload: string): void {
  const progress = JSON.parse(payload) as RecipientProgress;
  const campaign = findCampaign(context.store, progress.campaign);
  const step = deliverySteps(progress.email)[progress.step];
  if (campaign !== undefined && step !== undefined) {
    playStep(context, campaign, { step, progress });
    scheduleRecipient(context, { ...progress, step: progress.step + 1 });
  }
}

// Events of campaigns have three ids instead of `email_id` and `to`, and neither name nor subject (service document,
// "Events").
function playStep(
  context: Context,
  { organization }: CampaignRow,
  { step, progress }: { step: Step; progress: RecipientProgress },
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
  emit(context, organization, { type, data: [data] });
  if (reason !== undefined) {
    suppress(context, organization, { reason, emails: [email] });
  }
}
