import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport, WireRequest, WireResponse } from '../../../../../src/base/context.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { createWorld, type RunOptions, type World } from '../../../../support/world.ts';

/**
 * A service or gateway that returns the Authorization header in every text of a response. No output and no
 * file may contain the bytes of the key.
 */

type Echo = (auth: string) => string;

const ESCAPED: Echo = (auth) =>
  [...auth].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Forms of the returned header. Each is inserted into JSON as it is. */
const ECHOES: Readonly<Record<string, Echo>> = {
  'as it was sent': (auth) => auth,
  'as base64': (auth) => Buffer.from(auth).toString('base64'),
  'as a query': (auth) => `?authorization=${encodeURIComponent(auth)}`,
  'as JSON escapes': ESCAPED,
  'as hex': (auth) => Buffer.from(auth).toString('hex'),
  'cut short': (auth) => auth.slice(0, 40),
};

/** Fields that svc only prints. Nothing depends on their values. */
const TEXTS = /"(name|description|reason_text|last_error|error|about)":"[^"]*"/g;

function echoingTransport(inner: Transport, echo: Echo, refuse: (request: WireRequest) => boolean): Transport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      const output = echo(request.headers.authorization ?? '');
      const response = await inner.send(request, signal);
      return refuse(request) ? refusal(response, output) : withOutput(response, output);
    },
  };
}

function withOutput({ status, headers, body }: WireResponse, output: string): WireResponse {
  const text = body
    .toString('utf8')
    .replace(TEXTS, (_, field) => `"${field}":"${output}"`)
    .replace(/^\{/, `{"echo":"${output}","${output}":{"inner":["${output}"]},`)
    .replace(/"object":"(contact|audience|automation|webhook_endpoint)"/g, `$&,"extra":"${output}"`)
    .replace(/"request_id":"[^"]*"/, `"request_id":"${output}"`);
  return { status, headers: { ...headers, 'request-id': output, 'x-request-id': output }, body: Buffer.from(text) };
}

function refusal({ headers }: WireResponse, output: string): WireResponse {
  const error = `{"error":{"code":"${output}","message":"no: ${output}","param":"${output}","request_id":"${output}"}}`;
  return { status: 422, headers: { ...headers, 'request-id': output }, body: Buffer.from(error) };
}

/** Forbidden parts of the key: any twelve characters, and any encoding of its second half. */
function traces(key: string): string[] {
  const core = key.replace(/^svc_emulator_/, '');
  const windows = Array.from({ length: core.length - 11 }, (_, at) => core.slice(at, at + 12));
  const half = Buffer.from(core.slice(8, 24));
  const coded = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), half])
      .toString('base64')
      .slice(3, -4),
  );
  return [...windows, ...coded, half.toString('hex')];
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function leaks(world: World, printed: string): string[] {
  const secret = traces(world.emulator.apiKey);
  const found = filesIn(world.folder).filter((path) => {
    const text = readFileSync(path, 'latin1');
    return secret.some((trace) => text.includes(trace));
  });
  return secret.some((trace) => printed.includes(trace)) ? [...found, 'printed'] : found;
}

async function prepare(): Promise<{ readonly world: World; readonly lines: readonly string[] }> {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  const { admin, audienceId } = world.emulator;
  admin.addContacts([{ email: 'ana@example.com', first_name: 'Ana' }]);
  const automation = admin.createAutomation({ name: 'Welcome' });
  world.file('list.csv', 'email,First Name,status\nbo@example.com,Bo,subscribed\ncy@example.com,Cy,unsubscribed\n');
  const made = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file first --json';
  const hook = (await world.svc(made)).json.id;
  const lines = [
    'audiences ls',
    `audiences get ${audienceId}`,
    `audiences rename ${audienceId} Other`,
    'contacts ls',
    'contacts get ana@example.com',
    'contacts export --output out.csv',
    'contacts import list.csv --report copy.json --save-mapping mapping.json',
    'suppressions ls',
    'suppressions count',
    'suppressions import list.csv --reason bounced',
    'migrate list.csv --again --log-file svc.log',
    'automations ls',
    `automations enroll ${automation} --email ana@example.com`,
    'webhooks ls',
    `webhooks get ${hook}`,
    `webhooks deliveries ${hook}`,
    `webhooks update ${hook} --description d`,
    'webhooks create --url https://hooks.example.com/2 --event email.sent --secret-file second',
    'audiences create Customers',
    'emails send --from me@example.com --to ana@example.org --subject s --text t',
    'doctor --yes --from me@example.com --to ana@example.org',
    'runs ls',
    'auth status',
    'auth login --api-key-file key',
  ];
  return { world, lines };
}

