import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../../../src/emulator/emulator.ts';
import { createWorld, type World } from '../../../support/world.ts';

const URL = 'https://hooks.example.com/in';

async function withEndpoint(world: World, url = URL): Promise<string> {
  const { json } = await world.svc([
    ...`webhooks create --url ${url} --event email.bounced --event email.sent --json --secret-file`.split(' '),
    `secret-${Math.abs(url.length)}-${url.at(-1)}`,
  ]);
  world.requests();
  return json.id;
}

/** Creates a test setup whose receivers respond with these statuses, by URL. */
function worldWithReceivers(statuses: Readonly<Record<string, number>>): Promise<World> {
  return createWorld({ sendWebhook: async ({ url }) => statuses[url] ?? 200 });
}

async function sendEvents(world: World, emulator: Emulator, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    emulator.admin.emitEvent('email.sent', { object: 'email', email: `ana${index}@example.com` });
  }
  await world.clock.advance(1_000);
}

describe('webhooks ls', () => {
  test('webhooks ls shows the health of each endpoint, raw values in a pipe', async () => {
    const world = await worldWithReceivers({ [`${URL}/bad`]: 500 });
    const bad = await withEndpoint(world, `${URL}/bad`);
    const good = await withEndpoint(world, `${URL}/good`);
    await sendEvents(world, world.emulator, 2);
    const { out } = await world.svc('webhooks ls');
    const rows = out
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(
      rows.map(([id, url, status, events, streak, , , error]) => [id, url, status, events, Number(streak) > 0, error]),
    ).toEqual([
      [good, `${URL}/good`, 'active', 'email.bounced,email.sent', false, ''],
      [bad, `${URL}/bad`, 'active', 'email.bounced,email.sent', true, 'HTTP 500'],
    ]);
  });

  test.each([
    ['--failing', 3, 1],
    ['--failing 2', 3, 1],
    // Two events with seven attempts each make at most 14 failures.
    ['--failing 15', 0, 0],
  ])('webhooks ls %s exits with %i when %i endpoints fail', async (flag, code, count) => {
    const world = await worldWithReceivers({ [`${URL}/bad`]: 500 });
    await withEndpoint(world, `${URL}/bad`);
    await withEndpoint(world, `${URL}/good`);
    await sendEvents(world, world.emulator, 2);
    const result = await world.svc(`webhooks ls ${flag} --json`);
    expect([result.code, result.json.length]).toEqual([code, count]);
  });

  test.each(['0', '-1', 'two', '1.5'])('webhooks ls refuses --failing %s', async (n) => {
    const world = await createWorld();
    expect((await world.svc(`webhooks ls --failing=${n}`)).code).toBe(2);
    expect(world.requests()).toEqual([]);
  });

  test('webhooks ls exits with 4 when the API key lacks the scope (W2)', async () => {
    const world = await createWorld();
    const env = { SVC_API_KEY: world.emulator.admin.createKey(['automations:enroll']) };
    const { code, out, err } = await world.svc('webhooks ls --json', { env });
    expect([code, out]).toEqual([4, '']);
    expect(JSON.parse(err).error).toMatchObject({
      code: 'insufficient_scope',
      exit_code: 4,
      hint: expect.stringContaining('create a new key with it'),
    });
  });

  test('webhooks ls refuses a test key before any request (K1)', async () => {
    const world = await createWorld();
    const { code, err } = await world.svc('webhooks ls', { env: { SVC_API_KEY: 'service_test_abcdef' } });
    expect([code, world.requests()]).toEqual([4, []]);
    expect(err).not.toContain('abcdef');
  });

  test('webhooks ls --watch redraws until a signal', async () => {
    const world = await createWorld();
    await withEndpoint(world);
    const stop = new AbortController();
    const running = world.svc('webhooks ls --watch --every 60', { columns: 120, signal: stop.signal });
    while (world.clock.now() < Date.UTC(2026, 0, 1) + 150_000) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    stop.abort(new Error('enough'));
    const { out } = await running;
    expect(out.split('\x1b[H\x1b[2J').length - 1).toBeGreaterThanOrEqual(3);
    expect(out).toContain(URL.replace('https://', ''));
  });

  test('webhooks ls refuses --watch without a terminal', async () => {
    const world = await createWorld();
    expect((await world.svc('webhooks ls --watch')).code).toBe(2);
  });
});

