import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { AUTOMATION_STATUSES } from '../../wire/words.ts';
import type { RequestHead } from '../http/request-response.ts';
import {
  AMOUNT,
  ANYTHING,
  type Check,
  COUNT,
  FLAG,
  listOf,
  mapOf,
  must,
  objectOf,
  oneOf,
  orNull,
  TEXT,
} from '../setup/value-checks.ts';
import { PLANS } from '../store/organizations.ts';
import type { Fault, FaultRule, FaultScript } from './fault.ts';

export interface Faults {
  /** The faults that strike this request, in the order of their rules. */
  pick(request: RequestHead): readonly Fault[];
  add(rule: FaultRule): void;
  clear(): void;
  rules(): readonly FaultRule[];
}

/** Starts a script. Throws SvcError for an invalid rule. */
export function createFaults(script: FaultScript, now: () => number): Faults {
  assertScript(script);
  const { seed = 1, rules } = 'rules' in script ? script : { rules: script };
  const random = createRandom(seed);
  let active = rules.map((rule) => activate(rule, { random, now }));
  return {
    pick: (request) => active.filter((each) => each.strikes(request)).map((each) => each.rule),
    add(rule) {
      assertRule(rule);
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

function activate(rule: FaultRule, effects: { random: () => number; now: () => number }): ActiveRule {
  const until = new Map<string, number>();
  const inTurn = createTurns(rule, effects.random);
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
      const end = until.get(key) ?? (inTurn() ? effects.now() + rule.seconds * 1_000 : 0);
      until.set(key, end);
      return effects.now() < end;
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
  return matchesPattern(match.route, route) && matchesPattern(match.key, key);
}

function matchesPattern(pattern: string | undefined, text: string): boolean {
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

const WHEN = oneOf(['before', 'after']);
const STATUS = must(
  'an HTTP status from 200 to 599',
  (value) => /^[2-5]\d\d$/.test(String(value)) && typeof value === 'number',
);

// The server could not send another header: each connection would just close.
const HEADER = must('a string that a header can hold', (value) => isText(value, /^[\t\x20-\x7e\x80-\xff]*$/));

function headersOf(check: Check): Check {
  return (value, path) => {
    const wrong = Object.keys(Object(value)).find((name) => !/^[!#$%&'*+.^`|~\w-]+$/.test(name));
    return wrong === undefined ? mapOf(check)(value, path) : `${path}: ${JSON.stringify(wrong)} is no name of a header`;
  };
}

// A rule with a misspelt route would never strike.
const ROUTE = must('a method and a path, such as "POST /v1/audiences/*"', (value) =>
  isText(value, /^(?:\*|(?:GET|POST|PATCH|PUT|DELETE) [/*])/),
);

function isText(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}

const AUTOMATION = objectOf({ id: TEXT, status: oneOf(AUTOMATION_STATUSES) }, ['id', 'status']);

/** For each kind: the fields beside those of every rule, and the required ones. */
const KINDS: Readonly<Record<Fault['kind'], readonly [Readonly<Record<string, Check>>, readonly string[]]>> = {
  reset: [{ when: WHEN }, ['when']],
  fin: [{ when: WHEN }, ['when']],
  cut: [{ bytes: COUNT }, []],
  html: [{ status: STATUS, when: WHEN }, ['status', 'when']],
  error: [
    { status: STATUS, code: TEXT, message: TEXT, param: TEXT, when: oneOf(['before', 'after', 'effect']) },
    ['status', 'code', 'when'],
  ],
  answer: [{ status: STATUS, body: ANYTHING, text: TEXT, headers: headersOf(HEADER), when: WHEN }, ['status', 'when']],
  headers: [{ headers: headersOf(orNull(HEADER)) }, ['headers']],
  slow: [{ ms: AMOUNT, when: oneOf(['before', 'claimed', 'after']) }, ['ms', 'when']],
  rate_limited: [{ retry_after: TEXT }, []],
  in_flight: [{ seconds: AMOUNT }, ['seconds']],
  lost_claim: [{ effect: FLAG }, ['effect']],
  steal: [{ requests: COUNT }, ['requests']],
  change: [{ plan: oneOf(PLANS), revoke_key: FLAG, automation: AUTOMATION, when: WHEN }, ['when']],
  drop_rows: [{ rows: COUNT }, ['rows']],
};

const EVERY_RULE: Readonly<Record<string, Check>> = {
  kind: TEXT,
  match: objectOf({ route: ROUTE, key: TEXT }),
  after: COUNT,
  times: COUNT,
  probability: must('a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1),
};

const checkRule: Check = (value, path) => {
  const { kind } = Object(value);
  const found = Object.entries(KINDS).find(([name]) => name === kind);
  if (found === undefined) {
    const where = path === '' ? 'kind' : `${path}.kind`;
    return `${where}: no such kind of fault: ${String(kind)} (known: ${Object.keys(KINDS).join(', ')})`;
  }
  const [, [fields, required]] = found;
  return objectOf({ ...EVERY_RULE, ...fields }, required)(value, path);
};

const checkScript: Check = (value, path) =>
  Array.isArray(value)
    ? listOf(checkRule)(value, path)
    : objectOf({ seed: must('a number', (seed) => typeof seed === 'number'), rules: listOf(checkRule) }, ['rules'])(
        value,
        path,
      );

/** Throws SvcError for an invalid script, with the path of the first wrong field. */
function assertScript(script: FaultScript): void {
  assertNone(checkScript(script, ''));
}

/** Throws SvcError for an invalid rule. */
function assertRule(rule: FaultRule): void {
  assertNone(checkRule(rule, ''));
}

function assertNone(problem: string | undefined): void {
  if (problem !== undefined) {
    throw new SvcError(EXIT.usage, 'unknown_fault', `the faults can't be used: ${problem}`);
  }
}
