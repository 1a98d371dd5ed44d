import type { World } from '../context.ts';
import { checkAccount, checkSender } from '../domain/email-rules.ts';
import { invalid, notFound, Refusal, refuse } from '../http/envelope.ts';
import { findAudience } from '../store/audiences.ts';
import { countSent } from '../store/emails.ts';
import { getOrganization, isMember } from '../store/organizations.ts';
import { addressIn } from './campaign.ts';
import { type CampaignRow, findCampaign, listRecipients, updateCampaign } from './campaign-store.ts';
import { scheduleRecipient } from './recipient-progress.ts';

/** Throws where a campaign can't be sent: no content, no audience any more, or the rules of plan and sender. Returns whom it would mail. */
export function checkCampaign(world: World, row: CampaignRow): ReturnType<typeof listRecipients> {
  if (row.html === null && row.text === null) {
    throw invalid('This campaign has neither html nor text.', 'html');
  }
  if (findAudience(world.store, row.organization, row.audience) === undefined) {
    throw notFound('audience');
  }
  const organization = getOrganization(world.store, row.organization);
  const recipients = listRecipients(world.store, row);
  checkAccount(organization, recipients.length);
  checkSender(organization, addressIn(world, row.sender));
  if (organization.plan === 'free' && !recipients.every(({ email }) => isMember(organization, email))) {
    throw refuse(403, 'sandbox_recipient_not_allowed', 'The free plan mails members of the organization only.');
  }
  return recipients;
}

/** Sets a campaign off to everybody it may mail; what happens to each on the way is left to the worker. */
export function sendCampaign(world: World, row: CampaignRow): CampaignRow {
  const recipients = checkCampaign(world, row);
  const now = world.clock.now();
  const sent = { ...row, status: 'sent', recipients: recipients.length, updated_at: now };
  updateCampaign(world.store, sent);
  countSent(world.store, row.organization, recipients.length);
  for (const { seq, email } of recipients) {
    scheduleRecipient(world, { campaign: row.seq, contact: seq, email, step: 0 });
  }
  return sent;
}

/** Sends a scheduled campaign whose time has come; the payload is that of its job. What forbids it by then makes it `failed`. */
export function sendScheduled(world: World, payload: string): void {
  const { campaign } = JSON.parse(payload) as { campaign: number };
  const row = findCampaign(world.store, campaign);
  if (row?.status !== 'scheduled') {
    return;
  }
  try {
    world.store.transaction(() => sendCampaign(world, row));
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    updateCampaign(world.store, { ...row, status: 'failed', updated_at: world.clock.now() });
  }
}