test('puts the command of a note on its own line when the screen is narrow', async () => {
  const world = await createWorld();
  const line = `webhooks create --url ${URL} --event email.sent --json --secret-file`;
  const first = (await world.svc(`${line} one`)).json.id;
  const { err } = await world.svc(`${line} two --yes`, { columns: 60, answers: [] });
  const note = err.slice(err.indexOf('note: '));
  expect(note.replace(/\s+/g, ' ')).toContain(`note: ${first} has the same URL.`);
  expect(note.endsWith(`See:\nsvc webhooks get ${first}\n`), note).toBe(true);
  expect(Math.max(...note.split('\n').map((text) => text.length))).toBeLessThanOrEqual(60);
});

describe('an endpoint by its URL', () => {
  test('finds an endpoint by its URL in get, update and deliveries', async () => {
    const world = await createWorld();
    const id = await withEndpoint(world);
    await withEndpoint(world, `${URL}/other`);
    expect((await world.svc(`webhooks get ${URL} --json`)).json.id).toBe(id);
    // `webhooks ls` prints the URL in this form.
    expect((await world.svc(`webhooks get ${URL.replace('https://', '')} --json`)).json.id).toBe(id);
    expect((await world.svc(`webhooks deliveries ${URL} --summary --json`)).json.endpoint_id).toBe(id);
    expect((await world.svc(`webhooks update ${URL} --description shop --json`)).json.id).toBe(id);
  });

  test('refuses a URL that several endpoints have, and shows each id (L3)', async () => {
    const world = await createWorld();
    const line = `webhooks create --url ${URL} --event email.sent --json --secret-file`;
    const ids = [(await world.svc(`${line} one`)).json.id, (await world.svc(`${line} two --yes`)).json.id];
    const { code, err } = await world.svc(`webhooks get ${URL}`);
    expect([
      code,
      ids.every((id) => err.includes(`The one that is active, for email.sent:\n  svc webhooks get ${id}\n`)),
    ]).toEqual([2, true]);
    expect((await world.svc(`webhooks get ${URL}/none`)).code).toBe(2);
  });
});

