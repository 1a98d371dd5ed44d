import { assertScope, type Caller, type Route } from '../context/action-context.ts';
import type { Variants } from '../context/variants.ts';
import { hasFaultAt, playFaults, refusalOf } from '../faults/play-faults.ts';
import { type RequestIdentity, readIdentity } from '../limits/idempotency.ts';
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
 * Runs the action once for each idempotency key. A repeat gets the stored response. One transaction looks the key up,
 * and stores the effect and the response, because another process may use the same store. So no other request finds the
 * key claimed, unless a scripted fault holds it.
 */
export async function runOncePerKey(
  pipeline: Pipeline,
  state: HandledRequest,
  admitted: AdmittedRequest,
): Promise<ServiceResponse> {
  const identity = readIdentity(admitted.request, ownerOf(admitted.caller, pipeline.context.variants));
  const isClaimed = hasFaultAt(state.faults, 'claimed');
  if (isClaimed) {
    const replay = identity && claimKey(pipeline, { state, admitted, identity, isClaimed: false }, false);
    if (replay !== undefined) {
      return replay;
    }
    await playFaults(state.faults, 'claimed', state.effects);
  }
  const lost = state.faults.find((fault) => fault.kind === 'lost_claim');
  if (lost?.kind !== 'lost_claim' || identity === undefined) {
    return runAndStore(pipeline, { state, admitted, identity, isClaimed });
  }
  const replay = claimKey(pipeline, { state, admitted, identity, isClaimed }, lost.effect);
  if (replay === undefined) {
    throw new ConnectionEnded({ kind: 'reset' });
  }
  return replay;
}

interface ActionCall {
  readonly state: HandledRequest;
  readonly admitted: AdmittedRequest;
  readonly identity: RequestIdentity | undefined;
  /**
   * True if a scripted fault made this request claim its key before. Then it runs, even if the claim became too old and
   * another request ran meanwhile.
   */
  readonly isClaimed: boolean;
}

/**
 * The owner of an idempotency key. The variant `claim_owner` decides: all API keys of the organization share the key,
 * or only one API key owns it.
 */
function ownerOf(caller: Caller, variants: Variants): string {
  return variants.claim_owner === 'key' ? `key ${caller.key}` : `organization ${caller.organization}`;
}

/** The stored response to a repeat. Undefined if the request must run. To be called in the transaction that runs it. */
function findReplay({ claims }: Pipeline, call: ActionCall): ServiceResponse | undefined {
  const { admitted, identity, isClaimed } = call;
  const stored = identity === undefined || isClaimed ? undefined : claims.find(identity);
  if (stored === undefined) {
    return undefined;
  }
  // The response to a success may have data that the scope protects, such as the secret of a webhook endpoint.
  if (stored.status < 400) {
    assertScope(admitted.match.route, admitted.caller);
  }
  return { ...stored, headers: { 'idempotency-replayed': 'true' } };
}

/** Claims the key, and changes the store if `hasEffect` is true. Returns the stored response if there is one. */
function claimKey(
  pipeline: Pipeline,
  call: ActionCall & { readonly identity: RequestIdentity },
  hasEffect: boolean,
): ServiceResponse | undefined {
  const { claims, context } = pipeline;
  return context.store.transaction(() => {
    const replay = findReplay(pipeline, call);
    if (replay === undefined) {
      hasEffect && callAction(context, call);
      claims.block(call.identity);
    }
    return replay;
  });
}

function runAndStore(pipeline: Pipeline, call: ActionCall): ServiceResponse {
  const { claims, context } = pipeline;
  const { identity } = call;
  let isRunning = false;
  try {
    return context.store.transaction(() => {
      const replay = findReplay(pipeline, call);
      if (replay !== undefined) {
        return replay;
      }
      isRunning = true;
      const { status, body } = callAction(context, call);
      const response = { status, body: encodeBody(body) };
      identity && claims.complete(identity, response);
      return { ...response, headers: {} };
    });
  } catch (error) {
    if (!(error instanceof Refusal) || identity === undefined || !isRunning) {
      throw error;
    }
    return storeRefusal(pipeline, { ...call, identity }, error);
  }
}

// The transaction of the refused action was rolled back. A second transaction stores the response or frees the key, as
// the variant `stored_errors` says. It looks for a stored response again, because another process may have used the key
// between the two transactions.
function storeRefusal(
  pipeline: Pipeline,
  call: ActionCall & { readonly identity: RequestIdentity },
  refusal: Refusal,
): ServiceResponse {
  const { claims, context } = pipeline;
  return context.store.transaction(() => {
    const replay = findReplay(pipeline, call);
    if (replay !== undefined) {
      return replay;
    }
    const response = { status: refusal.status, body: encodeBody(errorBody(refusal, call.state.requestId)) };
    if (context.variants.stored_errors === 'yes') {
      claims.complete(call.identity, response);
    } else {
      claims.release(call.identity);
    }
    return { ...response, headers: {} };
  });
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
