import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { runExclusively } from '../../../../src/runs/store/lock.ts';
import { createWorld, type World } from '../../../support/world.ts';

const URL = 'https://hooks.example.com/in';
const CREATE = `webhooks create --url ${URL} --event email.bounced --secret-file secret`;

function secretIn(world: World): string {
  return readFileSync(join(world.folder, 'secret'), 'utf8');
}

function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
}

describe('webhooks create, and its secret (W1)', () => {
  test('webhooks create writes the secret only to a private file', async () => {
    const world = await createWorld();
    const { code, out, err, json } = await world.svc(`${CREATE} --json`);
    expect(code, err).toBe(0);
    const secret = world.emulator.admin.webhookSecret(json.id);
    expect(secretIn(world)).toBe(secret);
    expect(statSync(join(world.folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(`${out}${err}`).not.toContain(secret);
    expect(json).toMatchObject({ object: 'webhook_endpoint', url: URL, secret_file: join(world.folder, 'secret') });
    expect(everythingIn(join(world.folder, 'state'))).not.toContain(secret);
  });

  test('sends nothing when the secret file cannot be created', async () => {
    const world = await createWorld();
    const { code, err } = await world.svc(CREATE.replace('secret-file secret', 'secret-file missing/secret'));
    expect([code, world.requests()]).toEqual([2, []]);
    expect(err).toContain('it cannot be created there');
  });

  test('sends nothing when the secret file is not empty', async () => {
    const world = await createWorld();
    world.file('secret', 'precious');
    const { code, err } = await world.svc(CREATE);
    expect([code, world.requests(), secretIn(world)]).toEqual([2, [], 'precious']);
    expect(err).toContain('it is not empty');
  });

  test('refuses a link as the file for the secret', async () => {
    const world = await createWorld();
    symlinkSync(world.file('elsewhere', ''), join(world.folder, 'secret'));
    expect((await world.svc(CREATE)).code).toBe(2);
    expect(world.requests()).toEqual([]);
  });

  test('accepts the empty secret file that a failed attempt left', async () => {
    const world = await createWorld();
    world.file('secret', '');
    expect((await world.svc(CREATE)).code).toBe(0);
    expect(secretIn(world)).not.toBe('');
    expect(statSync(join(world.folder, 'secret')).mode & 0o777).toBe(0o600);
  });

  test('leaves neither a secret file nor a run when the service refuses', async () => {
    const world = await createWorld();
    const key = world.emulator.admin.createKey([]);
    const { code, err } = await world.svc(CREATE, { env: { SVC_API_KEY: key } });
    expect(code).toBe(4);
    expect(err).toContain('create a new key with it');
    expect(existsSync(join(world.folder, 'secret'))).toBe(false);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test.each([
    ['in a pipe', '', undefined],
    ['as JSON on a terminal', '--json', 80],
  ])('webhooks create refuses to run without a secret file %s', async (_, more, columns) => {
    const world = await createWorld();
    const line = `webhooks create --url ${URL} --event email.sent ${more}`;
    const { code, err } = await world.svc(line, columns === undefined ? {} : { columns });
    expect([code, world.requests()]).toEqual([2, []]);
    expect(err).toContain('--secret-file');
  });

  test('webhooks create shows the secret at a terminal, and ls does not', async () => {
    const world = await createWorld();
    const { code, out, err } = await world.svc(`webhooks create --url ${URL} --event email.sent`, { columns: 200 });
    const [{ id }] = (await world.svc('webhooks ls --json')).json;
    const secret = world.emulator.admin.webhookSecret(id);
    expect([code, out.split(secret).length - 1, err.includes(secret)]).toEqual([0, 1, false]);
    expect(err).toContain('Store the secret now: it is not shown again.');
    for (const line of ['webhooks ls', 'webhooks ls --json', `webhooks get ${id}`, `webhooks get ${id} --json`]) {
      const shown = await world.svc(line, { columns: 200 });
      expect([line, shown.code, shown.out.includes('hooks.example.com')]).toEqual([line, 0, true]);
      expect(`${shown.out}${shown.err}`).not.toContain(secret);
    }
    expect(everythingIn(world.folder)).not.toContain(secret);
  });
});

test.each([
  ['notes', '', 1],
  ['with -q does not note', '-q', 0],
])('webhooks create %s another endpoint with the same URL', async (_, flags, notes) => {
  const world = await createWorld();
  const first = await world.svc(`${CREATE} --json`);
  const second = await world.svc(`${CREATE.replace('--secret-file secret', '--secret-file other')} --json ${flags}`);
  const note = `note: ${first.json.id} has the same URL. Events of both arrive there twice. See: svc (.*)\n`;
  const found = [...second.err.matchAll(new RegExp(note, 'g'))];
  expect([first.err, second.code, second.json.url, found.length]).toEqual(['', 0, URL, notes]);
  for (const [, command = ''] of found) {
    expect((await world.svc(`${command} --json`)).json.id).toBe(first.json.id);
  }
});

/** A service whose response to a creation has no `created_at`, which the document does not promise. */
function withoutCreatedAt(inner: Transport): Transport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const { 'content-length': _, ...headers } = response.headers;
      const { created_at: __, ...body } = JSON.parse(Buffer.from(response.body).toString());
      return request.method === 'POST' ? { ...response, headers, body: Buffer.from(JSON.stringify(body)) } : response;
    },
  };
}

describe('webhooks create after a lost response (W1)', () => {
  const lost = { kind: 'reset', when: 'after', match: { route: 'POST /v1/webhooks' } } as const;

  test('webhooks create repeats after a lost response and stores one secret', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ ...lost, times: 1 });
    const { code, json } = await world.svc(`${CREATE} --json`);
    const posts = world.requests().filter(({ method }) => method === 'POST');
    expect([code, posts.length, new Set(posts.map(({ headers }) => headers['idempotency-key'])).size]).toEqual([
      0, 2, 1,
    ]);
    expect(secretIn(world)).toBe(world.emulator.admin.webhookSecret(json.id));
    expect((await world.svc('webhooks ls --json')).json).toHaveLength(1);
  });

  test.each([
    ['runs resume', 'runs resume'],
    ['the same command', CREATE],
  ])('%s lists endpoints before it repeats a POST 3 h after a lost response', async (_, again) => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    const first = await world.svc(CREATE);
    expect([first.code, first.err]).toEqual([1, expect.stringContaining('svc runs resume run_')]);
    world.emulator.admin.clearFaults();
    await world.clock.advance(3 * 3_600_000);
    const before = world.requests().filter(({ method }) => method === 'POST');
    const second = await world.svc(again);
    expect(second.code, second.err).toBe(0);
    const requests = world.requests();
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
    expect(requests[1]?.headers['idempotency-key']).toBe(before[0]?.headers['idempotency-key']);
    const endpoints = (await world.svc('webhooks ls --json')).json;
    expect(endpoints).toHaveLength(1);
    expect(secretIn(world)).toBe(world.emulator.admin.webhookSecret(endpoints[0].id));
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('names the orphaned endpoint when a resume creates another after 24 h', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    await world.clock.advance(30 * 3_600_000);
    const { code, err, json } = await world.svc('runs resume --json');
    const endpoints: { id: string }[] = (await world.svc('webhooks ls --json')).json;
    const older = endpoints.find(({ id }) => id !== json.id);
    expect([code, endpoints.length]).toEqual([0, 2]);
    expect(err).toContain(`svc webhooks delete ${older?.id}`);
    expect(secretIn(world)).toBe(world.emulator.admin.webhookSecret(json.id));
  });

  test.each([
    ['a replay', 0, []],
    ['a replay that cannot be read back', 4, [{ kind: 'change', revoke_key: true, when: 'after', match: lost.match }]],
  ] as const)('names the orphaned endpoint after two lost responses and %s', async (_, exit, then) => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    await world.clock.advance(30 * 3_600_000);
    await world.svc('runs resume');
    world.emulator.admin.clearFaults();
    then.forEach((fault) => world.emulator.admin.addFault(fault));
    const { code, err } = await world.svc('runs resume');
    const orphan = world.emulator.admin.webhooks().at(-1);
    expect([code, err]).toEqual([exit, expect.stringContaining(`svc webhooks delete ${orphan?.id}`)]);
  });

  test('does not call an endpoint orphaned when it is older than the run', async () => {
    const world = await createWorld();
    await world.svc(CREATE.replace('secret-file secret', 'secret-file earlier'));
    await world.clock.advance(3_600_000);
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    const { code, err } = await world.svc('runs resume');
    expect([code, world.emulator.admin.webhooks().length]).toEqual([0, 2]);
    expect(err).not.toContain('svc webhooks delete');
  });

  test('runs resume sends only a GET when the file has the secret already', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ ...lost, times: 1 });
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'GET /v1/webhooks/*' } });
    const first = await world.svc(CREATE);
    expect([first.code, first.err]).toEqual([1, expect.stringContaining('It was done, but its result was not stored')]);
    world.emulator.admin.clearFaults();
    await world.clock.advance(30 * 3_600_000);
    world.requests();
    const { code, json } = await world.svc('runs resume --json');
    expect([code, world.requests().map(({ method }) => method)]).toEqual([0, ['GET']]);
    expect(secretIn(world)).toBe(world.emulator.admin.webhookSecret(json.id));
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('prints the secret at a terminal when webhooks create is resumed', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ ...lost, times: 1 });
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'GET /v1/webhooks/*' } });
    await world.svc(`webhooks create --url ${URL} --event email.sent`, { columns: 200 });
    world.emulator.admin.clearFaults();
    const { out } = await world.svc('runs resume', { columns: 200 });
    const [endpoint] = world.emulator.admin.webhooks();
    expect(out).toContain(endpoint?.secret);
  });

  test('names commands to start over when the service replays a failure (I2)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ ...lost, times: 1 });
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'GET /v1/webhooks/*' } });
    await world.svc(`webhooks create --url ${URL} --event email.sent`, { columns: 200 });
    world.emulator.admin.clearFaults();
    await world.clock.advance(30 * 3_600_000);
    const error = { code: 'internal_error', message: 'a fault', request_id: 'req_1' };
    const stored = {
      kind: 'answer',
      status: 500,
      body: { error },
      headers: { 'idempotency-replayed': 'true' },
    } as const;
    world.emulator.admin.addFault({ ...stored, when: 'before', match: lost.match });
    const { code, err } = await world.svc('runs resume', { columns: 200 });
    const [, list = '', forget = ''] = /created: svc (.*)\n +Then: svc (.*)\n +After that run the same/.exec(err) ?? [];
    expect([code, list]).toEqual([1, 'webhooks ls']);
    expect((await world.svc(forget)).code).toBe(0);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('deletes the secret file when the new endpoint was deleted since (I7)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    world.emulator.admin.webhooks().forEach(({ id }) => world.emulator.admin.deleteWebhook(id));
    await world.clock.advance(60_000);
    const { code, err } = await world.svc('runs resume');
    expect([code, err]).toEqual([7, expect.stringContaining('was created, and was deleted since')]);
    expect(existsSync(join(world.folder, 'secret'))).toBe(false);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test.each([
    ['a secret file', CREATE, {}, 1],
    ['a terminal', CREATE.replace(' --secret-file secret', ''), { columns: 200 }, 2],
    ['no time of creation', CREATE, { transport: withoutCreatedAt }, 1],
  ])('creates no second endpoint when a GET shows the first late: %s (I4)', async (_, line, more, posts) => {
    const world = await createWorld();
    world.emulator.admin.addFault({ ...lost, times: 1 });
    world.refuse('GET /v1/webhooks/*', { status: 404, code: 'not_found', times: 1 });
    const first = await world.svc(line, more);
    world.requests();
    const { code, out } = await world.svc(line, more);
    const sent = world.requests().filter(({ method }) => method === 'POST');
    const [endpoint, ...others] = world.emulator.admin.webhooks();
    expect([first.code, first.err]).toEqual([1, expect.stringContaining('the service does not show it yet')]);
    expect([code, sent.length + 1, others]).toEqual([0, posts, []]);
    expect(posts === 1 ? secretIn(world) : out).toContain(endpoint?.secret);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('names the run when the resume of webhooks create is interrupted (D4)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    const signal = AbortSignal.abort(createInterruption('SIGINT'));
    const { code, err } = await world.svc('runs resume', { signal });
    expect([code, err]).toEqual([130, expect.stringContaining('svc runs resume run_')]);
  });

  test('runs delete needs --confirm for a creation with an unknown outcome', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    const [run] = (await world.svc('runs ls --json')).json;
    expect([run.command, run.unknown]).toEqual(['webhooks create', 1]);
    expect((await world.svc(`runs delete ${run.run}`)).code).toBe(5);
    expect((await world.svc(`runs delete ${run.run} --confirm ${run.run}`)).code).toBe(0);
    expect((await world.svc('runs ls --json')).json).toEqual([]);
  });

  test('refuses a second endpoint for a URL when the first outcome is unknown', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    world.requests();
    const { code, err } = await world.svc(CREATE.replace('secret-file secret', 'secret-file other'));
    expect([code, world.requests(), existsSync(join(world.folder, 'other'))]).toEqual([2, [], false]);
    expect(err).toContain('svc runs resume run_');
  });

  test('webhooks create writes only the error to stderr with --json', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    const { code, err } = await world.svc(`${CREATE} --json`);
    expect([code, JSON.parse(err).error.exit_code]).toEqual([1, 1]);
  });

  test('keeps the secret of a parallel creation when webhooks create fails', async () => {
    const world = await createWorld();
    const other = CREATE.replace(URL, 'https://other.example.com/in');
    let second: Promise<{ readonly code: number }> | undefined;
    const first = await world.svc(CREATE, {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          if (request.method === 'POST') {
            second = world.svc(other);
            await second;
            world.emulator.admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before' });
          }
          return inner.send(request, signal);
        },
      }),
    });
    const [endpoint] = world.emulator.admin.webhooks();
    expect([first.code, (await second)?.code, secretIn(world)]).toEqual([4, 0, endpoint?.secret]);
  });

  test('refuses a second webhooks create while the first is running', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ kind: 'slow', ms: 20_000, when: 'after', match: { route: 'POST /v1/webhooks' } });
    const codes = await Promise.all([world.svc(CREATE), world.svc(CREATE)]);
    expect(codes.map(({ code }) => code).sort()).toEqual([0, 6]);
    const [endpoint, ...more] = (await world.svc('webhooks ls --json')).json;
    expect([secretIn(world), more]).toEqual([world.emulator.admin.webhookSecret(endpoint.id), []]);
  });

  test('webhooks create creates nothing while another process opens a run', async () => {
    const world = await createWorld();
    const state = join(world.folder, 'state', 'svc');
    runExclusively(state, 'webhook', () => undefined);
    const other = new DatabaseSync(join(state, 'locks', 'webhook.db'));
    other.exec('begin exclusive');
    const codes = [(await world.svc(CREATE)).code];
    other.close();
    codes.push((await world.svc(CREATE)).code);
    expect([codes, world.requests().filter(({ method }) => method === 'POST').length]).toEqual([[6, 0], 1]);
  });

  test('runs resume needs a terminal when webhooks create began at a terminal', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(`webhooks create --url ${URL} --event email.sent`, { columns: 200 });
    world.emulator.admin.clearFaults();
    world.requests();
    const piped = await world.svc('runs resume');
    expect([piped.code, world.requests()]).toEqual([2, []]);
    const { out } = await world.svc('runs resume', { columns: 200 });
    const [endpoint] = (await world.svc('webhooks ls --json')).json;
    expect(out).toContain(world.emulator.admin.webhookSecret(endpoint.id));
  });

  test('a resume prints no secret at a terminal when it goes to a file (W1)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    const { code, out, err } = await world.svc('runs resume', { columns: 200 });
    const secret = secretIn(world);
    expect([code, secret, (out + err).includes(secret)]).toEqual([0, expect.stringMatching(/^whsec_/), false]);
  });

  test('does not resume webhooks create with another API key (K4)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(lost);
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    world.requests();
    const { code, err } = await world.svc('runs resume', { env: { SVC_API_KEY: world.emulator.admin.createKey() } });
    expect([code, world.requests()]).toEqual([2, []]);
    expect(err).toContain('another API key');
  });
});

