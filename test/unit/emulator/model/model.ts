import { type Claim, createOrganization, type ModelContext, type Organization } from './account.ts';
import { doDueJobs } from './deliveries.ts';
import { type Arrived, type Expectation, wholeNumber } from './expectation.ts';
import { notFound, type Outcome, refuse, refuseAny, unreadable } from './refusals.ts';
import { act, endpointOf, lacksObject, type ModelRequest } from './service.ts';
import type { Fields } from './shapes.ts';

/** A model of the whole service: two organizations and their keys. It knows neither HTTP nor a database. */
export interface Model {
  readonly organizations: readonly [Organization, Organization];
  readonly context: ModelContext;
  respond(request: ModelRequest): Expectation;
  /** Stores the response to the last request under its idempotency key. */
  arrived(response: Arrived): void;
  /** Does what is due by now. */
  doDueJobs(): void;
  /** Other clients of the first organization send this many requests, or as many as the limit allows. */
  consumeQuota(requests: number): void;
}

/** The limits of the document. */
const [PER_MINUTE, SENDS_PER_MINUTE, MINUTE, DAY] = [600, 120, 60_000, 24 * 3_600_000];

export function createModel(plan: 'free' | 'paid', { now, receive }: Pick<ModelContext, 'now' | 'receive'>): Model {
  const organizations = [createOrganization(plan), createOrganization('paid')] as const;
  let count = 0;
  const context: ModelContext = {
    now,
    receive,
    attempts: [],
    nextSymbol(prefix) {
      count += 1;
      return `@${prefix}_${count}`;
    },
  };
  let open: Claim | undefined;
  const doDueJobsOfAll = () => organizations.forEach((organization) => doDueJobs(organization, now()));
  return {
    organizations,
    context,
    doDueJobs: doDueJobsOfAll,
    respond(request) {
      const step = { request, now: now(), context };
      doDueJobsOfAll();
      open = undefined;
      const refusal = refuseKey(request);
      const organization = organizations[request.apiKey === 'other' ? 1 : 0];
      const limited = refusal === undefined ? takeRate(organization, step) : undefined;
      const outcome = refusal ?? limited?.outcome ?? refuseRequest(request);
      const claimed = outcome === undefined ? claim(organization, step) : { outcome };
      open = 'claim' in claimed ? claimed.claim : undefined;
      const { status, body } = claimed.outcome ?? perform(organization, step);
      return { status, body, headers: headersOf(organization, step, { ...limited?.headers, ...claimed.headers }) };
    },
    arrived({ status, json }) {
      if (open !== undefined) {
        open.response = { status, json };
      }
    },
    consumeQuota(requests) {
      const [own] = organizations;
      own.requests = inWindow(own.requests, now());
      const room = Math.min(requests, PER_MINUTE - own.requests.length);
      own.requests.push(...Array<number>(room).fill(now()));
    },
  };
}

interface Step {
  readonly request: ModelRequest;
  readonly now: number;
  readonly context: ModelContext;
}

interface Passed {
  readonly outcome?: Outcome;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly claim?: Claim;
}

const KEY_REFUSALS: Readonly<Record<string, Outcome>> = {
  none: refuse(401, 'invalid_api_key'),
  unknown: refuse(401, 'invalid_api_key'),
  basic: refuse(401, 'invalid_api_key'),
  revoked: refuse(401, 'revoked_api_key'),
  test: refuse(403, 'test_keys_not_supported'),
};

const refuseKey = ({ apiKey }: ModelRequest) =>
  Object.hasOwn(KEY_REFUSALS, apiKey) ? KEY_REFUSALS[apiKey] : undefined;

/** 600 a minute of all requests and, inside them, 120 of POST /v1/emails, in a sliding window. A 429 doesn't count. */
function takeRate(organization: Organization, { request, now }: Step): Passed {
  const isSend = endpointOf(request) === 'POST emails';
  organization.requests = inWindow(organization.requests, now);
  organization.sends = inWindow(organization.sends, now);
  const isFull = organization.requests.length >= PER_MINUTE;
  const isSendFull = isSend && organization.sends.length >= SENDS_PER_MINUTE;
  if (isFull || isSendFull) {
    const waits = [
      ...(isFull ? [secondsUntilRoom(organization.requests, PER_MINUTE, now)] : []),
      ...(isSendFull ? [secondsUntilRoom(organization.sends, SENDS_PER_MINUTE, now)] : []),
    ];
    return { outcome: refuse(429, 'rate_limit_exceeded'), headers: { 'retry-after': String(Math.max(...waits)) } };
  }
  organization.requests.push(now);
  isSend && organization.sends.push(now);
  return {};
}

const inWindow = (moments: readonly number[], now: number) => moments.filter((moment) => now - moment < MINUTE);

function secondsUntilRoom(moments: readonly number[], limit: number, now: number): number {
  const freed = moments[moments.length - limit] ?? now;
  return Math.ceil((freed + MINUTE - now) / 1000);
}

// `automations:enroll`, and `webhooks:manage` also for reads.
const NEEDS_SCOPE = / enroll$|^\w+ webhooks/;

/** The route, the scope, then the key of idempotency. */
function refuseRequest(request: ModelRequest): Outcome | undefined {
  const endpoint = endpointOf(request);
  if (endpoint === undefined) {
    return refuse(404, 'not_found');
  }
  if (request.apiKey === 'plain' && NEEDS_SCOPE.test(endpoint)) {
    return refuse(403, 'insufficient_scope');
  }
  const isTooLong = request.method === 'POST' && (request.idempotencyKey?.length ?? 0) > 255;
  return isTooLong ? unreadable() : undefined;
}

/** The same key within 24 hours: the stored response, or a conflict for another request. */
function claim(organization: Organization, { request, now }: Step): Passed {
  const { idempotencyKey: key = '', method, path, body = '' } = request;
  if (method !== 'POST' || key === '') {
    return {};
  }
  const print = `${path}\n${body}`;
  const before = organization.claims.get(key);
  if (before === undefined || now - before.at >= DAY) {
    const fresh = { at: now, request: print };
    organization.claims.set(key, fresh);
    return { claim: fresh };
  }
  if (before.request !== print || before.response === undefined) {
    return { outcome: refuse(409, 'idempotency_conflict') };
  }
  const { status, json } = before.response;
  return { outcome: { status, body: json }, headers: { 'idempotency-replayed': 'true' } };
}

function perform(organization: Organization, { request, context }: Step): Outcome {
  const hasBody = request.method === 'POST' || request.method === 'PATCH';
  const body = hasBody ? parseObject(request) : {};
  if (body !== undefined) {
    return act(organization, request, context, body);
  }
  return refuseAny([unreadable(), ...(lacksObject(organization, request) ? [notFound()] : [])]);
}

/** The body as an object. Note empty_body: no body is an empty object. */
function parseObject({ body = '', contentType = 'application/json' }: ModelRequest): Fields | undefined {
  if (body === '') {
    return {};
  }
  try {
    const json: unknown = JSON.parse(body);
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    return isObject && contentType.startsWith('application/json') ? (json as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** The headers of every response. Those that a response must not have are undefined. */
function headersOf(
  { requests }: Organization,
  { now }: Step,
  own: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const used = inWindow(requests, now).length;
  return {
    'ratelimit-limit': String(PER_MINUTE),
    'ratelimit-remaining': String(Math.max(0, PER_MINUTE - used)),
    'ratelimit-reset': wholeNumber(0, 60),
    'retry-after': undefined,
    'idempotency-replayed': undefined,
    date: new Date(now).toUTCString(),
    ...own,
  };
}
