import { LIMITS } from '../../wire/limits.ts';
import { SUPPRESSION_REASONS } from '../../wire/service-words.ts';
import type { Route, RouteCall } from '../context/action-context.ts';
import { timestamp } from '../context/formats.ts';
import { readPageRequest, toPage } from '../context/pagination.ts';
import type { Variants } from '../context/variants.ts';
import { canonicalize, isAddress } from '../domain/address.ts';
import { suppressAddresses } from '../domain/suppress.ts';
import type { JsonObject } from '../protocol/body.ts';
import { createFieldRefusal, invalidRequest, type RouteResponse } from '../protocol/envelope.ts';
import { listPage } from '../store/rows.ts';
import { countSuppressions, type SuppressionRow } from '../store/suppressions.ts';

/** The routes for the suppression list of the account (service document, "Endpoints shown in part"). */
export const SUPPRESSION_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/suppressions', action: list },
  { method: 'POST', path: '/v1/suppressions', action: create },
];

function list(call: RouteCall): RouteResponse {
  const page = readPageRequest(call.query);
  const { organization } = call.caller;
  const rows = listPage<SuppressionRow>(call.context.store, 'suppressions', { organization }, page);
  const shaped = toPage(rows, page.limit, (row) => suppressionItem(call, row));
  const hasCursor = call.context.variants.suppressions_paging === 'cursor';
  return { status: 200, body: hasCursor ? shaped : { data: shaped.data } };
}

function suppressionItem(call: RouteCall, row: SuppressionRow): unknown {
  const { variants, ids } = call.context;
  const head = { id: ids.make('suppression', row.seq), object: 'suppression' };
  const rest = { email: row.email, reason: row.reason, created_at: timestamp(row.created_at) };
  return variants.suppression_record === 'id_only' ? head : { ...head, ...rest };
}

function create(call: RouteCall): RouteResponse {
  const reason = readReason(call.body);
  const emails = readEmails(call.body, call.context.variants);
  suppressAddresses(call.context, call.caller.organization, { reason, emails });
  const total = countSuppressions(call.context.store, call.caller.organization);
  const body = { object: 'suppression_batch', total_suppressed_after: total };
  return { status: 200, body };
}

function readReason(body: JsonObject): string {
  const reason = SUPPRESSION_REASONS.find((known) => known === body.reason);
  if (reason === undefined) {
    throw invalidRequest(`reason is required: one of ${SUPPRESSION_REASONS.join(', ')}.`, 'reason');
  }
  return reason;
}

function readEmails(body: JsonObject, variants: Variants): string[] {
  const { emails } = body;
  if (!Array.isArray(emails) || emails.length === 0 || !emails.every((email) => typeof email === 'string')) {
    throw invalidRequest('emails must be an array of strings.', 'emails');
  }
  if (emails.length > LIMITS.batchItems) {
    throw createFieldRefusal('emails', [400, 'batch_too_large', `At most ${LIMITS.batchItems} emails a call.`]);
  }
  const canonical = emails.map((email) => canonicalize(email, variants));
  const bad = canonical.findIndex((email) => !isAddress(email));
  if (bad >= 0 && variants.suppression_invalid_email === 'whole') {
    throw createFieldRefusal(`emails[${bad}]`, [400, 'invalid_email', 'Not an email address.']);
  }
  return [...new Set(canonical.filter(isAddress))];
}
