import { requestInProgressRefusal } from '../limits/idempotency.ts';
import { encodeBody, errorBody, Refusal } from '../protocol/envelope.ts';
import { ConnectionEnded, type ServiceResponse } from '../protocol/request-response.ts';
import type { AccountChange, ScriptedFault } from './fault.ts';

/**
 * What a fault can do besides changing the response: wait, count requests against the rate limit, change the account.
 */
export interface FaultEffects {
  readonly requestId: string;
  sleep(ms: number): Promise<void>;
  consumeQuota(requests: number): void;
  change(change: AccountChange): void;
}

type Point = 'before' | 'claimed' | 'after';

/**
 * True if a fault applies at this point. If none does, the caller must skip `playFaults`, because its `await` would let
 * other requests run in between.
 */
export function hasFaultAt(faults: readonly ScriptedFault[], point: Point): boolean {
  return faults.some((fault) => pointOf(fault) === point);
}

/**
 * Plays the faults of one point. Returns the response to send instead of the true one. Throws a Refusal for a 429 or a
 * claimed key. Throws ConnectionEnded if a fault closes the connection.
 */
export async function playFaults(
  faults: readonly ScriptedFault[],
  point: Point,
  effects: FaultEffects,
): Promise<ServiceResponse | undefined> {
  for (const fault of faults.filter((each) => pointOf(each) === point)) {
    const page = await playFault(fault, effects);
    if (page !== undefined) {
      return page;
    }
  }
  return undefined;
}

/** Applies the faults `headers` and `cut` to a response. Throws ConnectionEnded if `cut` cuts the body. */
export function applyResponseFaults(faults: readonly ScriptedFault[], whole: ServiceResponse): ServiceResponse {
  const response = faults.reduce(changeHeaders, whole);
  const cut = faults.find((fault) => fault.kind === 'cut');
  if (cut?.kind !== 'cut') {
    return response;
  }
  throw new ConnectionEnded({ kind: 'cut', partial: response, bytes: cut.bytes ?? response.body.length >> 1 });
}

function changeHeaders(response: ServiceResponse, fault: ScriptedFault): ServiceResponse {
  if (fault.kind !== 'headers') {
    return response;
  }
  const changed = new Map<string, string | null>([
    ...Object.entries(response.headers),
    ...Object.entries(fault.headers),
  ]);
  const remaining = [...changed].filter((header): header is [string, string] => header[1] !== null);
  return { ...response, headers: Object.fromEntries(remaining) };
}

function pointOf(fault: ScriptedFault): Point | undefined {
  switch (fault.kind) {
    case 'rate_limited':
    case 'in_flight':
    case 'steal':
      return 'before';
    case 'reset':
    case 'fin':
    case 'html':
    case 'answer':
    case 'slow':
    case 'change':
      return fault.when;
    case 'error':
      return fault.when === 'effect' ? undefined : fault.when;
    case 'lost_claim':
    case 'drop_rows':
    case 'cut':
    case 'headers':
      return undefined;
    default:
      return fault satisfies never;
  }
}

async function playFault(fault: ScriptedFault, effects: FaultEffects): Promise<ServiceResponse | undefined> {
  switch (fault.kind) {
    case 'slow':
      await effects.sleep(fault.ms);
      return undefined;
    case 'steal':
      effects.consumeQuota(fault.requests);
      return undefined;
    case 'change':
      effects.change(fault);
      return undefined;
    case 'html':
      return htmlPage(fault.status);
    case 'answer':
      return cannedResponse(fault);
    case 'error':
      return errorPage(fault, effects.requestId);
    default:
      throw errorOfFault(fault);
  }
}

function errorOfFault(fault: ScriptedFault): Error {
  switch (fault.kind) {
    case 'reset':
    case 'fin':
      return new ConnectionEnded({ kind: fault.kind });
    case 'rate_limited': {
      const headers: Record<string, string> =
        fault.retry_after === undefined ? {} : { 'retry-after': fault.retry_after };
      return new Refusal(429, 'rate_limit_exceeded', 'Over the request limit.', { headers });
    }
    default:
      return requestInProgressRefusal();
  }
}

export function refusalOf(fault: Extract<ScriptedFault, { kind: 'error' }>): Refusal {
  const { status, code, message = 'A scripted fault.', param } = fault;
  return new Refusal(status, code, message, param === undefined ? {} : { param });
}

function errorPage(fault: Extract<ScriptedFault, { kind: 'error' }>, requestId: string): ServiceResponse {
  return { status: fault.status, headers: {}, body: encodeBody(errorBody(refusalOf(fault), requestId)) };
}

function cannedResponse({
  status,
  body,
  text,
  headers = {},
}: Extract<ScriptedFault, { kind: 'answer' }>): ServiceResponse {
  return { status, headers, body: text === undefined ? encodeBody(body) : Buffer.from(text) };
}

function htmlPage(status: number): ServiceResponse {
  const body = Buffer.from(`<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`);
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}
