import { readPageRequest, toPage } from '../context/pagination.ts';
import { addressIn } from '../domain/address.ts';
import type { CampaignRow } from '../domain/campaign.ts';
import { type JsonObject, readStringField } from '../protocol/body.ts';
import { notFound } from '../protocol/envelope.ts';
import { type ContactRow, findContactByEmail } from '../store/contacts.ts';
import { insertRow, listPage, updateRow } from '../store/rows.ts';
import { campaignDraftOf, campaignItem, campaignOf, readContent } from './campaign-fields.ts';
import {
  callRoute,
  MAIL_HINTS,
  PAGE_SCHEMA,
  READ_HINTS,
  STRING_SCHEMA,
  type Tool,
  type ToolCall,
  toQuery,
  WRITE_HINTS,
} from './tool.ts';

const CONTENT = {
  audience_id: STRING_SCHEMA,
  from: { type: 'string', description: 'address of a verified sending domain, or Name <address>' },
  subject: STRING_SCHEMA,
  html: { type: 'string', description: 'may contain merge tags such as {{first_name}}' },
  text: STRING_SCHEMA,
} as const;

const CAMPAIGN = { campaign_id: STRING_SCHEMA } as const;

/** Tools that write and preview a campaign, and send a test of it. No scope is needed for them. */
export const CAMPAIGN_TOOLS: readonly Tool[] = [
  {
    name: 'service_list_campaigns',
    title: 'List campaigns',
    description: 'Lists the campaigns, newest first.',
    inputSchema: { type: 'object', properties: { ...PAGE_SCHEMA } },
    annotations: READ_HINTS,
    run: list,
  },
  {
    name: 'service_get_campaign',
    title: 'Read a campaign',
    description: 'Reads one campaign.',
    inputSchema: { type: 'object', properties: CAMPAIGN, required: ['campaign_id'] },
    annotations: READ_HINTS,
    run: (call) => campaignItem(call.context, campaignOf(call)),
  },
  {
    name: 'service_create_campaign',
    title: 'Write a campaign',
    description: 'Writes a draft. Nothing is sent.',
    inputSchema: { type: 'object', properties: CONTENT, required: ['audience_id', 'from', 'subject'] },
    annotations: WRITE_HINTS,
    run: create,
  },
  {
    name: 'service_update_campaign',
    title: 'Rewrite a campaign',
    description: 'Changes a draft. Missing fields stay unchanged.',
    inputSchema: { type: 'object', properties: { ...CAMPAIGN, ...CONTENT }, required: ['campaign_id'] },
    annotations: WRITE_HINTS,
    run: update,
  },
  {
    name: 'service_preview_campaign',
    title: 'Preview a campaign',
    description:
      'Shows a campaign as one contact of its audience would get it. Without a contact the merge tags are empty.',
    inputSchema: {
      type: 'object',
      properties: { ...CAMPAIGN, email: { type: 'string', description: 'a contact of the audience' } },
      required: ['campaign_id'],
    },
    annotations: READ_HINTS,
    run: preview,
  },
  {
    name: 'service_send_test',
    title: 'Send a test of a campaign',
    description: 'Sends a campaign only to the addresses named here.',
    inputSchema: {
      type: 'object',
      properties: { ...CAMPAIGN, to: { type: 'array', items: STRING_SCHEMA, minItems: 1, maxItems: 50 } },
      required: ['campaign_id', 'to'],
    },
    annotations: MAIL_HINTS,
    run: sendTest,
  },
];

function list({ context, caller, args }: ToolCall): JsonObject {
  const page = readPageRequest(toQuery({ limit: args.limit, after: args.after }));
  const { organization } = caller;
  const rows = listPage<CampaignRow>(context.store, 'campaigns', { organization }, page);
  return { ...toPage(rows, page.limit, (row) => campaignItem(context, row)) };
}

function create(call: ToolCall): JsonObject {
  const { context, caller } = call;
  const now = context.clock.now();
  const draft = { organization: caller.organization, status: 'draft', created_at: now, updated_at: now };
  const seq = insertRow<CampaignRow>(context.store, 'campaigns', { ...readContent(call, undefined), ...draft });
  return campaignItem(context, campaignOf({ ...call, args: { campaign_id: context.ids.make('campaign', seq) } }));
}

function update(call: ToolCall): JsonObject {
  const { context } = call;
  const row = campaignDraftOf(call);
  const changes = { ...readContent(call, row), updated_at: context.clock.now() };
  updateRow<CampaignRow>(context.store, 'campaigns', row.seq, changes);
  return campaignItem(context, { ...row, ...changes });
}

function preview(call: ToolCall): JsonObject {
  const row = campaignOf(call);
  const values = call.args.email === undefined ? NO_VALUES : mergeTags(readerOf(call, row));
  return { object: 'campaign_preview', campaign_id: call.args.campaign_id, ...fillTemplate(row, values) };
}

const NO_VALUES: ReadonlyMap<string, string> = new Map();

function fillTemplate({ subject, html, text }: CampaignRow, values: ReadonlyMap<string, string>) {
  return {
    subject: merge(subject, values),
    html: html === null ? null : merge(html, values),
    text: text === null ? null : merge(text, values),
  };
}

function readerOf({ context, args }: ToolCall, { audience }: CampaignRow): ContactRow {
  const contact = findContactByEmail(
    context.store,
    audience,
    addressIn(readStringField(args, 'email'), context.variants),
  );
  if (contact === undefined) {
    throw notFound('contact');
  }
  return contact;
}

// A test is a transactional email to the given addresses, so it gets the same checks as `POST /v1/emails`.
function sendTest(call: ToolCall): JsonObject {
  const { campaign_id, to } = call.args;
  const row = campaignOf(call);
  const { subject, html, text } = fillTemplate(row, NO_VALUES);
  const body = { from: row.sender, to, subject: `[Test] ${subject}`, html, text };
  const email = callRoute(call, 'POST /v1/emails', { body });
  return { object: 'campaign_test', campaign_id, to, email_id: email.id };
}

/** The values of the merge tags for one contact: its address, names and custom fields. */
function mergeTags({ email, first_name, last_name, attributes }: ContactRow): ReadonlyMap<string, string> {
  const fields: [string, unknown][] = Object.entries(JSON.parse(attributes));
  const columns = { email, first_name: first_name ?? '', last_name: last_name ?? '' };
  return new Map([...fields.map(([key, value]) => [key, String(value)] as const), ...Object.entries(columns)]);
}

/**
 * Replaces each `{{key}}` in a text by its value, and an unknown key by an empty text. This notation is a guess,
 * because the service document shows none.
 */
function merge(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, key: string) => values.get(key) ?? '');
}
