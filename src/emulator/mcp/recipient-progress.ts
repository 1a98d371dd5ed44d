import type { World } from '../context.ts';
import { journeyOf, type Step } from '../domain/email-journey.ts';
import { suppress } from '../domain/suppress.ts';
import { insertJob } from '../store/jobs.ts';
import { emit } from '../webhooks/emit.ts';
import { type CampaignRow, findCampaign } from './campaign-store.ts';

/** The job of one recipient of a campaign: which contact, which step comes next. */
export interface RecipientProgress {
  readonly campaign: number;
  readonly contact: number;
  readonly email: string;
  readonly step: number;
}

/** Puts the next step of a campaign to one recipient in the queue, if there is one. */
export function scheduleRecipient(world: World, progress: RecipientProgress): void {
  const step = journeyOf(progress.email)[progress.step];
  if (step !== undefined) {
    const due_at = world.clock.now() + step.after;
    insertJob(world.store, { due_at, kind: 'campaign_recipient', payload: JSON.stringify(progress) });
    world.wake();
  }
}

/** Takes the next step of a campaign to one recipient; the payload is that of its job. */
export function advanceRecipient(world: World, payload: string): void {
  const progress = JSON.parse(payload) as RecipientProgress;
  const campaign = findCampaign(world.store, progress.campaign);
  const step = journeyOf(progress.email)[progress.step];
  if (campaign !== undefined && step !== undefined) {
    take(world, campaign, { step, progress });
    scheduleRecipient(world, { ...progress, step: progress.step + 1 });
  }
}

// Document, "Events": three ids take the place of email_id and to; name and subject are not inlined.
function take(world: World, { organization }: CampaignRow, it: { step: Step; progress: RecipientProgress }): void {
  const { campaign, contact, email } = it.progress;
  const { type, suppress: reason } = it.step;
  const recipient_id = `rcp_${campaign}_${contact}`;
  const data = {
    object: 'campaign_recipient',
    campaign_id: world.ids.make('campaign', campaign),
    recipient_id,
    contact_id: world.ids.make('contact', contact),
    email,
    provider_message_id: `<${recipient_id}@mail.example.com>`,
    ...it.step.data,
  };
  emit(world, organization, { type, data: [data] });
  if (reason !== undefined) {
    suppress(world, organization, { reason, emails: [email] });
  }
}
