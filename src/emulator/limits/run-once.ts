import type { Caller } from '../context.ts';
import { refusalOf, strike, strikesAt } from '../faults/strike.ts';
import { assertScope } from '../http/access.ts';
import { readBody } from '../http/body.ts';
import { type Answer, encode, errorBody, Refusal } from '../http/envelope.ts';
import type { GateParts, Passage } from '../http/handle-parts.ts';
import { ConnectionEnded, type GateRequest, type GateResponse } from '../http/messages.ts';
import type { Match } from '../http/router.ts';
import type { Quirks } from '../variants.ts';
import { type Identity, readIdentity, type StoredAnswer } from './idempotency.ts';

/** A request that is past key, rate and route, with its body. */
export interface Admitted {
  readonly request: GateRequest;
  readonly match: Match;
  readonly caller: Caller;
}

/**
 * Runs the action, once per idempotency key: the effect and the stored answer are one transaction, so nothing can come
 * between them. Only a scripted fault holds a claim over several turns.
 */
export async function runOnce(parts: GateParts, passage: Passage, admitted: Admitted): Promise<GateResponse> {
  const { claims, world } = parts;
  const { request, caller } = admitted;
  const identity = readIdentity(request, ownerOf(caller, world.quirks));
  const stored = identity && claims.find(identity);
  if (stored !== undefined) {
    return { ...stored, headers: { 'idempotency-replayed': 'true' } };
  }
  if (strikesAt(passage.faults, 'claimed')) {
    identity && claims.hold(identity);
    await strike(passage.faults, 'claimed', passage.outside);
  }
  const lost = passage.faults.find((fault) => fault.kind === 'lost_claim');
  if (lost?.kind === 'lost_claim' && identity !== undefined) {
    loseClaim(parts, { passage, admitted, identity }, lost.effect);
  }
  return { ...complete(parts, { passage, admitted, identity }), headers: {} };
}

interface Run {
  readonly passage: Passage;
  readonly admitted: Admitted;
  readonly identity: Identity | undefined;
}

/** Whose idempotency keys the caller's are among. */
function ownerOf(caller: Caller, quirks: Quirks): string {
  return quirks.claim_owner === 'key' ? `key ${caller.key}` : `organization ${caller.organization}`;
}

function loseClaim({ claims, world }: GateParts, run: Run & { identity: Identity }, effect: boolean): never {
  if (effect) {
    world.store.transaction(() => act(world, run));
  }
  claims.hold(run.identity);
  throw new ConnectionEnded({ kind: 'reset' });
}

function complete(parts: GateParts, run: Run): StoredAnswer {
  const { claims, world } = parts;
  const { identity } = run;
  try {
    return world.store.transaction(() => {
      const { status, body } = act(world, run);
      const answer = { status, body: encode(body) };
      identity && claims.complete(identity, answer);
      return answer;
    });
  } catch (error) {
    if (!(error instanceof Refusal) || identity === undefined) {
      throw error;
    }
    return storeRefusal(parts, { run, identity, refusal: error });
  }
}

// The refused action was rolled back; its answer is stored on its own.
function storeRefusal(
  { claims, world }: GateParts,
  it: { run: Run; identity: Identity; refusal: Refusal },
): StoredAnswer {
  const { refusal, identity } = it;
  const answer = { status: refusal.status, body: encode(errorBody(refusal, it.run.passage.requestId)) };
  if (world.quirks.stored_errors === 'yes') {
    claims.complete(identity, answer);
  } else {
    claims.release(identity);
  }
  return answer;
}

function act(world: GateParts['world'], { passage, admitted }: Run): Answer {
  const { request, match, caller } = admitted;
  const { faults } = passage;
  assertScope(match.route, caller);
  const scripted = faults.find((fault) => fault.kind === 'error' && fault.when === 'effect');
  if (scripted?.kind === 'error') {
    throw refusalOf(scripted);
  }
  const dropped = faults.find((fault) => fault.kind === 'drop_rows');
  const dropRows = dropped?.kind === 'drop_rows' ? dropped.rows : 0;
  const query = new URLSearchParams(request.path.split('?')[1] ?? '');
  const body = request.method === 'GET' ? {} : readBody(request);
  return match.route.action({ world, caller, params: match.params, query, body, dropRows });
}
