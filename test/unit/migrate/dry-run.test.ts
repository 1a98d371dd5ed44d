import { expect, test } from 'vitest';
import { people } from '../../support/lists.ts';
import { createWorld } from '../../support/world.ts';

const skippedOf = (json: { findings: readonly { check: string; level: string; message: string }[] }) =>
  json.findings.filter(({ level }) => level === 'skipped').map(({ check, message }) => [check, message]);

const CHECKS = ['key', 'audience', 'automations', 'plan_cap'];

test.each([
  ['an unknown key', { SVC_API_KEY: 'nobody' }, 'API key'],
  ['a test key (K1)', { SVC_API_KEY: 'service_test_1' }, 'service_test_'],
  ['a missing key file', { SVC_API_KEY_FILE: 'nowhere' }, 'nowhere'],
])('gives the reason for skipped checks when a dry run has %s', async (_, env, reason) => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));

  const { code, json, err } = await world.svc(['migrate', list, '--dry-run', '--json'], { env });

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(json.status).toBe('planned');
  expect(skippedOf(json).map(([check]) => check)).toEqual(CHECKS);
  for (const [, message] of skippedOf(json)) {
    expect(message).toContain('the account could not be read: ');
    expect(message).toContain(reason);
  }
});

test('skips the account checks when the service stops responding in a dry run', async () => {
  const world = await createWorld();
  const flags = ['--dry-run', '--json', '--audience', (await world.svc('audiences ls --json')).json[0].id];
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'GET /v1/audiences' } });

  const { code, json } = await world.svc(['migrate', '-', ...flags], { stdin: people(3) });

  expect([code, json.rows.unsent]).toEqual([0, 3]);
  expect(skippedOf(json).map(([check]) => check)).toEqual(CHECKS);
});

test('exits with 5 when a check stops a dry run without an account', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,status\na@example.com,perhaps\n');
  const { code } = await world.svc(['migrate', list, '--dry-run', '--json'], { env: { SVC_API_KEY: 'nobody' } });
  expect(code).toBe(5);
});

test('exits with 2 when the audience of a dry run does not exist (O8)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  expect((await world.svc(['migrate', list, '--dry-run', '--audience', 'aud_nobody'])).code).toBe(2);
});

test('exits with 4 when the key is unknown and the run is not a dry run', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  expect((await world.svc(['migrate', list, '--json'], { env: { SVC_API_KEY: 'nobody' } })).code).toBe(4);
});

test('gives the reason for the skipped checks in a dry run of an enrollment', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  const line = ['automations', 'enroll', 'aut_x', list, '--create-contacts', '--dry-run', '--json'];

  const { code, json } = await world.svc(line, { env: { SVC_API_KEY: 'nobody' } });

  expect(code).toBe(0);
  expect(skippedOf(json).map(([check]) => check)).toEqual(['automation', ...CHECKS]);
});

test.each([
  [
    'is not given',
    { SVC_BASE_URL: '', SVC_API_KEY: '' },
    'the account was not checked: no URL or no key',
    'no service',
  ],
  ['is unknown', { SVC_API_KEY: 'nobody' }, 'the account could not be read: ', 'the account could not be read'],
])('states nothing about the account when the key of a dry run %s', async (_, env, reason, place) => {
  const world = await createWorld();
  world.file('list.csv', people(3));
  const { out } = await world.svc('migrate list.csv --dry-run --create-audience --audience-name News', { env });
  const text = out.replaceAll(/\s+/g, ' ');
  expect(text).toContain(
    '! Dry run: the list is in order. 4 checks of the account were not made, so the real run may still stop.',
  );
  expect(text).toContain(`– 4 checks skipped: ${reason}`);
  expect(text).toMatch(new RegExp(`^Migrate list.csv -> News ${place}`));
  expect(text).not.toContain('goes ahead');
  const { json } = await world.svc('migrate list.csv --dry-run --json', { env });
  expect(json.next).toEqual([
    'Nothing was sent. 4 checks of the account were not made, so the same command without --dry-run may still stop.',
  ]);
});

test('gives the reason for the skipped checks in a dry run of suppressions', async () => {
  const world = await createWorld();
  world.file('list.csv', 'email\na@x.test\n');
  const { out } = await world.svc('suppressions import list.csv --reason bounced --dry-run');
  expect(out).toContain('– not tested: this command reads nothing from the account, so only');
  expect(out).toContain('goes ahead');
});

test('states nothing about automations when svc cannot read them', async () => {
  const world = await createWorld();
  world.file('list.csv', people(3));
  world.refuse('GET /v1/automations', { status: 403, code: 'insufficient_scope', when: 'before' });
  const { code, out } = await world.svc('migrate list.csv --dry-run');
  expect([code, out.includes('goes ahead')]).toEqual([0, false]);
  expect(out).toContain('the account could not be read: ');
  expect(out).toContain('(insufficient_scope)');
  expect(out).toMatch(/! Dry run: the list is in order\. \d checks of the account were not made/);
});
