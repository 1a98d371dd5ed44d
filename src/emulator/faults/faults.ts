import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { RequestHead } from '../http/messages.ts';

type When = 'before' | 'after';

/** What goes wrong. `before` and `after` are seen from the request's effect on the store. */
export type Fault =
  /** The connection is reset, or closed in good order, with nothing answered. */
  | { readonly kind: 'reset' | 'fin'; readonly when: When }
  /** The answer's head promises the whole body; only `bytes` of it (default: half) come. The effect has happened. */
  | { readonly kind: 'cut'; readonly bytes?: number }
  /** A page of some proxy instead of an answer. */
  | { readonly kind: 'html'; readonly status: number; readonly when: When }
  /** An error with any code. `effect`: instead of the effect, inside the idempotency claim, so that it may be stored. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly param?: string;
      readonly when: When | 'effect';
    }
  /** Any answer at all: `body` goes as JSON, `text` as it is. With `after` the effect has happened all the same. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly when: When;
    }
  /** The true answer with other headers; null takes one away. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string | null>> }
  /** A pause by the clock. `claimed`: after the idempotency key was claimed, so that its repeats meet a 409. */
  | { readonly kind: 'slow'; readonly ms: number; readonly when: When | 'claimed' }
  /** A 429 with this `Retry-After` text, or with none. */
  | { readonly kind: 'rate_limited'; readonly retry_after?: string }
  /** The idempotency key meets 409 `idempotency_conflict` for that long from its first request on, then runs. */
  | { readonly kind: 'in_flight'; readonly seconds: number }
  /** The request dies holding its claim, with its effect done or not; the claim is taken over after 5 minutes. */
  | { readonly kind: 'lost_claim'; readonly effect: boolean }
  /** Other clients of the organization use up that many requests of the window first. */
  | { readonly kind: 'steal'; readonly requests: number }
  /** The account changes under the run: its plan, the calling key, the status of an automation. */
  | ({ readonly kind: 'change'; readonly when: When } & AccountChange)
  /** The last rows of a batch are answered as written, and are not. */
  | { readonly kind: 'drop_rows'; readonly rows: number };

/** What a scripted fault can change about the account; absent fields are left alone. */
export interface AccountChange {
  readonly plan?: 'free' | 'paid';
  readonly revoke_key?: boolean;
  readonly automation?: { readonly id: string; readonly status: string };
}

/** When a fault strikes: requests that match, after the first `after` of them, at most `times`, each with `probability`. */
export type FaultRule = Fault & {
  readonly match?: {
    /** `POST /v1/audiences/…/contacts/batch`: method and path without query, `*` for anything. */
    readonly route?: string;
    /** The Idempotency-Key, `*` for anything. */
    readonly key?: string;
  };
  readonly after?: number;
  readonly times?: number;
  readonly probability?: number;
};

/** Scripted faults: plain data, as in the file of `--faults`; rules, or rules with a seed. `seed` makes the probabilities repeatable. */
export type FaultScript = readonly FaultRule[] | { readonly seed?: number; readonly rules: readonly FaultRule[] };

/** The faults in force. */
export interface Faults {
  /** The faults that strike this request, in the order of their rules. */
  pick(request: RequestHead): readonly Fault[];
  add(rule: FaultRule): void;
  clear(): void;
  rules(): readonly FaultRule[];
}

/** Starts a script. Throws SvcError at a rule of an unknown kind, which would never strike. */
export function createFaults(script: FaultScript, now: () => number): Faults {
  const { seed = 1, rules } = 'rules' in script ? script : { rules: script };
  const random = createRandom(seed);
  let active = rules.map((rule) => activate(rule, { random, now }));
  return {
    pick: (request) => active.filter((each) => each.strikes(request)).map((each) => each.rule),
    add(rule) {
      active.push(activate(rule, { random, now }));
    },
    clear() {
      active = [];
    },
    rules: () => active.map((each) => each.rule),
  };
}

interface ActiveRule {
  readonly rule: FaultRule;
  strikes(request: RequestHead): boolean;
}

// A record, so that the compiler misses a kind that isn't listed.
const KINDS: Readonly<Record<Fault['kind'], true>> = {
  reset: true,
  fin: true,
  cut: true,
  html: true,
  error: true,
  answer: true,
  headers: true,
  slow: true,
  rate_limited: true,
  in_flight: true,
  lost_claim: true,
  steal: true,
  change: true,
  drop_rows: true,
};

function activate(rule: FaultRule, outside: { random: () => number; now: () => number }): ActiveRule {
  if (!Object.hasOwn(KINDS, rule.kind)) {
    const known = Object.keys(KINDS).join(', ');
    throw new SvcError(EXIT.usage, 'unknown_fault', `no such kind of fault: ${rule.kind} (known: ${known})`);
  }
  const until = new Map<string, number>();
  const inTurn = createTurns(rule, outside.random);
  return {
    rule,
    strikes(request) {
      if (!matches(rule, request)) {
        return false;
      }
      if (rule.kind !== 'in_flight') {
        return inTurn();
      }
      const key = request.headers['idempotency-key'] ?? '';
      const end = until.get(key) ?? (inTurn() ? outside.now() + rule.seconds * 1_000 : 0);
      until.set(key, end);
      return outside.now() < end;
    },
  };
}

function createTurns(rule: FaultRule, random: () => number): () => boolean {
  const { after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = rule;
  let matched = 0;
  let struck = 0;
  return () => {
    matched += 1;
    const due = matched > after && struck < times && (probability >= 1 || random() < probability);
    struck += due ? 1 : 0;
    return due;
  };
}

function matches({ match = {} }: FaultRule, request: RequestHead): boolean {
  const route = `${request.method} ${request.path.split('?')[0]}`;
  const key = request.headers['idempotency-key'] ?? '';
  return fits(match.route, route) && fits(match.key, key);
}

function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) {
    return true;
  }
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}

// mulberry32: small, seeded, good enough to scatter faults.
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