describe.each(Object.entries(ECHOES))('an API key that the service returns %s', (name, echo) => {
  const nth = Object.keys(ECHOES).indexOf(name);

  test.each([
    ['text', ['-v'], nth],
    ['JSON', ['-v', '--json'], nth + 1],
  ])('neither stores nor prints an API key from a response, output %s (K8)', async (_form, flags, first) => {
    const { world, lines } = await prepare();
    const asked: RunOptions = { transport: (inner) => echoingTransport(inner, echo, () => false) };
    const piped: RunOptions = { ...asked, stdin: world.emulator.apiKey };
    // Each form of the key meets each command, as text or as JSON.
    for (const line of everyNth(lines.slice(0, -1), 2, first)) {
      const { out, err, code } = await world.svc([...line.split(' '), ...flags], asked);
      // Exit 8: the service returns another name than the one that was sent (F5).
      expect([0, 3, 8], `${line}: ${err}`).toContain(code);
      expect(leaks(world, out + err), `${line}, exit ${code}`).toEqual([]);
    }
    const login = await world.svc(['auth', 'login', ...flags], piped);
    expect(leaks(world, login.out + login.err)).toEqual([join(world.folder, 'config', 'svc', 'config.json')]);
  });

  test('neither stores nor prints an API key from a refusal (K8)', async () => {
    const { world, lines } = await prepare();
    for (const refuse of [() => true, ({ method }: WireRequest) => method !== 'GET']) {
      for (const line of everyNth(lines.slice(0, -1), 2, nth)) {
        const transport = (inner: Transport) => echoingTransport(inner, echo, refuse);
        const { out, err } = await world.svc([...line.split(' '), '-v', '--json'], { transport });
        expect(leaks(world, out + err), line).toEqual([]);
      }
    }
  });

  test('stores no API key from a response in the names for completion (K8)', async () => {
    const { world } = await prepare();
    const env = { SVC_API_KEY_ORIGIN: 'https://mail.example.test' };
    const transport = (inner: Transport) => echoingTransport(inner, echo, () => false);
    const { out } = await world.svc(['__complete', '--', 'audiences', 'get', ''], { env, transport });
    expect(out).toContain('aud_');
    expect(leaks(world, out)).toEqual([]);
  });
});

test('hides an API key that was typed in place of an id (K8)', async () => {
  const world = await createWorld();
  const { apiKey } = world.emulator;
  const { err } = await world.svc(['audiences', 'get', `aud_${apiKey}`, '-v']);
  expect(err).toContain('[api key]');
  expect(leaks(world, err)).toEqual([]);
});

test('prints the secret of an endpoint only when it is created (K8)', async () => {
  const { world } = await prepare();
  const secret = readFileSync(join(world.folder, 'first'), 'utf8');
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const text = response.body.toString('utf8').replaceAll('"url":', `"secret":"${secret}","url":`);
      return { ...response, body: Buffer.from(text) };
    },
  });
  const [{ id } = { id: '' }] = (await world.svc('webhooks ls --json')).json as { id: string }[];
  for (const line of ['webhooks ls', `webhooks get ${id}`, `webhooks update ${id} --description d`]) {
    for (const form of ['-v', '--json']) {
      const { out, err } = await world.svc(`${line} ${form}`, { transport });
      expect(out + err, line).not.toContain(secret);
    }
  }
});
