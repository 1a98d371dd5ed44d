import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../support/world.ts';

interface DoctorLine {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly hint?: string;
}

async function examine(world: World, flags = '', env: Readonly<Record<string, string>> = {}) {
  const { code, json, err } = await world.svc(`doctor --json ${flags}`, { env });
  const findings: DoctorLine[] = json.findings;
  return { code, err, json, find: (check: string) => findings.find((finding) => finding.check === check), findings };
}

describe('doctor', () => {
  test('doctor passes every check of a healthy account with only GET requests', async () => {
    const world = await createWorld();
    const { code, json, findings } = await examine(world);
    expect([code, json.exit_code]).toEqual([0, 0]);
    expect(findings.map(({ check, level }) => [check, level])).toEqual([
      ['state', 'pass'],
      ['key', 'pass'],
      ['scopes', 'pass'],
      ['webhooks', 'pass'],
      ['clock', 'pass'],
      ['rate', 'pass'],
      ['plan', 'info'],
      ['flows', 'pass'],
    ]);
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true);
    expect(JSON.stringify(json)).not.toContain(world.emulator.apiKey);
  });

  test('doctor reports a key without webhooks:manage as information', async () => {
    const world = await createWorld();
    const { code, find } = await examine(world, '', { SVC_API_KEY: world.emulator.admin.createKey([]) });
    expect(code).toBe(0);
    expect(find('scopes')).toMatchObject({ level: 'info', hint: expect.stringContaining('create a new key with it') });
    expect(find('scopes')?.message).toContain("svc can't check campaigns:send");
    expect(find('webhooks')?.level).toBe('skipped');
  });

  test.each([
    ['insufficient_scope', 403, 0, 'info', 'the key lacks the scope webhooks:manage'],
    ['insufficient_scope', 401, 0, 'info', 'the key lacks the scope webhooks:manage'],
    ['forbidden', 403, 3, 'warn', 'the service did not show the webhook endpoints'],
    ['sending_disabled', 403, 3, 'warn', 'the service did not show the webhook endpoints'],
    ['a_new_code', 403, 3, 'warn', 'the service did not show the webhook endpoints'],
  ])(
    'doctor reads the error code %s, not the status %i, for scopes (O1, W2)',
    async (code, status, exit, level, message) => {
      const world = await createWorld();
      world.refuse('GET /v1/webhooks', { status, code, message: 'not now' });
      const report = await examine(world);
      expect([report.code, report.find('scopes')?.level]).toEqual([exit, level]);
      expect(report.find('scopes')?.message).toContain(message);
      expect(report.find('scopes')?.message).toContain(code);
      expect(report.find('webhooks')?.level).toBe('skipped');
      expect(report.find('clock')?.level).toBe('pass');
    },
  );

  test.each([
    ['an unknown key', { SVC_API_KEY: 'svc_unknown' }, 4, 'invalid_api_key'],
    ['a test key', { SVC_API_KEY: 'service_test_1' }, 4, 'test_keys_not_supported'],
    ['no key', { SVC_API_KEY: '' }, 4, 'no_api_key'],
    ['no base URL', { SVC_BASE_URL: '' }, 2, 'no_base_url'],
  ])('doctor prints its report and ends with the exit code for %s', async (_, env, exit, problem) => {
    const world = await createWorld();
    const { code, err, json } = await examine(world, '', env);
    expect([code, json.exit_code, JSON.parse(err).error.code]).toEqual([exit, exit, problem]);
    expect(json.findings.filter(({ level }: DoctorLine) => level === 'skipped').length).toBe(6);
  });

  test('doctor says that nothing was sent when the account cannot be read', async () => {
    const world = await createWorld();
    const { find } = await examine(world, '--yes --from me@example.com --to ana@example.org', {
      SVC_API_KEY: 'svc_unknown',
    });
    expect(find('sending')).toEqual({
      check: 'sending',
      level: 'skipped',
      message: 'nothing was sent: the account could not be read',
    });
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('doctor prints a hint of two lines as one when its output is piped', async () => {
    const world = await createWorld();
    const { out } = await world.svc('doctor', { env: { SVC_BASE_URL: '' } });
    expect(out).not.toContain('u000a');
    expect(out).toMatch(/To rehearse without an account: svc doctor .*--emulator\n/);
  });

  test('doctor says that the service did not respond, and does not blame the key', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ kind: 'reset', when: 'before' });
    const { code, findings } = await examine(world);
    expect([code, findings[1]?.check, findings[1]?.level]).toEqual([1, 'service', 'stop']);
  });

  test('doctor warns about failing webhooks and names the command for details', async () => {
    const world = await createWorld({ sendWebhook: async () => 500 });
    const line = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file s --json';
    const { id } = (await world.svc(line)).json;
    world.emulator.admin.emitEvent('email.sent', { object: 'email' });
    await world.clock.advance(1_000);
    const { code, find } = await examine(world);
    expect([code, find('webhooks')?.level, find('webhooks')?.hint]).toEqual([
      3,
      'warn',
      `svc webhooks deliveries ${id} --summary`,
    ]);
    expect(find('webhooks')?.message).toMatch(/failed once, \d+ s ago: .*HTTP 500/);
  });

  test('doctor names automations that start on joining or are sandboxed (M3, M4)', async () => {
    const world = await createWorld({ plan: 'free' });
    world.emulator.admin.createAutomation({ name: 'Welcome', trigger: 'audience_join', status: 'paused' });
    world.emulator.admin.createAutomation({ name: 'Old', trigger: 'audience_join', status: 'archived' });
    const { code, find } = await examine(world);
    expect(code).toBe(0);
    expect(find('flows')?.message).toMatch(
      /1 automation starts for each contact that joins "Newsletter" .*"Welcome" \(aut_\w+, paused\)/,
    );
    expect(find('sandbox')?.level).toBe('info');
  });

  test('doctor infers the plan from contact counts (P2)', async () => {
    const contacts = (from: number) =>
      Array.from({ length: 260 }, (_, index) => ({ email: `p${from + index}@example.com` }));
    const big = await createWorld({
      seed: { contacts: contacts(0), audiences: [{ name: 'B', contacts: contacts(300) }] },
    });
    expect((await examine(big)).find('plan')).toMatchObject({
      level: 'pass',
      message: expect.stringContaining('520 contacts'),
    });
    expect((await examine(big, '--plan free')).code).toBe(3);
  });

  test.each([
    ['paid', 'paid', ''],
    ['paid', 'paid', '--plan paid'],
    ['free since', 'free', ''],
    ['free since', 'free', '--plan free'],
  ] as const)('doctor infers no plan from a published automation: %s, plan %s %s (M4)', async (_, plan, flags) => {
    const world = await createWorld();
    world.emulator.admin.createAutomation({ name: 'Open' });
    world.emulator.admin.setPlan(plan);
    const { code, find } = await examine(world, flags);
    expect([code, find('plan')?.level]).toEqual([0, 'info']);
    expect(find('plan')?.message).toContain('it was paid when the automation "Open" was last published');
    expect(find('plan')?.message).toContain('nothing shows whether it is free or paid now');
  });

  test('doctor reports how much of the rate limit other programs use', async () => {
    const world = await createWorld();
    world.emulator.admin.consumeQuota(300);
    const { find } = await examine(world);
    expect(find('rate')).toMatchObject({
      level: 'pass',
      message: expect.stringContaining('used 300 in the last minute'),
    });
    const scarce = await createWorld({ rateLimit: 200 });
    scarce.emulator.admin.consumeQuota(100);
    expect((await examine(scarce)).find('rate')).toMatchObject({ level: 'warn' });
  });

  test('doctor warns about a wrong clock', async () => {
    const world = await createWorld();
    world.emulator.admin.advance(10 * 60_000);
    const { code, find } = await examine(world);
    expect([code, find('clock')?.message]).toEqual([3, 'this machine is 10 min behind the service']);
  });

  test.each([
    ['no response has a Date', null, 0],
    ['no response has a valid Date', 'yesterday', 0],
    ['the local clock is wrong, and no response has a Date', null, 10 * 60_000],
  ])('doctor does not judge the clock when %s', async (_, date, aheadMs) => {
    const world = await createWorld();
    world.emulator.admin.addFault({ kind: 'headers', headers: { date } });
    world.emulator.admin.advance(aheadMs);
    const { code, find } = await examine(world);
    expect([code, find('clock')?.level, find('clock')?.message]).toEqual([
      0,
      'info',
      'the service does not show its time, so svc could not compare the clocks',
    ]);
  });

  test('doctor warns about a state folder that other users can read', async () => {
    const world = await createWorld();
    mkdirSync(join(world.folder, 'state', 'svc'), { recursive: true });
    chmodSync(join(world.folder, 'state', 'svc'), 0o755);
    expect((await examine(world)).find('state')?.level).toBe('warn');
  });

  test.each([
    ['a file', 'notes.txt', 'is not a folder'],
    ['a path inside a file', 'notes.txt/state', "can't be created: "],
  ])('doctor stops when the state folder is %s', async (_, folder, message) => {
    const world = await createWorld();
    world.file('notes.txt', '');
    const { code, find } = await examine(world, `--state-dir ${folder}`);
    expect([code, find('state')]).toEqual([
      2,
      expect.objectContaining({ level: 'stop', exit_code: 2, message: expect.stringContaining(message) }),
    ]);
  });

  test('doctor sends one message with --from and --to, and explains a refusal', async () => {
    const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
    const good = await examine(world, '--yes --from me@example.com --to ana@example.org');
    expect([good.code, good.find('sending')?.level]).toEqual([0, 'pass']);
    const sent = world.requests().filter(({ method }) => method !== 'GET');
    expect(sent.map(({ path, body }) => [path, JSON.parse(body).to])).toEqual([['/v1/emails', ['ana@example.org']]]);
    const bad = await examine(world, '--yes --from me@example.net --to ana@example.org');
    expect([bad.code, bad.find('sending')]).toEqual([
      7,
      expect.objectContaining({ level: 'stop', code: 'domain_not_verified', hint: expect.stringContaining('DNS') }),
    ]);
    expect((await world.svc('doctor --from me@example.com')).code).toBe(2);
    expect((await world.svc('doctor --from me@example.com --to nobody')).code).toBe(2);
    expect(world.emulator.admin.account().sent).toBe(1);
  });

  test('doctor escapes control characters in names (K5)', async () => {
    const world = await createWorld();
    world.emulator.admin.createAutomation({ name: 'W\u001b[2J', trigger: 'audience_join' });
    const outputs = [await world.svc('doctor'), await world.svc('doctor', { columns: 80 })];
    expect(outputs.map(({ out }) => [out.includes('\u001b[2J'), out.includes('\\u001b[2J')])).toEqual([
      [false, true],
      [false, true],
    ]);
  });
});

