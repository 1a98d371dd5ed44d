import type { EmulatorContext } from '../context/action-context.ts';
import { createRefusal, invalidRequest, notFound, Refusal } from '../protocol/envelope.ts';
import { findAudience } from '../store/audiences.ts';
import { CONTACTS_OF_AUDIENCE } from '../store/contact-series.ts';
import type { ContactRow } from '../store/contacts.ts';
import { addSentMessages, getOrganization, isMember } from '../store/organizations.ts';
import { findRow, updateRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { addressIn } from './address.ts';
import { checkMaySend, checkSender, deliverySteps, MEMBERS_ONLY_MESSAGE, playStep, queueStep } from './email.ts';

/** A newsletter to one audience. */
export interface CampaignRow {
  readonly seq: number;
  readonly organization: number;
  readonly audience: number;
  /** The status: `draft`, `scheduled`, `sent` or `failed`. The service document shows only `draft`. */
  readonly status: string;
  readonly subject: string;
  readonly sender: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly send_at: number | null;
  readonly recipients: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

type Recipient = Pick<ContactRow, 'seq' | 'email'>;

/** Throws if a campaign may not be sent, or has no content or no audience. Returns its recipients. */
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

/** The recipients of a campaign: the subscribed contacts of its audience, without suppressed addresses. */
function listRecipients(store: Store, { audience, organization }: CampaignRow): Recipient[] {
  const sql = `select contacts.seq, contacts.email from ${CONTACTS_OF_AUDIENCE}
    left join suppressions on suppressions.organization = ? and suppressions.email = contacts.email
    where contacts.status = 'subscribed' and suppressions.seq is null order by series.first, contacts.seq`;
  return store.all(sql, audience, organization);
}

/** Marks a campaign as sent, and queues a message for each recipient. The worker plays what happens to each message. */
export function sendCampaign(context: EmulatorContext, row: CampaignRow): CampaignRow {
  const recipients = checkCampaign(context, row);
  const now = context.clock.now();
  const changes = { status: 'sent', recipients: recipients.length, updated_at: now };
  updateRow<CampaignRow>(context.store, 'campaigns', row.seq, changes);
  addSentMessages(context.store, row.organization, { messages: recipients.length, now });
  for (const { seq, email } of recipients) {
    queueRecipientStep(context, { campaign: row.seq, contact: seq, email, step: 0 });
  }
  return { ...row, ...changes };
}

/**
 * Sends a scheduled campaign once it is due. `payload` is the payload of the job. If the service refuses to send it,
 * its status becomes `failed`. `sendCampaign` refuses before it changes the store, so nothing must be undone.
 */
export function sendScheduledCampaign(context: EmulatorContext, payload: string): void {
  const { campaign } = JSON.parse(payload) as { campaign: number };
  const row = findRow<CampaignRow>(context.store, 'campaigns', { seq: campaign });
  if (row?.status !== 'scheduled') {
    return;
  }
  try {
    sendCampaign(context, row);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    const changes = { status: 'failed', updated_at: context.clock.now() };
    updateRow<CampaignRow>(context.store, 'campaigns', row.seq, changes);
  }
}

/** The payload of a job that plays the next step of a campaign message to one recipient. */
interface RecipientProgress {
  readonly campaign: number;
  readonly contact: number;
  readonly email: string;
  readonly step: number;
}

/**
 * Plays the next step of a campaign message to one recipient. `payload` is the payload of the job. An event of a
 * campaign has three ids in place of `email_id` and `to`, and no name or subject (service document, "Events").
 */
export function playNextRecipientStep(context: EmulatorContext, payload: string): void {
  const progress = JSON.parse(payload) as RecipientProgress;
  const { campaign, contact, email } = progress;
  const row = findRow<CampaignRow>(context.store, 'campaigns', { seq: campaign });
  const step = deliverySteps(email)[progress.step];
  if (row !== undefined && step !== undefined) {
    const recipient_id = `rcp_${campaign}_${contact}`;
    const data = {
      object: 'campaign_recipient',
      campaign_id: context.ids.make('campaign', campaign),
      recipient_id,
      contact_id: context.ids.make('contact', contact),
      email,
      provider_message_id: `<${recipient_id}@mail.example.com>`,
    };
    playStep(context, row.organization, { step, address: email, data });
    queueRecipientStep(context, { ...progress, step: progress.step + 1 });
  }
}

function queueRecipientStep(context: EmulatorContext, progress: RecipientProgress): void {
  queueStep(context, { kind: 'campaign_recipient', address: progress.email }, progress);
}