describe('webhooks ls on a terminal', () => {
  test('webhooks ls shows the failing endpoint first on a terminal', async () => {
    const world = await worldWithReceivers({ [`${URL}/bad`]: 500 });
    const bad = await withEndpoint(world, `${URL}/bad`);
    const good = await withEndpoint(world, `${URL}/good`);
    await sendEvents(world, world.emulator, 2);
    await world.svc(`webhooks update ${good} --status disabled`);
    const { out } = await world.svc('webhooks ls --no-color', { columns: 80 });
    const lines = out.split('\n');
    expect(lines[0]).toBe('2 endpoints: 1 failing, 1 disabled');
    expect(lines.slice(2, 4).map((row) => row.split(' ')[0])).toEqual(['FAILING', 'DISABLED']);
    expect(lines[4]).toBe(`Why: svc webhooks deliveries ${bad} --summary`);
    const one = await world.svc(`webhooks get ${bad} --no-color`, { columns: 80 });
    expect(one.out.split('\n')[0]).toMatch(/^This endpoint is failing: \d+ failures? .*\(HTTP 500\)\.$/);
    expect(one.out).toContain(`Why: svc webhooks deliveries ${bad} --summary`);
  });

  test.each([
    ['--failing', '2 of 3 endpoints are failing'],
    ['--failing 2', '2 of 3 endpoints failed 2 or more times in a row'],
  ])('webhooks ls with %s prints a command for each failing endpoint (L5)', async (flags, sentence) => {
    const world = await worldWithReceivers({ [`${URL}/bad`]: 500, [`${URL}/worse`]: 500 });
    const bad = await withEndpoint(world, `${URL}/bad`);
    const worse = await withEndpoint(world, `${URL}/worse`);
    await withEndpoint(world, `${URL}/good`);
    await sendEvents(world, world.emulator, 3);
    const { code, out } = await world.svc(`webhooks ls --no-color ${flags}`, { columns: 80 });
    const lines = out.trim().split('\n');
    const host = URL.replace('https://', '');
    expect([code, lines[0], lines.slice(-4).sort()]).toEqual([
      3,
      sentence,
      [
        `  svc webhooks deliveries ${bad} --summary`,
        `  svc webhooks deliveries ${worse} --summary`,
        `Why ${host}/bad:`,
        `Why ${host}/worse:`,
      ],
    ]);
  });

  test('webhooks ls prints each command on one line when the URL is long', async () => {
    const long = `${URL}/${'path/'.repeat(40)}in`;
    const world = await worldWithReceivers({ [long]: 500, [`${URL}/bad`]: 500 });
    await withEndpoint(world, long);
    await withEndpoint(world, `${URL}/bad`);
    await sendEvents(world, world.emulator, 1);
    const { out } = await world.svc('webhooks ls --no-color', { columns: 80 });
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(out.match(/^ {2}svc webhooks deliveries whe_\w+ --summary$/gm)).toHaveLength(2);
  });

  test('webhooks ls repeats the account flags in the command for details', async () => {
    const world = await worldWithReceivers({ [URL]: 500 });
    const id = await withEndpoint(world);
    await sendEvents(world, world.emulator, 1);
    const line = 'webhooks ls --base-url https://mail.example.test/api';
    const { out } = await world.svc(line, { columns: 80, env: { SVC_BASE_URL: '' } });
    expect(out).toContain(`Why: svc webhooks deliveries ${id} --summary --base-url https://mail.example.test/api\n`);
  });
});

describe('webhooks update', () => {
  test('webhooks update reads the events before it adds or removes one (W3)', async () => {
    const world = await createWorld();
    const id = await withEndpoint(world);
    const line = `webhooks update ${id} --add-event email.failed --remove-event email.sent --json`;
    const { json } = await world.svc(line);
    expect(json.events).toEqual(['email.bounced', 'email.failed']);
    expect(world.requests().map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['PATCH', '{"events":["email.bounced","email.failed"]}'],
    ]);
  });

  test('webhooks update prints a note on a shared URL, but not with -q (W1)', async () => {
    const world = await createWorld();
    const [first, second] = [await withEndpoint(world), await withEndpoint(world, `${URL}x`)];
    const url = 'https://example.com/other';
    const alone = await world.svc(`webhooks update ${first} --url ${url} --json`);
    const quiet = await world.svc(`webhooks update ${second} --url ${url} --json -q`);
    const noted = await world.svc(`webhooks update ${second} --url ${url} --json`);
    expect([alone.code, alone.err, quiet.code, quiet.err, noted.code, noted.err]).toEqual([
      ...[0, '', 0, '', 0],
      `note: ${first} has the same URL. Events of both arrive there twice. See: svc webhooks get ${first}\n`,
    ]);
  });

  test('webhooks update --events replaces events without an idempotency key (I9)', async () => {
    const world = await createWorld();
    const id = await withEndpoint(world);
    const { json } = await world.svc([
      ...`webhooks update ${id} --events email.failed,email.sent --status paused --json`.split(' '),
      '--description',
      'for the shop',
    ]);
    expect(json).toMatchObject({
      events: ['email.failed', 'email.sent'],
      status: 'paused',
      description: 'for the shop',
    });
    const requests = world.requests();
    expect(requests.map(({ method, headers }) => [method, headers['idempotency-key']])).toEqual([['PATCH', undefined]]);
  });

  test.each([
    ['nothing to change', ''],
    ['--events beside --add-event', '--events email.sent --add-event email.failed'],
    ['an empty list', '--events ,'],
    ['an unknown type', '--add-event email.opened'],
    ['a type to add and to remove', '--add-event email.sent --remove-event email.sent'],
    ['one such type of several', '--add-event email.failed --add-event email.sent --remove-event email.sent'],
    ['a new type to add and to remove', '--remove-event email.failed --add-event email.failed'],
    ['a url that the service would refuse', '--url https://10.0.0.1/'],
  ])('webhooks update refuses %s before any request (W3)', async (_, flags) => {
    const world = await createWorld();
    const id = await withEndpoint(world);
    expect((await world.svc(`webhooks update ${id} ${flags}`)).code).toBe(2);
    expect(world.requests()).toEqual([]);
  });

  test.each(['--remove-event email.failed', '--remove-event email.sent --remove-event email.bounced'])(
    'webhooks update changes nothing when the events cannot be removed: %s',
    async (flags) => {
      const world = await createWorld();
      const id = await withEndpoint(world);
      expect((await world.svc(`webhooks update ${id} ${flags}`)).code).toBe(2);
      expect(world.requests().map(({ method }) => method)).toEqual(['GET']);
    },
  );
});

