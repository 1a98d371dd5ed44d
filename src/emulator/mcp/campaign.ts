import type { Context, JsonObject } from '../context.ts';
import { canonicalize, isAddress } from '../domain/address.ts';
import { rowOf, timestamp, timestampOrNull } from '../domain/formats.ts';
import { readText } from '../http/body.ts';
import { invalid, refuse } from '../http/envelope.ts';
import { findAudience } from '../store/audiences.ts';
import { type CampaignContent, type CampaignRow, findCampaign } from './campaign-store.ts';
import type { ToolCall } from './tool.ts';

/** The campaign that `campaign_id` names. Throws 404 for an unknown id and for another organization's. */
export function campaignOf({ context, caller, args }: ToolCall): CampaignRow {
  return rowOf(context.ids, 'campaign', readText(args, 'campaign_id'), (seq) => {
    const found = findCampaign(context.store, seq);
    return found?.organization === caller.organization ? found : undefined;
  });
}

/** The campaign that `campaign_id` names, if it is still a draft. Throws 409 `invalid_request` otherwise. */
export function draftOf(call: ToolCall): CampaignRow {
  const row = campaignOf(call);
  if (row.status !== 'draft') {
    throw refuse(409, 'invalid_request', `This campaign is ${row.status}: only a draft can be changed or sent.`);
  }
  return row;
}

/** The content from the arguments; absent fields stay as in `before`. */
export function readContent(call: ToolCall, before: CampaignContent | undefined): CampaignContent {
  const { args } = call;
  const { html, text } = { html: before?.html ?? null, text: before?.text ?? null };
  return {
    audience: before !== undefined && args.audience_id === undefined ? before.audience : audienceNumberOf(call),
    subject: before !== undefined && args.subject === undefined ? before.subject : readText(args, 'subject'),
    sender: before !== undefined && args.from === undefined ? before.sender : readSender(call),
    html: args.html === undefined ? html : readText(args, 'html'),
    text: args.text === undefined ? text : readText(args, 'text'),
  };
}

/** A campaign in the results of tools. */
export function campaignItem({ ids }: Context, row: CampaignRow): JsonObject {
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

/** The number of the audience that `audience_id` names. Throws 404 if there is none. */
function audienceNumberOf({ context, caller, args }: ToolCall): number {
  const find = (seq: number) => findAudience(context.store, caller.organization, seq);
  return rowOf(context.ids, 'audience', readText(args, 'audience_id'), find).seq;
}

function readSender({ context, args }: ToolCall): string {
  const from = readText(args, 'from');
  if (!isAddress(addressIn(context, from))) {
    throw invalid('from must be an address, or Name <address>.', 'from');
  }
  return from;
}

/** The canonical address in a sender, which is usually written `Name <address>`. */
export function addressIn(context: Context, from: string): string {
  return canonicalize(/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from, context.variants);
}
