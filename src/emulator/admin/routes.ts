import { SvcError } from '../../base/lib/errors.ts';
import { AUTOMATION_STATUSES, CONTACT_STATUSES, EVENT_TYPES, SCOPES } from '../../wire/words.ts';
import type { JsonObject } from '../action-context.ts';
import type { FaultRule, FaultScript } from '../faults/fault.ts';
import { asObject, readEnum, readJson, readNumber, readStrings, readText } from '../http/body.ts';
import { encode, invalid, notFound } from '../http/envelope.ts';
import type { ServiceRequest, ServiceResponse } from '../http/request-response.ts';
import { createRouter } from '../http/router.ts';
import { type Check, listOf, mapOf, objectOf, oneOf, TEXT } from '../setup/value-checks.ts';
import { PLANS } from '../store/organizations.ts';
import type { AccountSettings } from './account.ts';
import type { Admin } from './admin.ts';
import { FLOW_FIELDS, type NewAutomation } from './automations.ts';

/** One admin route. Its function gets the body and the `{…}` parts of the path. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly action: (admin: Admin, body: JsonObject, params: readonly string[]) => unknown;
}

/** The admin API over HTTP. Names are those of the typed functions, in snake_case. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  { method: 'GET', path: '/_emulator/state', action: (admin) => admin.state() },
  { method: 'GET', path: '/_emulator/requests', action: (admin) => ({ data: admin.requests() }) },
  { method: 'GET', path: '/_emulator/clock', action: (admin) => ({ now: admin.state().now }) },
  { method: 'POST', path: '/_emulator/clock', action: advance },
  { method: 'POST', path: '/_emulator/plan', action: (admin, body) => admin.setPlan(readEnum(body, 'plan', PLANS)) },
  { method: 'POST', path: '/_emulator/account', action: (admin, body) => admin.set(readAccount(body)) },
  { method: 'GET', path: '/_emulator/faults', action: (admin) => ({ data: admin.faults() }) },
  { method: 'POST', path: '/_emulator/faults', action: addFaults },
  { method: 'DELETE', path: '/_emulator/faults', action: (admin) => admin.clearFaults() },
  { method: 'POST', path: '/_emulator/keys', action: createKey },
  { method: 'DELETE', path: '/_emulator/keys', action: (admin, body) => admin.revokeKey(readText(body, 'api_key')) },
  { method: 'POST', path: '/_emulator/automations', action: createAutomation },
  { method: 'PATCH', path: '/_emulator/automations/{id}', action: setAutomationStatus },
  {
    method: 'POST',
    path: '/_emulator/automations/{id}/publish',
    action: (admin, _, [id = '']) => admin.publishAutomation(id),
  },
  {
    method: 'GET',
    path: '/_emulator/automations/{id}/enrollments',
    action: (admin, _, [id = '']) => ({ data: admin.enrollments(id) }),
  },
  { method: 'POST', path: '/_emulator/events', action: emitEvent },
  {
    method: 'POST',
    path: '/_emulator/deliveries/{id}/resend',
    action: (admin, _, [id = '']) => admin.resendDelivery(id),
  },
  { method: 'GET', path: '/_emulator/suppressions', action: (admin) => ({ data: admin.suppressions() }) },
  { method: 'GET', path: '/_emulator/contacts', action: (admin) => ({ data: admin.contacts() }) },
  { method: 'PATCH', path: '/_emulator/contacts/{email}', action: setContactStatus },
  {
    method: 'DELETE',
    path: '/_emulator/contacts/{email}',
    action: deleteContact,
  },
];

const KEY = objectOf({ scopes: listOf(oneOf(SCOPES)) });
const AUTOMATION = objectOf({ ...FLOW_FIELDS, audience_id: TEXT, entry_filter: mapOf(TEXT) });

// Without this check, responses of the service could contain words that the document doesn't know.
function assertFits(check: Check, body: JsonObject): void {
  const problem = check(body, '');
  if (problem !== undefined) {
    throw invalid(`${problem}.`);
  }
}

function advance(admin: Admin, body: JsonObject): unknown {
  admin.advance(readNumber(body, 'advance_ms'));
  return { now: admin.state().now };
}

function addFaults(admin: Admin, body: JsonObject): void {
  if (body.kind === undefined) {
    admin.addFaults(body as unknown as FaultScript);
  } else {
    admin.addFault(body as FaultRule);
  }
}

function createKey(admin: Admin, body: JsonObject): unknown {
  assertFits(KEY, body);
  return { api_key: admin.createKey(body.scopes as string[] | undefined) };
}

function createAutomation(admin: Admin, body: JsonObject): unknown {
  assertFits(AUTOMATION, body);
  const { audience_id, entry_filter, ...rest } = body;
  const automation = {
    ...rest,
    ...(audience_id === undefined ? {} : { audienceId: readText(body, 'audience_id') }),
    ...(entry_filter === undefined ? {} : { entryFilter: entry_filter }),
  };
  return { id: admin.createAutomation(automation as NewAutomation) };
}

function setAutomationStatus(admin: Admin, body: JsonObject, [id = '']: readonly string[]): void {
  admin.setAutomationStatus(id, readEnum(body, 'status', AUTOMATION_STATUSES));
}

function setContactStatus(admin: Admin, body: JsonObject, [email = '']: readonly string[]): void {
  admin.setStatus(email, readEnum(body, 'status', CONTACT_STATUSES));
}

function deleteContact(admin: Admin, _: JsonObject, [email = '']: readonly string[]): void {
  if (admin.contact(email) === undefined) {
    throw invalid(`no contact ${email}`);
  }
  admin.deleteContact(email);
}

function emitEvent(admin: Admin, body: JsonObject): void {
  const { data = {} } = body;
  admin.emitEvent(readEnum(body, 'type', EVENT_TYPES), asObject(data, 'data', 'data'));
}

/** Reads the settings of an account; absent fields are not changed. Throws 400 `invalid_request`. */
function readAccount(body: JsonObject): AccountSettings {
  return {
    ...(body.plan === undefined ? {} : { plan: readEnum(body, 'plan', PLANS) }),
    ...(body.members === undefined ? {} : { members: readStrings(body, 'members') }),
    ...(body.domains === undefined ? {} : { domains: readStrings(body, 'domains') }),
    ...(body.sending_disabled === undefined ? {} : { sendingDisabled: readFlag(body, 'sending_disabled') }),
    ...(body.forbidden === undefined ? {} : { forbidden: readFlag(body, 'forbidden') }),
    ...(body.allowance === undefined ? {} : { allowance: readAllowance(body) }),
  };
}

