import { SvcError } from '../../base/lib/errors.ts';
import { AUTOMATION_STATUSES, CONTACT_STATUSES, EVENT_TYPES, SCOPES } from '../../wire/service-words.ts';
import type { FaultRule, FaultScript } from '../faults/fault.ts';
import { createRouter } from '../http/router.ts';
import { type JsonObject, readJsonBody, requireObject } from '../protocol/body.ts';
import { encodeBody, invalidRequest, notFound } from '../protocol/envelope.ts';
import type { ServiceRequest, ServiceResponse } from '../protocol/request-response.ts';
import {
  ANY_VALUE_CHECK,
  ATTRIBUTES_CHECK,
  COUNT_CHECK,
  FLAG_CHECK,
  LAST_MOMENT,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  TEXT_CHECK,
  type ValueCheck,
} from '../setup/value-checks.ts';

import { type AccountPlan, PLANS } from '../store/organizations.ts';
import { ACCOUNT_FIELD_CHECKS, type AccountSettings } from './account.ts';
import type { Admin } from './admin.ts';
import { AUTOMATION_FIELD_CHECKS, type NewAutomation } from './automations.ts';

/** An endpoint of the admin API. `action` gets the checked body, and the `{…}` parts of the path in their order. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The check of the body. Without it, the route accepts no fields. */
  readonly body?: ValueCheck;
  readonly action: (admin: Admin, body: JsonObject, params: readonly string[]) => unknown;
}

// The checks refuse words that are not in the service document, because later responses would contain them.
const CLOCK = objectOf({ advance_ms: COUNT_CHECK }, ['advance_ms']);
const PLAN = objectOf({ plan: oneOf(PLANS) }, ['plan']);
const ACCOUNT = objectOf({ ...ACCOUNT_FIELD_CHECKS, sending_disabled: FLAG_CHECK });
const NEW_KEY = objectOf({ scopes: listOf(oneOf(SCOPES)) });
const KEY = objectOf({ api_key: TEXT_CHECK }, ['api_key']);
const AUTOMATION = objectOf({ ...AUTOMATION_FIELD_CHECKS, audience_id: TEXT_CHECK, entry_filter: ATTRIBUTES_CHECK });
const AUTOMATION_STATUS = objectOf({ status: oneOf(AUTOMATION_STATUSES) }, ['status']);
const CONTACT_STATUS = objectOf({ status: oneOf(CONTACT_STATUSES) }, ['status']);
const EVENT = objectOf({ type: oneOf(EVENT_TYPES), data: mapOf(ANY_VALUE_CHECK) }, ['type']);

