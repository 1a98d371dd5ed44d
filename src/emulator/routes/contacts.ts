import { isRecord } from '../../base/lib/json.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { BatchResponse, BatchResult, Contact } from '../../wire/shapes.ts';
import type { EmulatorContext, Route, RouteCall } from '../context/action-context.ts';
import { type Ids, timestamp, timestampOrNull } from '../context/formats.ts';
import { readPageRequest, toPage } from '../context/pagination.ts';
import type { Variants } from '../context/variants.ts';
import { canonicalize } from '../domain/address.ts';
import { readContactDraft } from '../domain/contact-draft.ts';
import { type BatchRow, type RowResult, writeBatch } from '../domain/write-batch.ts';
import type { JsonObject } from '../protocol/body.ts';
import { createFieldRefusal, invalidRequest, notFound, type RouteResponse } from '../protocol/envelope.ts';
import { listContacts } from '../store/contact-series.ts';
import { type ContactRow, findContactByEmail, findContactBySeq } from '../store/contacts.ts';
import { audienceOf } from './audiences.ts';

/**
 * The routes for single contacts (service document, "Endpoints shown in part"). The path that creates a contact is a
 * guess, because the document does not show it.
 */
export const CONTACT_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/audiences/{audience_id}/contacts', action: list },
  { method: 'POST', path: '/v1/audiences/{audience_id}/contacts', action: create },
  { method: 'GET', path: '/v1/audiences/{audience_id}/contacts/{contact_id_or_email}', action: retrieve },
];

/**
 * The contact whose id or address is the last `{…}` part of the path. Throws 404 if the audience has no such contact.
 */
function contactOf(call: RouteCall): ContactRow {
  const row = findContact(call.context, audienceOf(call).seq, call.params[1] ?? '');
  if (row === undefined) {
    throw notFound('contact');
  }
  return row;
}

function list(call: RouteCall): RouteResponse {
  const audience = audienceOf(call);
  const page = readPageRequest(call.query);
  const status = call.context.variants.contact_list === 'subscribed' ? 'subscribed' : undefined;
  const rows = listContacts<ContactRow>(call.context.store, { audience: audience.seq, status }, page);
  return { status: 200, body: toPage(rows, page.limit, (row) => shapeContact(call, row)) };
}

function retrieve(call: RouteCall): RouteResponse {
  return { status: 200, body: shapeContact(call, contactOf(call)) };
}

function create(call: RouteCall): RouteResponse {
  const audience = audienceOf(call);
  const row = readContactDraft(call.body, call.context.variants, (field) => field);
  const isUpsert = call.query.get('upsert') === 'true';
  const { organization } = call.caller;
  const [result] = writeBatch(call.context, { organization, audience: audience.seq, upsert: isUpsert, dropRows: 0 }, [
    row,
  ]);
  const written = findContactByEmail(call.context.store, audience.seq, row.draft.email);
  const status = assertWritten(result) === 'created' ? 201 : 200;
  return { status, body: written && shapeContact(call, written) };
}

function assertWritten(result: RowResult | undefined): string {
  if (result === undefined || result.status === 'failed') {
    throw result?.fault ?? notFound('contact');
  }
  return result.status;
}

function findContact(context: EmulatorContext, audience: number, idOrEmail: string): ContactRow | undefined {
  const seq = context.ids.parse('contact', idOrEmail);
  const byId = seq === undefined ? undefined : findContactBySeq(context.store, audience, seq);
  return byId ?? findContactByEmail(context.store, audience, canonicalize(idOrEmail, context.variants));
}

/**
 * A contact as it is in a response. `expand=topics` adds its topics. If the variant `contact_record` is `sparse`, empty
 * fields are left out.
 */
function shapeContact(call: RouteCall, row: ContactRow): unknown {
  const item = contactItem(call.context.ids, row, { topics: call.query.get('expand') === 'topics' });
  if (call.context.variants.contact_record === 'full') {
    return item;
  }
  return Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== null && JSON.stringify(value) !== '{}'),
  );
}

/** The route for contact batches (service document, "Endpoints shown in part"). */
export const BATCH_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v1/audiences/{audience_id}/contacts/batch', action: batch },
];

function batch(call: RouteCall): RouteResponse {
  const audience = audienceOf(call);
  const { variants } = call.context;
  const upsert = readUpsert(call.body) || variants.upsert_false_existing === 'update';
  const rows = readRows(call.body, variants);
  assertDistinct(rows);
  const { organization } = call.caller;
  const target = { organization, audience: audience.seq, upsert, dropRows: call.dropRows };
  const summary = summarize(writeBatch(call.context, target, rows), variants);
  return { status: 200, body: { object: 'contact_batch', ...summary } };
}

function readUpsert(body: JsonObject): boolean {
  const { upsert = false } = body;
  if (typeof upsert !== 'boolean') {
    throw invalidRequest('upsert must be a boolean.', 'upsert');
  }
  return upsert;
}

function readRows(body: JsonObject, variants: Variants): BatchRow[] {
  const { contacts } = body;
  if (!Array.isArray(contacts)) {
    throw invalidRequest('contacts must be an array.', 'contacts');
  }
  if (contacts.length > LIMITS.batchItems) {
    throw createFieldRefusal('contacts', [400, 'batch_too_large', `At most ${LIMITS.batchItems} contacts a batch.`]);
  }
  return contacts.map((contact: unknown, index) => {
    if (!isRecord(contact)) {
      throw invalidRequest('A contact must be a JSON object.', `contacts[${index}]`);
    }
    return readContactDraft(contact, variants, (field) => `contacts[${index}].${field}`);
  });
}

function assertDistinct(rows: readonly BatchRow[]): void {
  const seen = new Set<string>();
  for (const [index, { draft }] of rows.entries()) {
    if (draft.email !== '' && seen.has(draft.email)) {
      throw invalidRequest('This address occurs twice in the batch.', `contacts[${index}].email`);
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

/** A contact with all fields. Its `topics` are there only if `expand=topics` asks for them. */
function contactItem(ids: Ids, row: ContactRow, expand: { topics: boolean }): Contact {
  return {
    id: ids.make('contact', row.seq),
    object: 'contact',
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    status: row.status,
    unsubscribed_at: timestampOrNull(row.unsubscribed_at),
    attributes: JSON.parse(row.attributes),
    ...(expand.topics ? { topics: JSON.parse(row.topics) } : {}),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
