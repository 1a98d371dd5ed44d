import { isRecord } from '../../base/lib/json.ts';
import { AUTOMATION_STATUSES } from '../../wire/service-words.ts';
import { MCP_PATH } from '../mcp/mcp.ts';
import { ROUTES } from '../routes/table.ts';
import {
  AMOUNT_CHECK,
  ANY_VALUE_CHECK,
  COUNT_CHECK,
  createCheck,
  FLAG_CHECK,
  fieldPath,
  listOf,
  mapOf,
  objectOf,
  oneOf,
  orNull,
  TEXT_CHECK,
  type ValueCheck,
} from '../setup/value-checks.ts';
import { PLANS } from '../store/organizations.ts';
import type { ScriptedFault } from './fault.ts';

const WHEN = oneOf(['before', 'after']);
const STATUS = createCheck(
  'an HTTP status from 200 to 599',
  (value) => /^[2-5]\d\d$/.test(String(value)) && typeof value === 'number',
);

// Node refuses to send a header with a character that this pattern excludes, so the client would get no response.
const HEADER = createCheck('a string that a header can hold', (value) => isText(value, /^[\t\x20-\x7e\x80-\xff]*$/));

// With a wrong value of these headers, no client could read the response.
const FRAMING: readonly string[] = ['content-length', 'transfer-encoding', 'trailer'];

