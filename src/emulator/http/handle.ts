import type { Caller } from '../context.ts';
import type { AccountChange } from '../faults/fault.ts';
import { spoilAnswer, strike, strikesAt } from '../faults/strike.ts';
import { assertKeyLength } from '../limits/idempotency.ts';
import { runOnce } from '../limits/run-once.ts';
import { isMcp } from '../mcp/mcp.ts';
import { FIRST_ORGANIZATION } from '../setup/bootstrap.ts';
import { assertAllowed, assertLocal, assertScope, authenticate } from './access.ts';
import { encode, errorBody, invalid, notFound, Refusal } from './envelope.ts';
import type { GateParts, Passage } from './handle-parts.ts';
import { type ArrivingRequest, type GateRequest, type GateResponse, LARGEST_BODY, TOO_LARGE } from './messages.ts';

const ADMIN_PREFIX = '/_emulator/';

/**
 * Answers one request: host → faults → key → rate → route → size → scope → body → idempotency → action. The body is read
 * only when the head lets the request in (rule K7). Rejects with ConnectionEnded where a scripted fault ends the connection.
 */
export async function passGate(parts: GateParts, request: ArrivingRequest): Promise<GateResponse> {
  const passage = enter(parts, request);
  const { requestId } = passage;
  const at = parts.world.clock.now();
  try {
    const answer = finish(parts, passage, await answerOrRefusal(parts, passage));
    const replayed = answer.headers['idempotency-replayed'] === 'true';
    const whole = spoilAnswer(passage.faults, answer);
    parts.log.add({ ...request, body: passage.body }, { at, status: whole.status, replayed, requestId });
    return whole;
  } catch (error) {
    parts.log.add({ ...request, body: passage.body }, { at, status: undefined, replayed: false, requestId });
    throw error;
  }
}

function enter(parts: GateParts, request: ArrivingRequest): Passage {
  const requestId = `req_${parts.world.randomHex(16)}`;
  const steal = (requests: number) => parts.rates.steal(FIRST_ORGANIZATION, requests, parts.world.clock.now());
  const change = (what: AccountChange) => parts.change(what, request.headers.authorization);
  const outside = { requestId, steal, change, sleep: parts.sleep };
  const faults = request.path.startsWith(ADMIN_PREFIX) ? [] : parts.faults.pick(request);
  const body = Buffer.isBuffer(request.body) ? request.body : undefined;
  return { request, body, requestId, faults, outside, organization: FIRST_ORGANIZATION };
}

async function answerOrRefusal(parts: GateParts, passage: Passage): Promise<GateResponse> {
  try {
    return await answer(parts, passage);
  } catch (error) {
    if (error instanceof Refusal) {
      return { status: error.status, headers: error.headers, body: encode(errorBody(error, passage.requestId)) };
    }
    throw error;
  }
}

async function answer(parts: GateParts, passage: Passage): Promise<GateResponse> {
  const { request, faults, outside } = passage;
  assertLocal(request.headers);
  const page = strikesAt(faults, 'before') ? await strike(faults, 'before', outside) : undefined;
  if (page !== undefined) {
    return page;
  }
  const caller = authenticate(parts.world.store, request.headers.authorization);
  passage.organization = caller.organization;
  if (request.path.startsWith(ADMIN_PREFIX)) {
    return parts.admin(await withBody(passage));
  }
  assertAllowed(caller);
  const answered = await serve(parts, passage, caller);
  const instead = strikesAt(faults, 'after') ? await strike(faults, 'after', outside) : undefined;
  return instead ?? answered;
}

async function serve(parts: GateParts, passage: Passage, caller: Caller): Promise<GateResponse> {
  const { request } = passage;
  const now = parts.world.clock.now();
  parts.rates.admit(caller.organization, now);
  if (isMcp(request)) {
    return parts.mcp(await withBody(passage), { caller, requestId: passage.requestId });
  }
  const match = parts.match(request.method, request.path.split('?')[0] ?? '');
  if (match === undefined) {
    throw notFound('route');
  }
  if (match.route.transactional) {
    parts.rates.admitSend(caller.organization, now);
  }
  assertSize(passage);
  if (parts.world.quirks.stored_scope_errors === 'no') {
    assertScope(match.route, caller);
  }
  assertKeyLength(request);
  // A body at hand costs no turn, so that what is sent in one turn is judged in one.
  const whole = passage.body === undefined ? await withBody(passage) : { ...request, body: passage.body };
  return runOnce(parts, passage, { request: whole, match, caller });
}

/** By its head; a body that doesn't say how long it is is measured while it is read. */
function assertSize({ request, body }: Passage): void {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY || (body?.length ?? 0) > LARGEST_BODY) {
    throw invalid(TOO_LARGE);
  }
}

async function withBody(passage: Passage): Promise<GateRequest> {
  assertSize(passage);
  const { request } = passage;
  passage.body ??= typeof request.body === 'function' ? await request.body() : request.body;
  return { ...request, body: passage.body };
}

function finish({ world, rates }: GateParts, passage: Passage, answered: GateResponse): GateResponse {
  const now = world.clock.now();
  const headers = {
    date: new Date(now).toUTCString(),
    ...(answered.body.length > 0 ? { 'content-type': 'application/json; charset=utf-8' } : {}),
    ...rates.headers(passage.organization, now),
    ...answered.headers,
  };
  return { ...answered, headers };
}
