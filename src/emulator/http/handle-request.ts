import { assertScope, type Caller } from '../context/action-context.ts';
import type { AccountChange } from '../faults/fault.ts';
import { applyResponseFaults, hasFaultAt, playFaults } from '../faults/play-faults.ts';
import { assertKeyLength } from '../limits/idempotency.ts';
import { isMcp } from '../mcp/mcp.ts';
import { createRefusal, encodeBody, errorBody, invalidRequest, notFound, Refusal } from '../protocol/envelope.ts';
import {
  type ArrivingRequest,
  ConnectionEnded,
  MAX_BODY_BYTES,
  type ServiceRequest,
  type ServiceResponse,
  TOO_LARGE_MESSAGE,
} from '../protocol/request-response.ts';
import { FIRST_ORGANIZATION } from '../store/organizations.ts';
import { assertAllowed, assertLocal, authenticate } from './access.ts';
import type { HandledRequest, Pipeline } from './handled-request.ts';
import { runOncePerKey } from './run-once-per-key.ts';

const ADMIN_PREFIX = '/_emulator/';

/**
 * Responds to one request. Checks in this order: host and origin, scripted faults, API key, account, rate limit, route,
 * size, scope, length of the idempotency key, body, stored response. Then runs the action. Reads the body only after it
 * has checked the headers (K7). Rejects with ConnectionEnded if a scripted fault closes the connection.
 */
export async function handleRequest(pipeline: Pipeline, request: ArrivingRequest): Promise<ServiceResponse> {
  const state = createState(pipeline, request);
  const { requestId } = state;
  const time = pipeline.context.clock.now();
  try {
    const response = withCommonHeaders(pipeline, state, await respond(pipeline, state));
    const isReplayed = response.headers['idempotency-replayed'] === 'true';
    const whole = applyResponseFaults(state.faults, response);
    pipeline.log.add(
      { ...request, body: state.body },
      { at: time, status: whole.status, replayed: isReplayed, requestId },
    );
    return whole;
  } catch (error) {
    pipeline.log.add({ ...request, body: state.body }, { at: time, status: undefined, replayed: false, requestId });
    throw error;
  }
}

function createState(pipeline: Pipeline, request: ArrivingRequest): HandledRequest {
  const requestId = newRequestId(pipeline);
  const consumeQuota = (requests: number) =>
    pipeline.rateLimiter.consumeQuota(FIRST_ORGANIZATION, requests, pipeline.context.clock.now());
  const change = (what: AccountChange) => pipeline.changeAccount(what, request.headers.authorization);
  const effects = { requestId, consumeQuota, change, sleep: pipeline.sleep };
  const faults = request.path.startsWith(ADMIN_PREFIX) ? [] : pipeline.faults.pick(request);
  const body = Buffer.isBuffer(request.body) ? request.body : undefined;
  return { request, body, requestId, faults, effects, organization: FIRST_ORGANIZATION };
}

async function respond(pipeline: Pipeline, state: HandledRequest): Promise<ServiceResponse> {
  try {
    return await runSteps(pipeline, state);
  } catch (error) {
    return refusedResponse(error, state);
  }
}

/** The response to a refused request. Throws the error again if it is a ConnectionEnded. */
function refusedResponse(error: unknown, { requestId }: HandledRequest): ServiceResponse {
  if (error instanceof ConnectionEnded) {
    throw error;
  }
  const refusal = error instanceof Refusal ? error : FAILED;
  return { status: refusal.status, headers: refusal.headers, body: encodeBody(errorBody(refusal, requestId)) };
}

const FAILED = createRefusal(500, 'internal_error', 'The emulator itself failed.');

/**
 * The response to a request that Node can't read, or whose headers the server refuses. Such a request is not logged,
 * and the response repeats nothing of it.
 */
export function refuseUnreadable(pipeline: Pipeline, status: number): ServiceResponse {
  const requestId = newRequestId(pipeline);
  const refusal = new Refusal(status, 'invalid_request', 'This is not a valid HTTP request.');
  const response = { status, headers: {}, body: encodeBody(errorBody(refusal, requestId)) };
  return withCommonHeaders(pipeline, { organization: FIRST_ORGANIZATION }, response);
}

function newRequestId({ context }: Pipeline): string {
  return `req_${context.randomHex(16)}`;
}

async function runSteps(pipeline: Pipeline, state: HandledRequest): Promise<ServiceResponse> {
  const { request, faults, effects } = state;
  assertLocal(request.headers);
  const page = hasFaultAt(faults, 'before') ? await playFaults(faults, 'before', effects) : undefined;
  if (page !== undefined) {
    return page;
  }
  if (!hasFaultAt(faults, 'after')) {
    return respondToCaller(pipeline, state);
  }
  // Faults with `after` are played even if the request was refused, because their rules have counted it already as one
  // of their `times`.
  const response = await respondToCaller(pipeline, state).catch((error: unknown) => refusedResponse(error, state));
  return (await playFaults(faults, 'after', effects)) ?? response;
}

async function respondToCaller(pipeline: Pipeline, state: HandledRequest): Promise<ServiceResponse> {
  const { request } = state;
  const caller = authenticate(pipeline.context.store, request.headers.authorization);
  state.organization = caller.organization;
  if (request.path.startsWith(ADMIN_PREFIX)) {
    return pipeline.admin(await withBody(state));
  }
  assertAllowed(caller);
  return respondWithinLimits(pipeline, state, caller);
}

async function respondWithinLimits(
  pipeline: Pipeline,
  state: HandledRequest,
  caller: Caller,
): Promise<ServiceResponse> {
  const { request } = state;
  const now = pipeline.context.clock.now();
  const match = pipeline.findRoute(request.method, request.path.split('?')[0] ?? '');
  const isSend = match?.route.transactional === true;
  pipeline.rateLimiter.consume({ organization: caller.organization, isSend }, now);
  if (isMcp(request)) {
    return pipeline.mcp(await withBody(state), { caller, requestId: state.requestId });
  }
  if (match === undefined) {
    throw notFound('route');
  }
  assertSize(state);
  if (pipeline.context.variants.stored_scope_errors === 'no') {
    assertScope(match.route, caller);
  }
  assertKeyLength(request);
  // There is no `await` if the body is there already. So requests that are sent together are handled in their order.
  const whole = state.body === undefined ? await withBody(state) : { ...request, body: state.body };
  return runOncePerKey(pipeline, state, { request: whole, match, caller });
}

/** Checks the announced length of the body. A body without an announced length is measured while it arrives. */
function assertSize({ request, body }: HandledRequest): void {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES || (body?.length ?? 0) > MAX_BODY_BYTES) {
    throw invalidRequest(TOO_LARGE_MESSAGE);
  }
}

async function withBody(state: HandledRequest): Promise<ServiceRequest> {
  assertSize(state);
  const { request } = state;
  state.body ??= typeof request.body === 'function' ? await request.body() : request.body;
  return { ...request, body: state.body };
}

function withCommonHeaders(
  { context, rateLimiter }: Pipeline,
  state: Pick<HandledRequest, 'organization'>,
  response: ServiceResponse,
): ServiceResponse {
  const now = context.clock.now();
  const headers = {
    date: new Date(now).toUTCString(),
    ...(response.body.length > 0 ? { 'content-type': 'application/json; charset=utf-8' } : {}),
    ...rateLimiter.headers(state.organization, now),
    ...response.headers,
  };
  return { ...response, headers };
}