function headersOf(check: ValueCheck): ValueCheck {
  return (value, path) => {
    const names = Object.keys(Object(value));
    const wrong = names.find((name) => !/^[!#$%&'*+.^`|~\w-]+$/.test(name));
    if (wrong !== undefined) {
      return `${path}: ${JSON.stringify(wrong)} is not a valid header name`;
    }
    const lower = names.map((name) => name.toLowerCase());
    const framing = lower.find((name) => FRAMING.includes(name));
    if (framing !== undefined) {
      return `${path}: ${framing} can't be set; the emulator itself says where the body ends`;
    }
    const twice = names.find((_, index) => lower.indexOf(lower[index] ?? '') < index);
    return twice === undefined
      ? mapOf(check)(value, path)
      : `${path}: ${JSON.stringify(twice)} is there twice: capitals do not count`;
  };
}

// A route with a typing error would never match, so it is refused. The pattern excludes `?`, because the query is not
// compared. It excludes `{`, because only `*` stands for other text.
const ROUTE = createCheck('a method and a path, such as "POST /v1/audiences/*"', (value) =>
  isText(value, /^(?:\*|(?:GET|POST|PATCH|PUT|DELETE) [/*])[^?{]*$/),
);

function isText(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}

const AUTOMATION = objectOf({ id: TEXT_CHECK, status: oneOf(AUTOMATION_STATUSES) }, ['id', 'status']);

/** For each kind of fault: the fields that it may have, then the names of the required ones. */
const KINDS: Readonly<
  Record<ScriptedFault['kind'], readonly [Readonly<Record<string, ValueCheck>>, readonly string[]]>
> = {
  reset: [{ when: WHEN }, ['when']],
  fin: [{ when: WHEN }, ['when']],
  cut: [{ bytes: COUNT_CHECK }, []],
  html: [{ status: STATUS, when: WHEN }, ['status', 'when']],
  error: [
    {
      status: STATUS,
      code: TEXT_CHECK,
      message: TEXT_CHECK,
      param: TEXT_CHECK,
      when: oneOf(['before', 'after', 'effect']),
    },
    ['status', 'code', 'when'],
  ],
  answer: [
    { status: STATUS, body: ANY_VALUE_CHECK, text: TEXT_CHECK, headers: headersOf(HEADER), when: WHEN },
    ['status', 'when'],
  ],
  headers: [{ headers: headersOf(orNull(HEADER)) }, ['headers']],
  slow: [{ ms: AMOUNT_CHECK, when: oneOf(['before', 'claimed', 'after']) }, ['ms', 'when']],
  rate_limited: [{ retry_after: HEADER }, []],
  in_flight: [{ seconds: AMOUNT_CHECK }, ['seconds']],
  lost_claim: [{ effect: FLAG_CHECK }, ['effect']],
  steal: [{ requests: COUNT_CHECK }, ['requests']],
  change: [{ plan: oneOf(PLANS), revoke_key: FLAG_CHECK, automation: AUTOMATION, when: WHEN }, ['when']],
  drop_rows: [{ rows: COUNT_CHECK }, ['rows']],
};

const EVERY_RULE: Readonly<Record<string, ValueCheck>> = {
  kind: TEXT_CHECK,
  match: objectOf({ route: ROUTE, key: TEXT_CHECK }),
  after: COUNT_CHECK,
  times: COUNT_CHECK,
  probability: createCheck('a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1),
};

/** Checks one fault rule. It must have the required fields of its kind, and no field of another kind. */
export const checkRule: ValueCheck = (value, path) => {
  if (!isRecord(value)) {
    return `${path || 'it'} must be an object`;
  }
  const { kind } = value;
  const found = Object.entries(KINDS).find(([name]) => name === kind);
  if (found === undefined) {
    const written = typeof kind === 'string' ? kind : JSON.stringify(kind);
    return `${fieldPath(path, 'kind')}: unknown kind of fault: ${written} (known: ${Object.keys(KINDS).join(', ')})`;
  }
  const [, [fields, required]] = found;
  return objectOf({ ...EVERY_RULE, ...fields }, required)(value, path) ?? contradictionIn(value, path);
};

/** The problem of a rule whose fields contradict each other, although each of them is valid. */
function contradictionIn(
  { kind, match, body, text }: Readonly<Record<string, unknown>>,
  path: string,
): string | undefined {
  if (body !== undefined && text !== undefined) {
    return `${fieldPath(path, 'text')} can't stand beside body; choose one`;
  }
  const { route } = Object(match);
  // An `answer` may match any route, because it can be the response of an endpoint that the emulator does not have.
  return kind === 'answer' || route === undefined || fitsServedRoute(route)
    ? undefined
    : `${fieldPath(path, 'match.route')} matches no endpoint of the emulator: ${JSON.stringify(route)}`;
}

/** Checks a `--faults` file. It is a list of rules, or an object with rules and a seed. */
export const checkScript: ValueCheck = (value, path) =>
  Array.isArray(value)
    ? listOf(checkRule)(value, path)
    : objectOf({ seed: COUNT_CHECK, rules: listOf(checkRule) }, ['rules'])(value, path);

// Each route of the emulator, such as `GET /v1/audiences/{`, in which `{` stands for one part of the path.
const SERVED: readonly string[] = [
  ...ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{')}`),
  ...['GET', 'POST', 'DELETE'].map((method) => `${method} ${MCP_PATH}`),
];

/** True if the route pattern of a fault rule matches a route of the emulator. */
function fitsServedRoute(pattern: string): boolean {
  return pattern === '*' || SERVED.some((route) => overlaps(pattern, route));
}

/**
 * True if some text matches both the pattern and the route. `*` in the pattern stands for any text. `{` in the route
 * stands for one part of a path.
 */
function overlaps(pattern: string, route: string): boolean {
  // Reads the pattern character by character. `reached` has the positions in `route` up to which the part read so far
  // can match, in ascending order.
  let reached: readonly number[] = [0];
  for (const character of pattern) {
    const [first = Number.POSITIVE_INFINITY] = reached;
    const next =
      character === '*'
        ? positionsFrom(first, route)
        : reached.flatMap((position) => positionsAfter(character, position, route));
    reached = [...new Set(next)];
  }
  return reached.includes(route.length);
}

function positionsFrom(first: number, route: string): number[] {
  return Array.from({ length: Math.max(0, route.length + 1 - first) }, (_, index) => first + index);
}

function positionsAfter(character: string, position: number, route: string): number[] {
  if (route[position] === '{') {
    return character === '/' ? [] : [position, position + 1];
  }
  return route[position] === character ? [position + 1] : [];
}
