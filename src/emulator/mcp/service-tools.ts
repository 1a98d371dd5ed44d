import { AUTOMATION_STATUSES } from '../../wire/service-words.ts';
import { parseTimestamp } from '../context/formats.ts';
import { type CampaignRow, checkCampaign, sendCampaign } from '../domain/campaign.ts';
import { type JsonObject, readStringField } from '../protocol/body.ts';
import { invalidRequest } from '../protocol/envelope.ts';
import { queueJob } from '../store/jobs.ts';
import { getOrganization, parseList } from '../store/organizations.ts';
import { updateRow } from '../store/rows.ts';
import { campaignDraftOf, campaignItem } from './campaign-fields.ts';
import {
  AUDIENCE_MAIL_HINTS,
  callRoute,
  MAIL_HINTS,
  PAGE_SCHEMA,
  READ_HINTS,
  STRING_SCHEMA,
  type Tool,
  type ToolCall,
} from './tool.ts';

/** Tools that read audiences and senders. A sender is a verified domain; `*` stands for every domain. */
export const READING_TOOLS: readonly Tool[] = [
  {
    name: 'service_list_audiences',
    title: 'List audiences',
    description: 'Lists the audiences, newest first.',
    inputSchema: { type: 'object', properties: { ...PAGE_SCHEMA } },
    annotations: READ_HINTS,
    run: (call) => callRoute(call, 'GET /v1/audiences', { query: { limit: call.args.limit, after: call.args.after } }),
  },
  {
    name: 'service_get_audience',
    title: 'Read an audience',
    description: 'Reads one audience with its counts of contacts.',
    inputSchema: { type: 'object', properties: { audience_id: STRING_SCHEMA }, required: ['audience_id'] },
    annotations: READ_HINTS,
    run: (call) =>
      callRoute(call, 'GET /v1/audiences/{audience_id}', { params: [readStringField(call.args, 'audience_id')] }),
  },
  {
    name: 'service_list_senders',
    title: 'List senders',
    description: 'Lists the verified sending domains of the account.',
    inputSchema: { type: 'object', properties: {} },
    annotations: READ_HINTS,
    run: ({ context, caller }) => {
      const domains = parseList(getOrganization(context.store, caller.organization).domains);
      const data = domains.map((domain) => ({ object: 'sender', domain, status: 'verified' }));
      return { data, has_more: false, next_cursor: null };
    },
  },
];

/** Tools that call the two automation endpoints. They have the results and the scopes of these endpoints. */
export const AUTOMATION_TOOLS: readonly Tool[] = [
  {
    name: 'service_list_automations',
    title: 'List automations',
    description: 'Lists the automations, newest first. Archived ones are listed only if status is archived.',
    inputSchema: {
      type: 'object',
      properties: { status: { type: 'string', enum: [...AUTOMATION_STATUSES] }, ...PAGE_SCHEMA },
    },
    annotations: READ_HINTS,
    run: (call) => {
      const { status, limit, after } = call.args;
      return callRoute(call, 'GET /v1/automations', { query: { status, limit, after } });
    },
  },
  {
    name: 'service_enroll_in_automation',
    title: 'Enroll one person in an automation',
    description:
      'Enrolls one person. The automation then mails this person on its own schedule. If attributes is given, even as {}, an unknown address becomes a subscribed contact. Needs the scope automations:enroll.',
    inputSchema: {
      type: 'object',
      properties: {
        automation_id: STRING_SCHEMA,
        email: STRING_SCHEMA,
        attributes: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
      },
      required: ['automation_id', 'email'],
    },
    annotations: MAIL_HINTS,
    scope: 'automations:enroll',
    run: (call) => {
      const { automation_id, ...body } = call.args;
      const params = [readStringField({ automation_id }, 'automation_id')];
      return callRoute(call, 'POST /v1/automations/{automation_id}/enroll', { params, body });
    },
  },
];

/** Tools that send a campaign to its audience. They are marked as destructive, and need the scope `campaigns:send`. */
export const SENDING_TOOLS: readonly Tool[] = [
  {
    name: 'service_send_campaign',
    title: 'Send a campaign to its audience',
    description: 'Mails a campaign to all subscribed people of its audience, now. Needs the scope campaigns:send.',
    inputSchema: { type: 'object', properties: { campaign_id: STRING_SCHEMA }, required: ['campaign_id'] },
    annotations: AUDIENCE_MAIL_HINTS,
    scope: 'campaigns:send',
    run: (call) => campaignItem(call.context, sendCampaign(call.context, campaignDraftOf(call))),
  },
  {
    name: 'service_schedule_campaign',
    title: 'Schedule a campaign to its audience',
    description: 'Mails a campaign to all subscribed people of its audience at a given time. Needs campaigns:send.',
    inputSchema: {
      type: 'object',
      properties: { campaign_id: STRING_SCHEMA, send_at: { type: 'string', description: 'YYYY-MM-DDTHH:MM:SS.mmmZ' } },
      required: ['campaign_id', 'send_at'],
    },
    annotations: AUDIENCE_MAIL_HINTS,
    scope: 'campaigns:send',
    run: schedule,
  },
];

function schedule(call: ToolCall): JsonObject {
  const { context } = call;
  const row = campaignDraftOf(call);
  const now = context.clock.now();
  const send_at = parseTimestamp(readStringField(call.args, 'send_at'));
  if (send_at === undefined || send_at <= now) {
    throw invalidRequest('send_at must be a time in the future, written YYYY-MM-DDTHH:MM:SS.mmmZ.', 'send_at');
  }
  checkCampaign(context, row);
  const changes = { status: 'scheduled', send_at, updated_at: now };
  updateRow<CampaignRow>(context.store, 'campaigns', row.seq, changes);
  queueJob(context, { due_at: send_at, kind: 'campaign', payload: { campaign: row.seq } });
  return campaignItem(context, { ...row, ...changes });
}
