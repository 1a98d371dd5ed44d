import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';

async function complete(world: World, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await world.svc(['__complete', '--', ...words], { env: { ...BOUND, ...env } });
  expect([code, err]).toEqual([0, '']);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

const BOUND = { SVC_API_KEY_ORIGIN: 'https://mail.example.test' };
const NO_KEY = { SVC_API_KEY: '', SVC_API_KEY_ORIGIN: '' };

describe('what TAB completes', () => {
  test.each([
    [['web'], ['webhooks']],
    [
      ['webhooks', 'de'],
      ['deliveries', 'delete'],
    ],
    [['webhooks', 'ls', '--fail'], ['--failing']],
    [
      ['--plan', ''],
      ['free', 'paid'],
    ],
    [['contacts', 'export', '--format', 'n'], ['ndjson']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['__'], []],
    [['migrate', 'x.csv', '--from', 'au'], ['auto']],
    [
      ['contacts', 'ls', '--status', ''],
      ['subscribed', 'unsubscribed', 'pending', 'bounced'],
    ],
    [
      ['automations', 'ls', '--status', 'a'],
      ['active', 'archived'],
    ],
    [['webhooks', 'deliveries', 'whe_1', '--status=f'], ['--status=failed']],
    [['migrate', 'x.csv', '--status-map', 'aktiv=sub'], ['aktiv=subscribed']],
    [['migrate', 'x.csv', '--status-map=aktiv=sub'], ['--status-map=aktiv=subscribed']],
    [['migrate', 'x.csv', '--default-status', 'sup'], ['suppressed']],
    [['webhooks', 'create', '--event', 'email.b'], ['email.bounced']],
    [['help', 'ex'], ['exit-codes']],
    [['help', 'webhooks', 'li'], ['listen']],
    [['contacts', 'ls', '--output', ''], ['csv']],
  ])('completes the words %j on TAB with %j', async (words, expected) => {
    const world = await createWorld();
    expect((await complete(world, words)).map(([value]) => value)).toEqual(expected);
  });

  test('asks the service for ids on TAB at most once a minute', async () => {
    const world = await createWorld();
    const id = world.emulator.audienceId;
    const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
    expect(await complete(world, ['audiences', 'get', ''])).toEqual([[id, 'Newsletter']]);
    expect(await complete(world, ['contacts', 'ls', '--audience', 'aud_'])).toEqual([[id, 'Newsletter']]);
    expect(world.requests()).toHaveLength(1);
    expect(await complete(world, ['migrate', 'x.csv', '--allow-automation', ''])).toEqual([[automation, 'Welcome']]);
    await world.clock.advance(61_000);
    await complete(world, ['audiences', 'get', '']);
    expect(world.requests()).toHaveLength(2);
    expect(statSync(join(world.folder, 'state', 'svc', 'completion')).mode & 0o777).toBe(0o700);
  });

  test('completes --from with the known platforms on TAB', async () => {
    const world = await createWorld();
    const found = await complete(world, ['migrate', 'x.csv', '--from', 'mail']);
    expect(found.map(([value]) => value)).toEqual(['mailchimp', 'mailerlite', 'mailgun', 'mailpoet']);
    expect(await complete(world, ['emails', 'send', '--from', 'mail'])).toEqual([]);
  });

  test('completes ids of webhooks and runs on TAB', async () => {
    const world = await createWorld();
    const line = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file s --json';
    const { id } = (await world.svc(line)).json;
    expect(await complete(world, ['webhooks', 'deliveries', 'whe'])).toEqual([[id, 'https://hooks.example.com/']]);
    world.file('list.csv', 'email\na@example.com\n');
    await world.svc('contacts import list.csv --dry-run --json');
    const run = expect.stringMatching(/^run_/);
    const valuesOf = async (verb: string) => (await complete(world, ['runs', verb, ''])).map(([value]) => value);
    expect(await valuesOf('show')).toEqual(['latest', run]);
    expect(await valuesOf('delete')).toEqual([run]);
  });

  test('removes line breaks and control characters from names on TAB (K5)', async () => {
    const world = await createWorld();
    world.emulator.admin.createAudience('$(touch x)\n\u001b[2J\taud_fake');
    const found = await complete(world, ['audiences', 'get', '']);
    expect(found.map(([value]) => /^aud_[0-9a-f]+$/.test(value ?? ''))).toEqual([true, true]);
    expect(found.flat().join('')).not.toContain('\u001b');
  });

  test.each([
    ['no key', { SVC_API_KEY: '' }],
    ['a wrong key', { SVC_API_KEY: 'svc_wrong' }],
    ['no base URL', { SVC_BASE_URL: '' }],
    ['a missing profile', { SVC_PROFILE: 'nothing' }],
  ])('offers no words on TAB with %s', async (_, env) => {
    const world = await createWorld();
    expect(await complete(world, ['audiences', 'get', ''], env)).toEqual([]);
  });

  test.each([
    ['the key is bound to no origin', [], { SVC_API_KEY_ORIGIN: '' }],
    ['the key is bound to another origin', [], { SVC_API_KEY_ORIGIN: 'https://other.example.test' }],
    ['the line names another origin', ['--base-url', 'https://evil.example.test'], {}],
    ['the line names another port', ['--base-url=https://mail.example.test:8443'], {}],
    ['the line names a key file', ['--api-key-file', 'key'], {}],
    [
      'the key of a profile meets another origin',
      ['--profile', 'shop', '--base-url', 'https://evil.example.test'],
      NO_KEY,
    ],
    ['the origin of the key is invalid', [], { SVC_API_KEY_ORIGIN: 'mail.example.test' }],
  ])('sends nothing on TAB when %s (K8)', async (_, flags, env) => {
    const world = await createWorld();
    world.file('key', world.emulator.apiKey);
    await world.svc('auth login --profile shop', { stdin: world.emulator.apiKey });
    world.requests();
    for (const group of ['audiences', 'webhooks']) {
      expect(await complete(world, [...flags, group, 'get', ''], env)).toEqual([]);
    }
    expect(world.requests()).toEqual([]);
  });

  test('asks the service for ids on TAB when the key comes from a profile (K8)', async () => {
    const world = await createWorld();
    await world.svc('auth login --profile shop', { stdin: world.emulator.apiKey });
    expect(await complete(world, ['--profile', 'shop', 'audiences', 'get', ''], NO_KEY)).toHaveLength(1);
  });

  test('uses account, state folder and profile of the typed line on TAB', async () => {
    const world = await createWorld();
    const id = world.emulator.audienceId;
    const nowhere = { SVC_BASE_URL: '' };
    const url = 'https://mail.example.test/api';
    expect(await complete(world, ['audiences', 'get', ''], nowhere)).toEqual([]);
    expect(await complete(world, ['--base-url', url, 'audiences', 'get', ''], nowhere)).toEqual([[id, 'Newsletter']]);
    expect(await complete(world, ['audiences', `--base-url=${url}`, 'get', ''], nowhere)).toEqual([[id, 'Newsletter']]);
    expect(await complete(world, ['--emulator', 'audiences', 'get', ''])).toEqual([]);
    await world.svc('migrate nofile.csv --dry-run --json --state-dir other');
    world.file('list.csv', 'email\na@example.com\n');
    await world.svc('contacts import list.csv --dry-run --json --state-dir other');
    expect(await complete(world, ['runs', 'show', ''])).toEqual([]);
    expect(await complete(world, ['runs', 'show', '--state-dir', 'other', 'run_'])).toHaveLength(1);
    await world.svc('auth login --profile shop', { stdin: world.emulator.apiKey });
    expect(
      await complete(world, ['--profile=shop', 'audiences', 'get', ''], { SVC_BASE_URL: '', SVC_API_KEY: '' }),
    ).toEqual([[id, 'Newsletter']]);
  });

  test.each([
    ['svc audiences get ', ['AUD']],
    ['svc contacts ls --audience=aud_', ['AUD']],
    ['svc --plan=f', ['free']],
    ['svc "audiences" \'get\' ', ['AUD']],
    ['svc audiences rename aud_1 a\\ b ', []],
    ['svc --base-url https://mail.example.test/api audiences get aud', ['AUD']],
  ])('completes the last word of the bash line %j', async (line, expected) => {
    const world = await createWorld();
    const { out } = await world.svc(['__complete', '--line', line], { env: BOUND });
    const values = out.split('\n').filter((each) => each !== '');
    const id = world.emulator.audienceId;
    expect(values.map((each) => each.split('\t')[0])).toEqual(expected.map((each) => each.replace('AUD', id)));
  });

  test('completes --flag=value as one word for zsh and fish', async () => {
    const world = await createWorld();
    const id = world.emulator.audienceId;
    expect(await complete(world, ['contacts', 'ls', '--audience=aud'])).toEqual([[`--audience=${id}`, 'Newsletter']]);
  });

  /** A working, slow or failing service, and the duration of a TAB. */
  const TABS: readonly [
    what: string,
    ms: number,
    name: string,
    prepare: (world: World) => unknown,
    inEmulator?: number,
  ][] = [
    ['the service answers', 0, 'Newsletter', () => undefined],
    ['the answer is cached', 0, 'Newsletter', (world) => complete(world, ['audiences', 'get', ''])],
    [
      'the key is unknown',
      0,
      '',
      ({ emulator }) => fault(emulator, { kind: 'error', status: 401, code: 'x', when: 'before' }),
    ],
    [
      'the service is slow',
      2_000,
      '',
      ({ emulator }) => fault(emulator, { kind: 'slow', ms: 60_000, when: 'before' }),
      1,
    ],
    ['each connection breaks', 2_000, '', ({ emulator }) => fault(emulator, { kind: 'reset', when: 'before' })],
    [
      'the service asks to wait',
      2_000,
      '',
      ({ emulator }) => fault(emulator, { kind: 'rate_limited', retry_after: '60' }),
    ],
    [
      'an earlier command was asked to wait',
      2_000,
      '',
      async (world) => {
        fault(world.emulator, { kind: 'rate_limited', retry_after: '600', times: 1 });
        await world.svc('audiences ls --max-wait 1s');
      },
    ],
  ];

  const fault = ({ admin }: World['emulator'], rule: Parameters<typeof admin.addFault>[0]) => admin.addFault(rule);

  test.each(TABS)(
    'when %s, a TAB ends after %d ms and leaves no timer',
    async (_, ms, name, prepare, inEmulator = 0) => {
      const world = await createWorld();
      await prepare(world);
      const began = world.clock.now();
      const found = await complete(world, ['audiences', 'get', '']);
      expect(found.map(([, about]) => about).join()).toBe(name);
      // A pending timer would keep the process alive, and the shell would wait for it.
      expect([world.clock.now() - began, world.clock.sleepers - inEmulator]).toEqual([ms, 0]);
    },
  );
});

describe('completion scripts', () => {
  test('offers words on TAB in bash without running them as code', async () => {
    const world = await createWorld();
    const { out } = await world.svc('completion bash');
    const shell = `
      svc() { printf '%s\\n' "$*" >&2; printf 'aud_1\\t$(touch evil)\\naud_2\\t\`touch evil\`\\n'; }
      ${out}
      COMP_LINE='svc audiences get '; COMP_POINT=18; _svc
      printf '%s\\n' "\${COMPREPLY[@]}"; ls`;
    expect(execFileSync('bash', ['-euc', shell], { cwd: world.folder, stdio: 'pipe' }).toString()).toBe(
      'aud_1\naud_2\n',
    );
  });

  test.each(['zsh', 'fish'])('the completion script of %s asks svc for the candidates', async (shell) => {
    const world = await createWorld();
    expect((await world.svc(`completion ${shell}`)).out).toContain('svc __complete -- ');
  });

  test('completion refuses an unknown shell', async () => {
    const world = await createWorld();
    expect((await world.svc('completion tcsh')).code).toBe(2);
  });
});
