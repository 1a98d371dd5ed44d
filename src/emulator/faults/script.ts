import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { keyOf } from '../limits/idempotency.ts';
import type { RequestHead } from '../protocol/request-response.ts';
import { fieldPath } from '../setup/value-checks.ts';
import type { FaultRule, FaultScript, ScriptedFault } from './fault.ts';
import { checkRule, checkScript } from './rule-checks.ts';

/** The active fault rules of an emulator. */
export interface Faults {
  /** The faults for this request, in the order of their rules. */
  pick(request: RequestHead): readonly ScriptedFault[];
  add(rule: FaultRule): void;
  /** Adds all rules of a script. Adds none if one of them is invalid. */
  addScript(script: FaultScript): void;
  clear(): void;
  /** The rules in force, without those that were played as often as their `times` say. */
  rules(): readonly FaultRule[];
}

/**
 * Makes the rules of a script active. Throws SvcError for an invalid rule, and for a rule that changes an unknown
 * automation.
 */
export function createFaults(
  script: FaultScript,
  now: () => number,
  hasAutomation: (id: string) => boolean = () => true,
): Faults {
  let random = createRandom(1);
  let active: ActiveRule[] = [];
  const assertAutomation = (rule: FaultRule, path: string) => {
    const id = rule.kind === 'change' ? rule.automation?.id : undefined;
    assertNoProblem(
      id === undefined || hasAutomation(id) ? undefined : `${fieldPath(path, 'automation.id')} names no automation`,
    );
  };
  const addScript = (added: FaultScript) => {
    assertNoProblem(checkScript(added, ''));
    const { seed, rules } = 'rules' in added ? added : { seed: undefined, rules: added };
    const path = 'rules' in added ? 'rules' : '';
    rules.forEach((rule, index) => assertAutomation(rule, `${path}[${index}]`));
    random = seed === undefined ? random : createRandom(seed);
    active = [...active, ...rules.map((rule) => activate(rule, { random, now }))];
  };
  addScript(script);
  return {
    pick: (request) => active.filter((each) => each.applies(request)).map((each) => each.rule),
    add(rule) {
      assertNoProblem(checkRule(rule, ''));
      assertAutomation(rule, '');
      active.push(activate(rule, { random, now }));
    },
    addScript,
    clear() {
      active = [];
    },
    rules: () => active.filter((each) => each.isInForce()).map((each) => each.rule),
  };
}

interface ActiveRule {
  readonly rule: FaultRule;
  applies(request: RequestHead): boolean;
  /** True if the rule can still apply to a request. */
  isInForce(): boolean;
}

function activate(written: FaultRule, effects: { random: () => number; now: () => number }): ActiveRule {
  const rule = withLowerNames(written);
  const until = new Map<string, number>();
  const turns = createTurns(rule, effects.random);
  return {
    rule,
    applies(request) {
      if (!matches(rule, request)) {
        return false;
      }
      if (rule.kind !== 'in_flight') {
        return turns.isNext();
      }
      const key = keyOf(request);
      if (key === '') {
        return false;
      }
      const end = until.get(key) ?? (turns.isNext() ? effects.now() + rule.seconds * 1_000 : 0);
      until.set(key, end);
      return effects.now() < end;
    },
    isInForce: () => turns.areLeft() || [...until.values()].some((end) => effects.now() < end),
  };
}

// The rule with header names in lower case, as they are in responses. A name with capitals would add a second header
// and replace none.
function withLowerNames(rule: FaultRule): FaultRule {
  if (rule.kind === 'headers') {
    return { ...rule, headers: lowerNames(rule.headers) };
  }
  return rule.kind === 'answer' && rule.headers ? { ...rule, headers: lowerNames(rule.headers) } : rule;
}

function lowerNames<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Counts the requests that a rule matches, and how often it was played. */
interface Turns {
  /** Counts a request. Returns true if the rule is played for it. */
  isNext(): boolean;
  areLeft(): boolean;
}

function createTurns(rule: FaultRule, random: () => number): Turns {
  const { after = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = rule;
  let matched = 0;
  let struck = 0;
  return {
    isNext() {
      matched += 1;
      const isDue = matched > after && struck < times && (probability >= 1 || random() < probability);
      struck += isDue ? 1 : 0;
      return isDue;
    },
    areLeft: () => struck < times,
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

// mulberry32, a small random generator with a seed. Returns numbers from 0 to below 1.
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Throws SvcError if a check found a problem. */
function assertNoProblem(problem: string | undefined): void {
  if (problem !== undefined) {
    throw new SvcError(EXIT.usage, 'unknown_fault', `the fault rules can't be used: ${problem}`);
  }
}
