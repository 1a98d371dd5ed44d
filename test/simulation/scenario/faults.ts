import type { FaultRule, ScriptedFault } from '../../../src/emulator/faults/fault.ts';
import type { Random } from '../random.ts';

const BATCH = 'POST /v1/audiences/*/contacts/batch';
const IMPORT_ROUTES = [
  '*',
  '*',
  'POST *',
  BATCH,
  BATCH,
  'POST /v1/suppressions',
  'POST /v1/audiences',
  'GET *',
  'GET /v1/audiences/*',
];
const ENROLL = 'POST /v1/automations/*/enroll';
const ENROLL_ROUTES = ['*', 'POST *', ENROLL, ENROLL, ENROLL, 'GET *'];

/** Up to five rules. Each applies a limited number of times, so that every scenario ends. */
export function createFaults(random: Random, { enrolls }: { readonly enrolls: boolean }): FaultRule[] {
  return createFaultsAt(
    random,
    enrolls ? { enrolls, routes: ENROLL_ROUTES, latest: 8 } : { enrolls, routes: IMPORT_ROUTES, latest: 20 },
  );
}

/** Rules for requests of these routes. */
export function createFaultsAt(random: Random, place: Place): FaultRule[] {
  return Array.from({ length: random.int(1, 5) }, () => createRule(random, place));
}

/** Refusals of the first batches, so that a program ends before it knows how the service treats its people. */
export function createFirstRefusals(random: Random): FaultRule[] {
  const match = { route: BATCH };
  const code = random.pick(['plan_limit_reached', 'invalid_request', 'forbidden']);
  const status = code === 'invalid_request' ? 400 : 403;
  const end: ScriptedFault = random.chance(0.4)
    ? { kind: 'rate_limited', retry_after: '700' }
    : { kind: 'error', status, code, when: random.pick(['before', 'effect'] as const) };
  // After a 400 the first people are sent in halves.
  const halved: FaultRule = { kind: 'error', status: 400, code: 'invalid_request', when: 'before', times: 1, match };
  return [...(random.chance(0.4) ? [halved] : []), { ...end, match, after: random.int(0, 2), times: random.int(1, 3) }];
}

interface Place {
  readonly enrolls: boolean;
  readonly routes: readonly string[];
  /** The highest number of requests of a route before a rule applies. */
  readonly latest: number;
}

function createRule(random: Random, { enrolls, routes, latest }: Place): FaultRule {
  return {
    ...(enrolls ? withinDocument : asItIs)(random.pick(KINDS)(random)),
    match: { route: random.pick(routes) },
    after: random.int(0, latest),
    times: random.pick([1, 1, 2, 4, 12]),
    probability: random.pick([1, 0.3]),
  };
}

/**
 * A refusal is decided under the idempotency claim. A service that refused an enrollment which it had stored would
 * break its own document, and no client could notice.
 */
function underClaim(fault: ScriptedFault): ScriptedFault {
  return fault.kind === 'error' && fault.status < 500 && fault.when === 'before' ? { ...fault, when: 'effect' } : fault;
}

/** The fault, limited to what the document allows for a request with exactly one effect. */
function withinDocument(fault: ScriptedFault): ScriptedFault {
  return begunInTime(underClaim(fault));
}

/**
 * Limits a delay before the claim is read. A service that waits until an earlier claim expires does the work twice. The
 * last repeat starts half a minute before that.
 */
export function begunInTime<T extends ScriptedFault>(fault: T): T {
  return fault.kind === 'slow' && fault.when === 'before' ? { ...fault, ms: Math.min(fault.ms, 25_000) } : fault;
}

/** Limits the faults of one request, so that the effect comes before the claim expires. */
export function finishedInTime(faults: readonly FaultRule[]): FaultRule[] {
  const isHeld = (fault: FaultRule) => fault.kind === 'slow' && fault.when === 'claimed';
  const share = 280_000 / Math.max(1, faults.filter(isHeld).length);
  return faults.map((fault) =>
    fault.kind === 'slow' && isHeld(fault) ? { ...fault, ms: Math.min(fault.ms, share) } : fault,
  );
}

function asItIs(fault: ScriptedFault): ScriptedFault {
  return fault;
}

const BEFORE_OR_AFTER = ['before', 'after'] as const;

const KINDS: readonly ((random: Random) => ScriptedFault)[] = [
  (random) => ({ kind: random.pick(['reset', 'fin'] as const), when: random.pick(BEFORE_OR_AFTER) }),
  (random) => ({ kind: 'cut', ...(random.chance(0.5) ? { bytes: random.int(0, 40) } : {}) }),
  (random) => ({
    kind: 'html',
    status: random.pick([200, 403, 404, 500, 502, 503]),
    when: random.pick(BEFORE_OR_AFTER),
  }),
  (random) => ({
    kind: 'error',
    status: 500,
    code: 'internal_error',
    when: random.pick(['before', 'after', 'effect'] as const),
  }),
  (random) => ({
    kind: 'error',
    status: 403,
    code: 'plan_limit_reached',
    when: random.pick(['before', 'effect'] as const),
  }),
  (random) => ({
    kind: 'error',
    status: 400,
    code: 'invalid_request',
    when: random.pick(['before', 'effect'] as const),
  }),
  (random) => ({
    kind: 'slow',
    ms: random.pick([3_000, 50_000, 130_000, 400_000]),
    when: random.pick(['before', 'claimed', 'after'] as const),
  }),
  (random) => {
    const text = random.pick(['2', '40', '700', '', 'soon', '-5', '1e3']);
    return { kind: 'rate_limited', ...(text === '' ? {} : { retry_after: text }) };
  },
  (random) => ({ kind: 'in_flight', seconds: random.pick([4, 40, 200, 400, 900]) }),
  (random) => ({ kind: 'lost_claim', effect: random.chance(0.5) }),
  (random) => ({ kind: 'steal', requests: random.int(10, 600) }),
  (random) => ({ kind: 'change', revoke_key: true, when: random.pick(BEFORE_OR_AFTER) }),
  (random) => ({ kind: 'change', plan: random.pick(['free', 'paid'] as const), when: random.pick(BEFORE_OR_AFTER) }),
  (random) => ({ kind: 'headers', headers: random.pick(HEADERS) }),
  (random) => ({ kind: 'drop_rows', rows: random.int(1, 4) }),
];

/** Missing or impossible headers. They may only slow svc down (rule P5). */
const HEADERS: readonly Readonly<Record<string, string | null>>[] = [
  { 'ratelimit-limit': null, 'ratelimit-remaining': null, 'ratelimit-reset': null },
  { 'ratelimit-remaining': '0', 'ratelimit-reset': '20' },
  { 'ratelimit-remaining': '0', 'ratelimit-reset': '1767225620' },
  { 'ratelimit-remaining': '-1', 'ratelimit-reset': 'soon' },
  { 'ratelimit-remaining': '1e9', 'ratelimit-limit': '0' },
  { date: null },
  { date: 'yesterday' },
  { 'content-type': 'text/plain' },
  { 'content-type': null },
  { 'retry-after': '30' },
];
