import type { JsonObject } from '../context.ts';
import { parseTimestamp } from '../domain/formats.ts';
import { readText } from '../http/body.ts';
import { invalid } from '../http/envelope.ts';
import { insertJob } from '../store/jobs.ts';
import { campaignItem, draftOf } from './campaign.ts';
import { checkCampaign, sendCampaign } from './campaign-send.ts';
import { updateCampaign } from './campaign-store.ts';
import { MAILS_AN_AUDIENCE, STRING, type Tool, type ToolCall } from './tool.ts';

/** Sending and scheduling to a real audience: both are marked destructive and need `campaigns:send`. */
export const SENDING_TOOLS: readonly Tool[] = [
  {
    name: 'service_send_campaign',
    title: 'Send a campaign to its audience',
    description: 'Mails a campaign to all subscribed people of its audience, now. Needs the scope campaigns:send.',
    inputSchema: { type: 'object', properties: { campaign_id: STRING }, required: ['campaign_id'] },
    annotations: MAILS_AN_AUDIENCE,
    scope: 'campaigns:send',
    run: (call) => campaignItem(call.context, sendCampaign(call.context, draftOf(call))),
  },
  {
    name: 'service_schedule_campaign',
    title: 'Schedule a campaign to its audience',
    description: 'Mails a campaign to all subscribed people of its audience at a given time. Needs campaigns:send.',
    inputSchema: {
      type: 'object',
      properties: { campaign_id: STRING, send_at: { type: 'string', description: 'YYYY-MM-DDTHH:MM:SS.mmmZ' } },
      required: ['campaign_id', 'send_at'],
    },
    annotations: MAILS_AN_AUDIENCE,
    scope: 'campaigns:send',
    run: schedule,
  },
];

function schedule(call: ToolCall): JsonObject {
  const { context } = call;
  const row = draftOf(call);
  const now = context.clock.now();
  const send_at = parseTimestamp(readText(call.args, 'send_at'));
  if (send_at === undefined || send_at <= now) {
    throw invalid('send_at must be a time to come, written YYYY-MM-DDTHH:MM:SS.mmmZ.', 'send_at');
  }
  checkCampaign(context, row);
  const scheduled = { ...row, status: 'scheduled', send_at, updated_at: now };
  updateCampaign(context.store, scheduled);
  insertJob(context.store, { due_at: send_at, kind: 'campaign', payload: JSON.stringify({ campaign: row.seq }) });
  context.wake();
  return campaignItem(context, scheduled);
}