function readFlag(body: JsonObject, field: string): boolean {
  const value = body[field];
  if (typeof value !== 'boolean') {
    throw invalid(`${field} must be true or false.`, field);
  }
  return value;
}

// Null removes the limit.
function readAllowance(body: JsonObject): number | null {
  return body.allowance === null ? null : readNumber(body, 'allowance');
}

const findRoute = createRouter(ADMIN_ROUTES);

/** Responds under `/_emulator/`, after the checks of host and key. An unknown id or value is 400 `invalid_request`. */
export function handleAdmin(admin: Admin, request: ServiceRequest): ServiceResponse {
  const match = findRoute(request.method, request.path.split('?')[0] ?? '');
  if (match === undefined) {
    throw notFound('admin route');
  }
  const { route, params } = match;
  const result = call(() => route.action(admin, readAdminBody(request, route), params));
  return { status: 200, headers: {}, body: encode(result ?? {}) };
}

// A list is a script of faults, as in a file.
function readAdminBody(request: ServiceRequest, { action }: AdminRoute): JsonObject {
  const json = readJson(request);
  return action === addFaults && Array.isArray(json) ? { rules: json } : asObject(json, 'The body');
}

function call(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    throw error instanceof RangeError || error instanceof SvcError ? invalid(error.message) : error;
  }
}
