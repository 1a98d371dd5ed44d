import type { EmulatorContext } from '../context/action-context.ts';
import { timestamp, timestampOrNull } from '../context/formats.ts';
import { addressIn, isAddress } from '../domain/address.ts';
import type { CampaignRow } from '../domain/campaign.ts';
import { ownRow } from '../domain/owned-rows.ts';
import { type JsonObject, readStringField } from '../protocol/body.ts';
import { createRefusal, invalidRequest } from '../protocol/envelope.ts';
import type { AudienceRow } from '../store/audiences.ts';
import type { ToolCall } from './tool.ts';

/**
 * The campaign with the id in `campaign_id`. Throws 404 for an unknown id, and for a campaign of another organization.
 */
export function campaignOf(call: ToolCall): CampaignRow {
  return ownRow<CampaignRow>(call, 'campaign', readStringField(call.args, 'campaign_id'));
}

/** Like `campaignOf`, but throws 409 `invalid_request` if the campaign is no draft. */
export function campaignDraftOf(call: ToolCall): CampaignRow {
  const row = campaignOf(call);
  if (row.status !== 'draft') {
    throw createRefusal(409, 'invalid_request', `This campaign is ${row.status}: only a draft can be changed or sent.`);
  }
  return row;
}

/** The fields of a campaign that its author can set with a tool. */
export type CampaignContent = Pick<CampaignRow, 'audience' | 'subject' | 'sender' | 'html' | 'text'>;

/**
 * The content in the arguments of a call. A missing field stays as it is in `before`. A new campaign must have an
 * audience, a subject and a sender.
 */
export function readContent(call: ToolCall, before: CampaignContent | undefined): CampaignContent {
  const { args } = call;
  const { html, text } = { html: before?.html ?? null, text: before?.text ?? null };
  return {
    audience: before !== undefined && args.audience_id === undefined ? before.audience : audienceOf(call).seq,
    subject: before !== undefined && args.subject === undefined ? before.subject : readStringField(args, 'subject'),
    sender: before !== undefined && args.from === undefined ? before.sender : readSender(call),
    html: args.html === undefined ? html : readStringField(args, 'html'),
    text: args.text === undefined ? text : readStringField(args, 'text'),
  };
}

export function campaignItem({ ids }: EmulatorContext, row: CampaignRow): JsonObject {
  const { status, subject, sender, html, text, recipients } = row;
  return {
    id: ids.make('campaign', row.seq),
    object: 'campaign',
    status,
    audience_id: ids.make('audience', row.audience),
    from: sender,
    subject,
    html,
    text,
    send_at: timestampOrNull(row.send_at),
    recipients,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** The audience with the id in `audience_id`. Throws 404 if there is none. */
function audienceOf(call: ToolCall): AudienceRow {
  return ownRow<AudienceRow>(call, 'audience', readStringField(call.args, 'audience_id'));
}

function readSender({ context, args }: ToolCall): string {
  const from = readStringField(args, 'from');
  if (!isAddress(addressIn(from, context.variants))) {
    throw invalidRequest('from must be an address, or Name <address>.', 'from');
  }
  return from;
}