describe('webhooks delete', () => {
  test.each([
    ['without a terminal', '', {}],
    ['with --yes', '--yes', {}],
    ['with another id', '--confirm whe_other', {}],
    ['when the user types something else', '', { answers: ['yes'] }],
  ])('webhooks delete deletes no endpoint %s', async (_, flags, options) => {
    const world = await createWorld();
    const id = await withEndpoint(world);
    expect((await world.svc(`webhooks delete ${id} ${flags}`, options)).code).toBe(2);
    expect(world.requests().map(({ method }) => method)).toEqual(['GET']);
  });

  test.each([
    ['--confirm', (id: string) => ({ flags: `--confirm ${id}`, options: {} })],
    ['the id typed at the terminal', (id: string) => ({ flags: '', options: { answers: [id] } })],
  ])('webhooks delete deletes the endpoint with %s', async (_, given) => {
    const world = await createWorld({
      faults: [{ kind: 'answer', status: 204, text: '', when: 'after', match: { route: 'DELETE *' } }],
    });
    const id = await withEndpoint(world);
    const { flags, options } = given(id);
    const { code, json } = await world
      .svc(`webhooks delete ${id} ${flags} ${flags && '--json'}`.trim(), options)
      .then((result) => ({
        code: result.code,
        json: flags ? result.json : { id, deleted: result.out.includes('true') },
      }));
    expect([code, json]).toEqual([0, { id, deleted: true }]);
    expect((await world.svc('webhooks ls --json')).json).toEqual([]);
  });
});

describe('ids', () => {
  test.each(['../audiences', 'whe_../x', 'whe_a/b', 'whe_a?x=1', 'aud_123', 'whe_', 'whe_a%2f..%00', 'whe_\u001b[2J'])(
    'webhooks get refuses %j as an id (K2)',
    async (id) => {
      const world = await createWorld();
      const { code, err } = await world.svc(['webhooks', 'get', id]);
      expect(code).toBe(2);
      expect(world.requests().filter(({ path }) => !path.startsWith('/v1/webhooks/'))).toEqual([]);
      expect(err).not.toContain('\u001b');
    },
  );

  test('treats an endpoint of another organization as an unknown id (O8)', async () => {
    const world = await createWorld();
    const id = await withEndpoint(world);
    const other = world.emulator.admin.createOrganization();
    const { code, err } = await world.svc(`webhooks get ${id}`, { env: { SVC_API_KEY: other.apiKey } });
    expect([code, err.includes('wrong id, or the wrong key')]).toEqual([2, true]);
  });
});

