import type { WireResponse } from '../../../src/base/context.ts';
import type { Random } from '../../simulation/random.ts';

/** Stands for a value that is nested too deeply for JSON.stringify. */
const DEEP = '@@deep@@';
const DEEP_TEXT = `${'[{"a":'.repeat(10_000)}1${'}]'.repeat(10_000)}`;

const VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  true,
  '',
  '7',
  'x',
  '\u0000\u001b[2J\u202e\ud800',
  'y'.repeat(200_000),
  '+275760-09-13T00:00:00.000Z',
  [],
  [null],
  ['x', 5, null],
  {},
  { toString: null, valueOf: 5 },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"length":-1}'),
  DEEP,
  undefined,
];

const HEADERS: readonly (readonly [string, string])[] = [
  ['retry-after', '99999999999999'],
  ['retry-after', '9'.repeat(400)],
  ['retry-after', '-5'],
  ['retry-after', '1.5'],
  ['retry-after', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ['retry-after', 'Fri, 31 Dec 9999999 23:59:59 GMT'],
  ['date', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ['date', 'Thu, 01 Jan 0000 00:00:00 GMT'],
  ['ratelimit-remaining', '-1'],
  ['ratelimit-remaining', '999999999999999'],
  ['ratelimit-limit', '0'],
  ['ratelimit-reset', '9'.repeat(400)],
  ['content-type', 'text/html'],
  ['content-type', 'application/json; charset=\u00ff'],
  ['idempotency-replayed', 'true'],
  ['request-id', '\u001b[2Jx'.repeat(1_000)],
  ['__proto__', 'x'],
];

const BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '7',
  '"x"',
  '<html>',
  '{"error":',
  DEEP_TEXT,
  '{"error":{}}',
  '{}',
];
const STATUSES = [100, 200, 201, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503, 999];

/** Returns the response with one error: in a value of its JSON, a header, the body or the status. */
export function spoil(response: WireResponse, random: Random): WireResponse {
  const dice = random.next();
  if (dice < 0.7) {
    return { ...response, body: Buffer.from(spoilJson(response.body.toString('utf8'), random)) };
  }
  if (dice < 0.85) {
    const headers = { ...response.headers, ...Object.fromEntries([random.pick(HEADERS)]) };
    return { ...response, headers, status: random.chance(0.5) ? 429 : response.status };
  }
  return random.chance(0.6)
    ? { ...response, body: Buffer.from(random.pick(BODIES)) }
    : { ...response, status: random.pick(STATUSES) };
}

function spoilJson(text: string, random: Random): string {
  const event = /^data: (.*)$/m.exec(text)?.[1];
  const json = event ?? text;
  const value = parse(json);
  if (value === undefined) {
    return random.pick(BODIES);
  }
  const paths = placesOf(value);
  const spoiled = JSON.stringify(replaced(value, random.pick(paths), random.pick(VALUES))) ?? '';
  return text.replace(json, () => spoiled.replace(`"${DEEP}"`, () => DEEP_TEXT));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Path = readonly string[];

function placesOf(value: unknown, at: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [at, ...inner.flatMap(([key, one]) => placesOf(one, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) {
    return by;
  }
  const change = (one: unknown, name: string) => (name === key ? replaced(one, rest, by) : one);
  return Array.isArray(value)
    ? value.map((one, index) => change(one, String(index)))
    : Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, change(one, name)]));
}
