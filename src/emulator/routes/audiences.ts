import type { Audience } from '../../wire/shapes.ts';
import type { Route, RouteCall } from '../context/action-context.ts';
import { type Ids, timestamp } from '../context/formats.ts';
import { readPageRequest, toPage } from '../context/pagination.ts';
import { ownRow } from '../domain/owned-rows.ts';
import type { JsonObject } from '../protocol/body.ts';
import { deletedResponse, invalidRequest, type RouteResponse } from '../protocol/envelope.ts';
import { AUDIENCE_NAME_CHECK } from '../setup/value-checks.ts';
import { type AudienceRow, deleteAudience, insertAudience } from '../store/audiences.ts';
import { listPage, updateRow } from '../store/rows.ts';

/** The routes of the section "Audiences" in the service document. */
export const AUDIENCE_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/audiences', action: list },
  { method: 'POST', path: '/v1/audiences', action: create },
  { method: 'GET', path: '/v1/audiences/{audience_id}', action: retrieve },
  { method: 'PATCH', path: '/v1/audiences/{audience_id}', action: rename },
  { method: 'DELETE', path: '/v1/audiences/{audience_id}', action: remove },
];

/**
 * The audience whose id is the first `{…}` part of the path. Throws 404 for an unknown id, and for an audience of
 * another organization.
 */
export function audienceOf(call: RouteCall): AudienceRow {
  return ownRow<AudienceRow>(call, 'audience', call.params[0] ?? '');
}

function list(call: RouteCall): RouteResponse {
  const page = readPageRequest(call.query);
  const { organization } = call.caller;
  const rows = listPage<AudienceRow>(call.context.store, 'audiences', { organization }, page);
  return { status: 200, body: toPage(rows, page.limit, (row) => audienceItem(call.context.ids, row)) };
}

function create(call: RouteCall): RouteResponse {
  const { store, clock, ids } = call.context;
  const row = insertAudience(store, call.caller.organization, readName(call.body), clock.now());
  return { status: 201, body: audienceItem(ids, row) };
}

function retrieve(call: RouteCall): RouteResponse {
  return { status: 200, body: audienceWithCounts(call.context.ids, audienceOf(call)) };
}

function rename(call: RouteCall): RouteResponse {
  const { store, clock, ids } = call.context;
  const row = audienceOf(call);
  const name = call.body.name === undefined ? row.name : readName(call.body);
  const changes = { name, updated_at: clock.now() };
  updateRow<AudienceRow>(store, 'audiences', row.seq, changes);
  return { status: 200, body: audienceItem(ids, { ...row, ...changes }) };
}

function remove(call: RouteCall): RouteResponse {
  const row = audienceOf(call);
  deleteAudience(call.context.store, row.seq);
  return deletedResponse(call.context.ids.make('audience', row.seq));
}

function readName({ name }: JsonObject): string {
  const problem = AUDIENCE_NAME_CHECK(name, 'name');
  if (problem !== undefined) {
    throw invalidRequest(`${problem}.`, 'name');
  }
  return String(name).toWellFormed();
}

/** An audience without counts of contacts: in a list, after its creation and after a change of its name. */
export function audienceItem(ids: Ids, row: AudienceRow): Audience {
  const { seq, name, created_at, updated_at } = row;
  const times = { created_at: timestamp(created_at), updated_at: timestamp(updated_at) };
  return { id: ids.make('audience', seq), object: 'audience', name, ...times };
}

/** An audience with its counts of contacts. Only GET by id shows them. */
function audienceWithCounts(ids: Ids, row: AudienceRow): Audience {
  const { created_at, updated_at, ...head } = audienceItem(ids, row);
  const { subscribed, unsubscribed, total } = row;
  return { ...head, contact_counts: { subscribed, unsubscribed, total }, created_at, updated_at };
}