/** The admin API over HTTP. The fields of request bodies have names in snake_case. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  { method: 'GET', path: '/_emulator/state', action: (admin) => admin.state() },
  { method: 'GET', path: '/_emulator/requests', action: (admin) => ({ data: admin.requests() }) },
  { method: 'GET', path: '/_emulator/clock', action: (admin) => ({ now: admin.state().now }) },
  { method: 'POST', path: '/_emulator/clock', body: CLOCK, action: advance },
  {
    method: 'POST',
    path: '/_emulator/plan',
    body: PLAN,
    action: (admin, { plan }) => admin.setPlan(plan as AccountPlan),
  },
  { method: 'POST', path: '/_emulator/account', body: ACCOUNT, action: setAccount },
  { method: 'GET', path: '/_emulator/faults', action: (admin) => ({ data: admin.faults() }) },
  { method: 'POST', path: '/_emulator/faults', body: ANY_VALUE_CHECK, action: addFaults },
  { method: 'DELETE', path: '/_emulator/faults', action: (admin) => admin.clearFaults() },
  { method: 'POST', path: '/_emulator/keys', body: NEW_KEY, action: createKey },
  { method: 'DELETE', path: '/_emulator/keys', body: KEY, action: revokeKey },
  { method: 'POST', path: '/_emulator/automations', body: AUTOMATION, action: createAutomation },
  {
    method: 'PATCH',
    path: '/_emulator/automations/{id}',
    body: AUTOMATION_STATUS,
    action: (admin, { status }, [id = '']) => admin.setAutomationStatus(id, `${status}`),
  },
  {
    method: 'POST',
    path: '/_emulator/automations/{id}/publish',
    action: (admin, _, [id = '']) => admin.publishAutomation(id),
  },
  {
    method: 'POST',
    path: '/_emulator/automations/{id}/finish',
    action: (admin, _, [id = '']) => admin.finishEnrollments(id),
  },
  {
    method: 'GET',
    path: '/_emulator/automations/{id}/enrollments',
    action: (admin, _, [id = '']) => ({ data: admin.enrollments(id) }),
  },
  {
    method: 'POST',
    path: '/_emulator/events',
    body: EVENT,
    action: (admin, { type, data = {} }) => admin.emitEvent(`${type}`, Object(data)),
  },
  {
    method: 'POST',
    path: '/_emulator/deliveries/{id}/resend',
    action: (admin, _, [id = '']) => admin.resendDelivery(id),
  },
  { method: 'GET', path: '/_emulator/suppressions', action: (admin) => ({ data: admin.suppressions() }) },
  { method: 'GET', path: '/_emulator/contacts', action: (admin) => ({ data: admin.contacts() }) },
  {
    method: 'PATCH',
    path: '/_emulator/contacts/{email}',
    body: CONTACT_STATUS,
    action: (admin, { status }, [email = '']) => admin.setStatus(email, `${status}`),
  },
  { method: 'DELETE', path: '/_emulator/contacts/{email}', action: deleteContact },
];

async function advance(admin: Admin, { advance_ms: ms }: JsonObject): Promise<unknown> {
  if (admin.state().now + Number(ms) > LAST_MOMENT) {
    throw invalidRequest('advance_ms must not lead beyond the year 9999.', 'advance_ms');
  }
  await admin.advance(Number(ms));
  return { now: admin.state().now };
}

function setAccount(admin: Admin, { sending_disabled: sendingDisabled, ...rest }: JsonObject): void {
  admin.set({ ...rest, ...(sendingDisabled === undefined ? {} : { sendingDisabled }) } as AccountSettings);
}

function addFaults(admin: Admin, body: JsonObject): void {
  if (body.kind === undefined) {
    admin.addFaults(body as unknown as FaultScript);
  } else {
    admin.addFault(body as FaultRule);
  }
}

function createKey(admin: Admin, { scopes }: JsonObject): unknown {
  return { api_key: admin.createKey(scopes as string[] | undefined) };
}

function revokeKey(admin: Admin, { api_key: key }: JsonObject): void {
  if (!admin.revokeKey(`${key}`)) {
    throw invalidRequest('no such API key', 'api_key');
  }
}

function createAutomation(admin: Admin, { audience_id: audienceId, entry_filter: entryFilter, ...rest }: JsonObject) {
  const automation = {
    ...rest,
    ...(audienceId === undefined ? {} : { audienceId }),
    ...(entryFilter === undefined ? {} : { entryFilter }),
  };
  return { id: admin.createAutomation(automation as NewAutomation) };
}

function deleteContact(admin: Admin, _: JsonObject, [email = '']: readonly string[]): void {
  if (admin.contact(email) === undefined) {
    throw invalidRequest(`no contact ${email}`);
  }
  admin.deleteContact(email);
}

const findRoute = createRouter(ADMIN_ROUTES);

/**
 * Responds to a request under `/_emulator/`. The caller must have checked host and API key. An unknown id or value gets
 * a 400 `invalid_request`.
 */
export async function handleAdmin(admin: Admin, request: ServiceRequest): Promise<ServiceResponse> {
  const match = findRoute(request.method, request.path.split('?')[0] ?? '');
  if (match === undefined) {
    throw notFound('admin route');
  }
  const { route, params } = match;
  const result = await call(() => route.action(admin, readAdminBody(request, route), params));
  return { status: 200, headers: {}, body: encodeBody(result ?? {}) };
}

const EMPTY = objectOf({});

// A fault script may be a plain list of rules, like a file of `--faults`. Any other body must be an object.
function readAdminBody(request: ServiceRequest, { action, body: check = EMPTY }: AdminRoute): JsonObject {
  const json = readJsonBody(request);
  const body = action === addFaults && Array.isArray(json) ? { rules: json } : requireObject(json, 'The body');
  const problem = check(body, '');
  if (problem !== undefined) {
    // A problem begins with the path of the wrong field. This path becomes the `param` of the error.
    throw invalidRequest(`${problem}.`, problem.split(' ')[0]);
  }
  return body;
}

async function call(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof RangeError || error instanceof SvcError ? invalidRequest(error.message) : error;
  }
}
