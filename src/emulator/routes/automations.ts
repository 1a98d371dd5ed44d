import { AUTOMATION_STATUSES } from '../../wire/service-words.ts';
import type { Automation } from '../../wire/shapes.ts';
import type { Route, RouteCall } from '../context/action-context.ts';
import { type Ids, timestamp } from '../context/formats.ts';
import { readPageRequest, toPage } from '../context/pagination.ts';
import type { Variants } from '../context/variants.ts';
import { canonicalize, checkAddress } from '../domain/address.ts';
import { type AttributeChanges, readAttributes } from '../domain/attributes.ts';
import { enrollContact } from '../domain/enrollment-rules.ts';
import { ownRow } from '../domain/owned-rows.ts';
import { createRefusal, invalidRequest, type RouteResponse } from '../protocol/envelope.ts';
import { type AutomationRow, listAutomations } from '../store/automations.ts';

/** The routes of the section "Automations" in the service document. */
export const AUTOMATION_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/automations', action: list },
  {
    method: 'POST',
    path: '/v1/automations/{automation_id}/enroll',
    scope: 'automations:enroll',
    action: enrollPerson,
  },
];

function list(call: RouteCall): RouteResponse {
  const status = readStatus(call.query.get('status'));
  const page = readPageRequest(call.query);
  const rows = listAutomations(call.context.store, { organization: call.caller.organization, status }, page);
  return { status: 200, body: toPage(rows, page.limit, (row) => automationItem(call.context.ids, row)) };
}

function readStatus(status: string | null): string | null {
  if (status !== null && !AUTOMATION_STATUSES.some((known) => known === status)) {
    throw invalidRequest(`status must be one of ${AUTOMATION_STATUSES.join(', ')}.`, 'status');
  }
  return status;
}

function enrollPerson(call: RouteCall): RouteResponse {
  const automation = ownRow<AutomationRow>(call, 'automation', call.params[0] ?? '');
  const email = readEmail(call.body.email, call.context.variants);
  const attributes = readOptional(call);
  if (automation.status === 'draft' || automation.status === 'archived') {
    throw createRefusal(409, 'invalid_request', `This automation is ${automation.status}, so it enrolls no people.`);
  }
  const { outcome, enrollment } = enrollContact(call.context, automation, { email, attributes });
  return { status: 200, body: { object: 'enrollment_result', outcome, ...enrollmentId(call, enrollment) } };
}

function readEmail(value: unknown, variants: Variants): string {
  if (typeof value !== 'string') {
    throw invalidRequest('email is required.', 'email');
  }
  return checkAddress(canonicalize(value, variants), 'email');
}

// The attributes of the request. `{}` means that there are attributes; a missing field means that there are none
// (service document, "Automations", rule 1).
function readOptional(call: RouteCall): AttributeChanges | undefined {
  const { attributes } = call.body;
  return attributes === undefined ? undefined : readAttributes(attributes);
}

function enrollmentId(call: RouteCall, enrollment: number | undefined): { enrollment_id?: string } {
  return enrollment === undefined ? {} : { enrollment_id: call.context.ids.make('enrollment', enrollment) };
}

function automationItem(ids: Ids, row: AutomationRow): Automation {
  return {
    id: ids.make('automation', row.seq),
    object: 'automation',
    name: row.name,
    status: row.status,
    trigger: row.trigger,
    audience_id: ids.make('audience', row.audience),
    live_version: row.live_version,
    sandbox: row.sandbox === 1,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
