import { assertAllowed, authenticate } from './auth.ts';
import { encode, errorBody, invalid, notFound, Refusal } from './envelope.ts';
import { spoilAnswer, strike, strikesAt } from './fault-hooks.ts';
import type { AccountChange } from './faults.ts';
import type { GateParts, Passage } from './gate-parts.ts';
import { type GateRequest, type GateResponse, LARGEST_BODY } from './gate-types.ts';
import { assertLocal } from './host.ts';
import { isMcp } from './mcp/endpoint.ts';
import { runOnce } from './run-once.ts';
import { assertScope } from './scope.ts';
import type { Caller } from './world.ts';

const FIRST_ORGANIZATION = 1;
const ADMIN_PREFIX = '/_emulator/';

/**
 * Answers one request: host → faults → key → rate → route → scope → idempotency → action. Rejects with ConnectionEnded
 * where a scripted fault ends the connection.
 */
export async function passGate(parts: GateParts, request: GateRequest): Promise<GateResponse> {
  const passage = enter(parts, request);
  const { requestId } = passage;
  const at = parts.world.clock.now();
  try {
    const answer = finish(parts, passage, await answerOrRefusal(parts, passage));
    const replayed = answer.headers['idempotency-replayed'] === 'true';
    const whole = spoilAnswer(passage.faults, answer);
    parts.log.add(request, { at, status: whole.status, replayed, requestId });
    return whole;
  } catch (error) {
    parts.log.add(request, { at, status: undefined, replayed: false, requestId });
    throw error;
  }
}

function enter(parts: GateParts, request: GateRequest): Passage {
  const requestId = `req_${parts.world.randomHex(16)}`;
  const steal = (requests: number) => parts.rates.steal(FIRST_ORGANIZATION, requests, parts.world.clock.now());
  const change = (what: AccountChange) => parts.change(what, request.headers.authorization);
  const outside = { requestId, steal, change, sleep: parts.sleep };
  const faults = request.path.startsWith(ADMIN_PREFIX) ? [] : parts.faults.pick(request);
  return { request, requestId, faults, outside, organization: FIRST_ORGANIZATION };
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
    return parts.admin(request);
  }
  assertAllowed(caller);
  const answered = await serve(parts, passage, caller);
  const instead = strikesAt(faults, 'after') ? await strike(faults, 'after', outside) : undefined;
  return instead ?? answered;
}

function serve(parts: GateParts, passage: Passage, caller: Caller): Promise<GateResponse> {
  const { request } = passage;
  const now = parts.world.clock.now();
  parts.rates.admit(caller.organization, now);
  if (isMcp(request)) {
    return parts.mcp(request, { caller, requestId: passage.requestId });
  }
  const match = parts.match(request.method, request.path.split('?')[0] ?? '');
  if (match === undefined) {
    throw notFound('route');
  }
  if (match.route.transactional) {
    parts.rates.admitSend(caller.organization, now);
  }
  if (request.body.length > LARGEST_BODY) {
    throw invalid('The body is too large.');
  }
  if (parts.world.quirks.stored_scope_errors === 'no') {
    assertScope(match.route, caller, parts.world.quirks);
  }
  return runOnce(parts, passage, { match, caller });
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