describe('webhooks create with invalid flags', () => {
  test.each([
    ['plain http', `--url http://hooks.example.com/ --event email.sent`, 'https'],
    ['another port', `--url https://hooks.example.com:8080/ --event email.sent`, '443 or 8443'],
    ['loopback', `--url https://127.0.0.1/ --event email.sent`, 'public'],
    ['loopback as one number', `--url https://2130706433/ --event email.sent`, 'public'],
    ['IPv6 loopback', `--url https://[::1]/ --event email.sent`, 'public'],
    ['IPv4 in IPv6', `--url https://[::ffff:10.0.0.1]/ --event email.sent`, 'public'],
    ['a private range', `--url https://172.20.3.4/ --event email.sent`, 'public'],
    ['cloud metadata', `--url https://169.254.169.254/latest --event email.sent`, 'public'],
    ['a name of the local network', `--url https://printer/ --event email.sent`, 'public'],
    ['no URL', `--url hooks --event email.sent`, 'not a valid webhook URL'],
    ['credentials', `--url https://a:b@hooks.example.com/ --event email.sent`, 'credentials'],
    ['a mistyped event type', `--url ${URL} --event email.bounce`, 'Event types: email.sent, email.delivered'],
    ['no event type', `--url ${URL}`, 'email.sent, email.delivered'],
    ['no url', `--event email.sent`, 'missing: --url'],
  ])('webhooks create refuses %s before any request', async (_, flags, says) => {
    const world = await createWorld();
    const { code, err } = await world.svc(`webhooks create ${flags} --secret-file secret`);
    expect([code, world.requests(), existsSync(join(world.folder, 'secret'))]).toEqual([2, [], false]);
    expect(err).toContain(says);
  });

  test('webhooks create accepts a URL with port 8443', async () => {
    const world = await createWorld();
    expect((await world.svc(CREATE.replace('example.com/', 'example.com:8443/'))).code).toBe(0);
  });
});
