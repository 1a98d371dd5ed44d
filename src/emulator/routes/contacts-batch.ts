import { LIMITS } from '../../wire/limits.ts';
import type { BatchResponse, BatchResult } from '../../wire/shapes.ts';
import type { Call, JsonObject, Route } from '../context.ts';
import { readDraft } from '../domain/contact-draft.ts';
import { type BatchRow, type RowResult, writeBatch } from '../domain/write-batch.ts';
import { type Answer, invalid, refuseField } from '../http/envelope.ts';
import type { Variants } from '../variants.ts';
import { audienceOf } from './audiences.ts';

/** Document, "Endpoints shown in part": the contact batch. */
export const BATCH_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v1/audiences/{audience_id}/contacts/batch', action: batch },
];

function batch(call: Call): Answer {
  const audience = audienceOf(call);
  const upsert = readUpsert(call.body);
  const rows = readRows(call.body, call.context.variants);
  assertDistinct(rows);
  const { organization } = call.caller;
  const target = { organization, audience: audience.seq, upsert, dropRows: call.dropRows };
  const { variants } = call.context;
  const summary = summarize(writeBatch(call.context, target, rows), variants);
  return { status: 200, body: { object: 'contact_batch', ...summary } };
}

function readUpsert(body: JsonObject): boolean {
  const { upsert = false } = body;
  if (typeof upsert !== 'boolean') {
    throw invalid('upsert must be a boolean.', 'upsert');
  }
  return upsert;
}

function readRows(body: JsonObject, variants: Variants): BatchRow[] {
  const { contacts } = body;
  if (!Array.isArray(contacts)) {
    throw invalid('contacts must be an array.', 'contacts');
  }
  if (contacts.length > LIMITS.batchItems) {
    throw refuseField('contacts', [400, 'batch_too_large', `At most ${LIMITS.batchItems} contacts a batch.`]);
  }
  return contacts.map((contact, index) => readDraft(contact, variants, `contacts[${index}].`));
}

function assertDistinct(rows: readonly BatchRow[]): void {
  const seen = new Set<string>();
  for (const [index, { draft }] of rows.entries()) {
    if (draft.email !== '' && seen.has(draft.email)) {
      throw invalid('The same address twice in one batch.', `contacts[${index}].email`);
    }
    seen.add(draft.email);
  }
}

function summarize(results: readonly RowResult[], variants: Variants): BatchResponse {
  const count = (status: string) => results.filter((result) => result.status === status).length;
  const items = results.map(toItem);
  const shown = variants.batch_results === 'failures' ? items.filter((item) => item.error !== undefined) : items;
  const summary = { created: count('created'), updated: count('updated'), failed: count('failed') };
  return { summary, results: variants.batch_results === 'reversed' ? shown.reverse() : shown };
}

function toItem(result: RowResult, index: number): BatchResult {
  if (result.status !== 'failed') {
    return { index, status: result.status };
  }
  const { code, message } = result.fault;
  return { index, status: 'failed', error: { code, message } };
}
