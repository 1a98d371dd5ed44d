import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { AUTOMATION_STATUSES } from '../../wire/words.ts';
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
} from '../setup/strict.ts';
import { PLANS } from '../store/organizations.ts';
import type { Fault, FaultRule, FaultScript } from './fault.ts';

const WHEN = oneOf(['before', 'after']);
const STATUS = must('an HTTP status from 200 to 599', (value) => Number.isInteger(value) && inRange(Number(value)));

function inRange(status: number): boolean {
  return status >= 200 && status <= 599;
}

const AUTOMATION = objectOf({ id: TEXT, status: oneOf(AUTOMATION_STATUSES) }, ['id', 'status']);

/** The fields of each kind beside those of every rule, and which of them it needs. */
const KINDS: Readonly<Record<Fault['kind'], readonly [Readonly<Record<string, Check>>, readonly string[]]>> = {
  reset: [{ when: WHEN }, ['when']],
  fin: [{ when: WHEN }, ['when']],
  cut: [{ bytes: COUNT }, []],
  html: [{ status: STATUS, when: WHEN }, ['status', 'when']],
  error: [
    { status: STATUS, code: TEXT, message: TEXT, param: TEXT, when: oneOf(['before', 'after', 'effect']) },
    ['status', 'code', 'when'],
  ],
  answer: [{ status: STATUS, body: ANYTHING, text: TEXT, headers: mapOf(TEXT), when: WHEN }, ['status', 'when']],
  headers: [{ headers: mapOf(orNull(TEXT)) }, ['headers']],
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
  match: objectOf({ route: TEXT, key: TEXT }),
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

/** Throws SvcError for a script that is none, with the path of the first wrong field. */
export function assertScript(script: FaultScript): void {
  assertNone(checkScript(script, ''));
}

/** The same for one rule. */
export function assertRule(rule: FaultRule): void {
  assertNone(checkRule(rule, ''));
}

function assertNone(problem: string | undefined): void {
  if (problem !== undefined) {
    throw new SvcError(EXIT.usage, 'unknown_fault', `the faults can't be used: ${problem}`);
  }
}
