import { assertScope, type Caller, type Route } from '../context/action-context.ts';
import type { Variants } from '../context/variants.ts';
import { hasFaultAt, playFaults, refusalOf } from '../faults/play-faults.ts';
import { type RequestIdentity, readIdentity, type StoredResponse } from '../limits/idempotency.ts';
import { readBody } from '../protocol/body.ts';
import { encodeBody, errorBody, Refusal, type RouteResponse } from '../protocol/envelope.ts';
import { ConnectionEnded, type ServiceRequest, type ServiceResponse } from '../protocol/request-response.ts';
import type { HandledRequest, Pipeline } from './handled-request.ts';
import type { RouteMatch } from './router.ts';

/** A request with its body. The API key, the rate limit and the route are checked already. */
export interface AdmittedRequest {
  readonly request: ServiceRequest;
  readonly match: RouteMatch<Route>;
  readonly caller: Caller;
}

/**
 * Runs the action once for each idempotency key. A repeat gets the stored response. One transaction stores both the
 * effect and the response. Other requests can meet a claimed key only if a scripted fault keeps it claimed.
 */
export async function runOncePerKey(
  pipeline: Pipeline,
  state: HandledRequest,
  admitted: AdmittedRequest,
): Promise<ServiceResponse> {
  const { claims, context } = pipeline;
  const { request, caller } = admitted;
  const identity = readIdentity(request, ownerOf(caller, context.variants));
  const stored = identity && claims.find(identity);
  if (stored !== undefined) {
    // The response to a success may have data that the scope protects, such as the secret of a webhook endpoint.
    if (stored.status < 400) {
      assertScope(admitted.match.route, caller);
    }
    return { ...stored, headers: { 'idempotency-replayed': 'true' } };
  }
  if (hasFaultAt(state.faults, 'claimed')) {
    identity && claims.block(identity);
    await playFaults(state.faults, 'claimed', state.effects);
  }
  const lost = state.faults.find((fault) => fault.kind === 'lost_claim');
  if (lost?.kind === 'lost_claim' && identity !== undefined) {
    loseClaim(pipeline, { state, admitted, identity }, lost.effect);
  }
  return { ...runAndStore(pipeline, { state, admitted, identity }), headers: {} };
}

interface ActionCall {
  readonly state: HandledRequest;
  readonly admitted: AdmittedRequest;
  readonly identity: RequestIdentity | undefined;
}

/**
 * The owner of an idempotency key. The variant `claim_owner` decides: all API keys of the organization share the key,
 * or only one API key owns it.
 */
function ownerOf(caller: Caller, variants: Variants): string {
  return variants.claim_owner === 'key' ? `key ${caller.key}` : `organization ${caller.organization}`;
}

function loseClaim(
  { claims, context }: Pipeline,
  call: ActionCall & { identity: RequestIdentity },
  hasEffect: boolean,
): never {
  if (hasEffect) {
    context.store.transaction(() => callAction(context, call));
  }
  claims.block(call.identity);
  throw new ConnectionEnded({ kind: 'reset' });
}

function runAndStore(pipeline: Pipeline, call: ActionCall): StoredResponse {
  const { claims, context } = pipeline;
  const { identity } = call;
  try {
    return context.store.transaction(() => {
      const { status, body } = callAction(context, call);
      const response = { status, body: encodeBody(body) };
      identity && claims.complete(identity, response);
      return response;
    });
  } catch (error) {
    if (!(error instanceof Refusal) || identity === undefined) {
      throw error;
    }
    return storeRefusal(pipeline, { call, identity, refusal: error });
  }
}

// The transaction of the refused action was rolled back. A second transaction stores the response or frees the key, as
// the variant `stored_errors` says.
function storeRefusal(
  { claims, context }: Pipeline,
  { call, identity, refusal }: { call: ActionCall; identity: RequestIdentity; refusal: Refusal },
): StoredResponse {
  const response = { status: refusal.status, body: encodeBody(errorBody(refusal, call.state.requestId)) };
  if (context.variants.stored_errors === 'yes') {
    claims.complete(identity, response);
  } else {
    claims.release(identity);
  }
  return response;
}

function callAction(context: Pipeline['context'], { state, admitted }: ActionCall): RouteResponse {
  const { request, match, caller } = admitted;
  const { faults } = state;
  assertScope(match.route, caller);
  const scripted = faults.find((fault) => fault.kind === 'error' && fault.when === 'effect');
  if (scripted?.kind === 'error') {
    throw refusalOf(scripted);
  }
  const dropped = faults.find((fault) => fault.kind === 'drop_rows');
  const dropRows = dropped?.kind === 'drop_rows' ? dropped.rows : 0;
  // The query begins at the first question mark. Any later one is a part of the query.
  const query = new URLSearchParams(request.path.replace(/^[^?]*/, ''));
  const body = request.method === 'GET' ? {} : readBody(request);
  return match.route.action({ context, caller, params: match.params, query, body, dropRows });
}