test.each([
  { title: 'nothing is wrong', faults: [], headline: /^All is well: \d+ checks passed\.$/ },
  {
    title: 'the key is refused',
    faults: [
      { kind: 'error', status: 401, code: 'revoked_api_key', when: 'before', match: { route: 'GET *' } },
    ] as const,
    headline: /^Not working, because of 1 problem: \d+ checks? passed, 6 not made\.$/,
  },
])('doctor begins with a headline on a terminal when $title', async ({ faults, headline }) => {
  const world = await createWorld({ faults: [...faults] });
  const { out } = await world.svc('doctor --no-color', { columns: 80 });
  expect(out.split('\n')[0]).toMatch(headline);
});

test('doctor says that the key of --emulator is that of the embedded emulator', async () => {
  const world = await createWorld();
  const authorization = `Bearer ${world.emulator.apiKey}`;
  const { json } = await world.svc('doctor --emulator --json', {
    // The service of this test answers for the embedded emulator.
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => inner.send({ ...request, headers: { ...request.headers, authorization } }, signal),
    }),
  });
  const { message } = json.findings.find(({ check }: { check: string }) => check === 'key');
  expect(message).toMatch(/^accepted at .*; from embedded emulator, fingerprint [0-9a-f]{16}$/);
});

test('doctor counts the warnings in its headline', async () => {
  const world = await createWorld({ sendWebhook: async () => 500 });
  await world.svc('webhooks create --url https://hooks.example.com/ --event email.sent --secret-file s --json');
  world.emulator.admin.emitEvent('email.sent', { object: 'email', email: 'ana@example.com' });
  await world.clock.advance(1_000);
  const { code, out } = await world.svc('doctor --no-color', { columns: 80 });
  expect([code, out.split('\n')[0]]).toEqual([
    3,
    expect.stringMatching(/^Working, with 1 warning: \d+ checks passed\.$/),
  ]);
});

test('doctor exits with the code of a problem when there is also a warning', async () => {
  const world = await createWorld();
  mkdirSync(join(world.folder, 'state', 'svc'), { recursive: true });
  chmodSync(join(world.folder, 'state', 'svc'), 0o755);
  const { code, err } = await world.svc('doctor', { env: { SVC_BASE_URL: '' } });
  expect([code, err]).toEqual([2, expect.stringContaining('base URL')]);
});

test.each([
  ['two addresses', 'me@example.com', 'ana@example.com,bob@example.com'],
  ['a name with the address', 'me@example.com', 'Ana <ana@example.com>'],
  ['no recipient', 'me@example.com', ''],
  ['no sender', '', 'ana@example.com'],
  ['a sender of blanks', ' ', 'ana@example.com'],
  ['a header in the sender', 'me@example.com\nBcc: bob@example.com', 'ana@example.com'],
])('doctor refuses a test message with %s before any request (M6)', async (_, from, to) => {
  const world = await createWorld();
  const { code, err } = await world.svc(['doctor', '--from', from, '--to', to, '--yes', '--json']);
  expect([code, JSON.parse(err).error.exit_code, world.requests()], err).toEqual([2, 2, []]);
});