describe('webhooks deliveries', () => {
  test('webhooks deliveries lists the newest n over several pages', async () => {
    const world = await worldWithReceivers({});
    const id = await withEndpoint(world);
    await sendEvents(world, world.emulator, 130);
    const counts: number[] = [];
    for (const flags of ['', '--limit 3', '--limit 120', '--all']) {
      counts.push((await world.svc(`webhooks deliveries ${id} ${flags} --json`)).json.length);
    }
    expect(counts).toEqual([50, 3, 120, 130]);
  });

  test('webhooks deliveries names known statuses when svc does not know one', async () => {
    const world = await createWorld();
    const id = await withEndpoint(world);
    const { code, out, err } = await world.svc(['webhooks', 'deliveries', id, '--status', 'fa&il=ed']);
    expect(world.requests()[0]?.path).toContain('status=fa%26il%3Ded');
    const note = 'which svc does not know. It knows delivered, failed, pending';
    expect([code, out, err]).toEqual([0, '', `note: No delivery has the status fa&il=ed, ${note}.\n`]);
    expect((await world.svc(`webhooks deliveries ${id} --status gone -q`)).err).toBe('');
    expect((await world.svc(`webhooks deliveries ${id} --status pending`)).code).toBe(0);
  });

  test('webhooks deliveries names known statuses when the service refuses one', async () => {
    const world = await createWorld({
      faults: [
        { kind: 'error', status: 400, code: 'invalid_request', when: 'before', match: { route: 'GET */deliveries' } },
      ],
    });
    const id = await withEndpoint(world);
    const { code, err } = await world.svc(`webhooks deliveries ${id} --status gone`);
    expect([code, err.includes('delivered, failed, pending')]).toEqual([2, true]);
  });

  test.each([
    ['', (out: string) => out.trim().split('\n').length],
    [' --json', (out: string) => JSON.parse(out).length],
  ])('webhooks deliveries%s lists the newest 50 and says how to list all (L5)', async (flags, countOf) => {
    const world = await worldWithReceivers({});
    const id = await withEndpoint(world);
    await sendEvents(world, world.emulator, 51);
    const { out, err } = await world.svc(`webhooks deliveries ${id}${flags}`);
    expect([countOf(out), err]).toEqual([
      50,
      `Only the first 50 are listed. For all of them:\n  svc webhooks deliveries ${id}${flags} --all\n`,
    ]);
    expect((await world.svc(`webhooks deliveries ${id} --limit 50${flags}`)).err).toBe('');
    expect((await world.svc('webhooks deliveries --help')).out).toMatch(/list at most n\s+\(default: 50\)/);
  });

  test('webhooks deliveries --summary groups deliveries and says what to resend', async () => {
    const world = await worldWithReceivers({ [URL]: 503 });
    const id = await withEndpoint(world);
    await sendEvents(world, world.emulator, 2);
    await world.clock.advance(9 * 3_600_000);
    await world.clock.advance(28 * 24 * 3_600_000);
    await sendEvents(world, world.emulator, 1);
    const { json } = await world.svc(`webhooks deliveries ${id} --summary --json`);
    expect(json).toMatchObject({
      object: 'delivery_summary',
      endpoint_id: id,
      deliveries: 3,
      expiring: 2,
      groups: [
        { status: 'failed', event_type: 'email.sent', error: 'HTTP 503', response_status: 503, count: 2, expiring: 2 },
        { status: 'pending', event_type: 'email.sent', error: 'HTTP 503', count: 1, expiring: 0 },
      ],
    });
    expect(json.resend.map((each: { id: string }) => each.id)).toEqual(
      (await world.svc(`webhooks deliveries ${id} --status failed --all --json`)).json.map(
        (each: { id: string }) => each.id,
      ),
    );
    const { out } = await world.svc(`webhooks deliveries ${id} --summary`, { columns: 160 });
    expect(out.replaceAll('\n', ' ')).toContain('The service deletes 2 of them within 3 days.');
    expect(out).toContain(json.resend[0].id);
  });
});

test('webhooks ls says how to create an endpoint when there is none', async () => {
  const world = await createWorld();
  const none = await world.svc('webhooks ls', { columns: 80, answers: [] });
  expect([none.code, none.err]).toEqual([0, 'No endpoints. Create one: svc webhooks create --help\n']);
  const made = await world.svc(`webhooks create --url ${URL} --event email.sent`, { columns: 80, answers: [] });
  expect([made.code, made.err]).toEqual([0, expect.stringContaining('Store the secret now: it is not shown again.')]);
  const missing = await world.svc('webhooks get whe_0');
  expect(missing.err).toContain('endpoint whe_0 was not found');
});
