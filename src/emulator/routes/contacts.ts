import type { Call, Context, Route } from '../context.ts';
import { canonicalize } from '../domain/address.ts';
import { readDraft } from '../domain/contact-draft.ts';
import { type RowResult, writeBatch } from '../domain/write-batch.ts';
import { type Answer, notFound } from '../http/envelope.ts';
import { type ContactRow, findContactByEmail, findContactBySeq, listContacts } from '../store/contacts.ts';
import { audienceOf } from './audiences.ts';
import { readPage, toPage } from './pagination.ts';
import { contactItem } from './shapes.ts';

/**
 * Document, "Endpoints shown in part": contacts one at a time. The path of creating one is our reading of "not shown".
 */
export const CONTACT_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/audiences/{audience_id}/contacts', action: list },
  { method: 'POST', path: '/v1/audiences/{audience_id}/contacts', action: create },
  { method: 'GET', path: '/v1/audiences/{audience_id}/contacts/{contact_id_or_email}', action: retrieve },
];

/** The contact named last in the path, by id or address. Throws 404 if the audience has no such contact. */
function contactOf(call: Call): ContactRow {
  const row = findContact(call.context, audienceOf(call).seq, call.params[1] ?? '');
  if (row === undefined) {
    throw notFound('contact');
  }
  return row;
}

function list(call: Call): Answer {
  const audience = audienceOf(call);
  const page = readPage(call.query);
  const rows = listContacts(call.context.store, audience.seq, page);
  return { status: 200, body: toPage(rows, page.limit, (row) => shapeContact(call, row)) };
}

function retrieve(call: Call): Answer {
  return { status: 200, body: shapeContact(call, contactOf(call)) };
}

function create(call: Call): Answer {
  const audience = audienceOf(call);
  const row = readDraft(call.body, call.context.variants, '');
  const upsert = call.query.get('upsert') === 'true';
  const { organization } = call.caller;
  const [result] = writeBatch(call.context, { organization, audience: audience.seq, upsert, dropRows: 0 }, [row]);
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

function findContact(context: Context, audience: number, idOrEmail: string): ContactRow | undefined {
  const seq = context.ids.parse('contact', idOrEmail);
  const byId = seq === undefined ? undefined : findContactBySeq(context.store, audience, seq);
  return byId ?? findContactByEmail(context.store, audience, canonicalize(idOrEmail, context.variants));
}

/** A contact in an answer, with topics if the request has `expand=topics`. */
function shapeContact(call: Call, row: ContactRow): unknown {
  const item = contactItem(call.context.ids, row, { topics: call.query.get('expand') === 'topics' });
  if (call.context.variants.contact_record === 'full') {
    return item;
  }
  return Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== null && JSON.stringify(value) !== '{}'),
  );
}
