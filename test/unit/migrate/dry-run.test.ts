import { expect, test } from 'vitest';
import { people } from '../../support/lists.ts';
import { createWorld } from '../../support/world.ts';

const skippedOf = (json: { findings: readonly { check: string; level: string; message: string }[] }) =>
  json.findings.filter(({ level }) => level === 'skipped').map(({ check, message }) => [check, message]);

const CHECKS = ['key', 'audience', 'automations', 'plan_cap'];

test.each([
  ['an unknown key', { SVC_API_KEY: 'nobody' }, 'API key'],
  ['a test key (K1)', { SVC_API_KEY: 'service_test_1' }, 'service_test_'],
  ['a key file that is not there', { SVC_API_KEY_FILE: 'nowhere' }, 'nowhere'],
])('a dry run with %s is no failure: its checks of the account say why they were skipped', async (_, env, reason) => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));

  const { code, json, err } = await world.svc(['migrate', list, '--dry-run', '--json'], { env });

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(json.status).toBe('planned');
  expect(skippedOf(json).map(([check]) => check)).toEqual(CHECKS);
  for (const [, message] of skippedOf(json)) {
    expect(message).toContain('the account was not asked: ');
    expect(message).toContain(reason);
  }
});

test('a service that stops answering in a dry run is a reason to skip, also where the list comes from standard input', async () => {
  const world = await createWorld();
  const flags = ['--dry-run', '--json', '--audience', (await world.svc('audiences ls --json')).json[0].id];
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'GET /v1/audiences' } });

  const { code, json } = await world.svc(['migrate', '-', ...flags], { stdin: people(3) });

  expect([code, json.rows.unsent]).toEqual([0, 3]);
  expect(skippedOf(json).map(([check]) => check)).toEqual(CHECKS);
});

test('a stop of the list stays a stop in a dry run without an account (exit 5)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,status\na@example.com,perhaps\n');
  const { code } = await world.svc(['migrate', list, '--dry-run', '--json'], { env: { SVC_API_KEY: 'nobody' } });
  expect(code).toBe(5);
});

test('an audience that does not exist stays a usage error in a dry run (O8)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  expect((await world.svc(['migrate', list, '--dry-run', '--audience', 'aud_nobody'])).code).toBe(2);
});

test('a run that is no dry run still ends 4 with an unknown key', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  expect((await world.svc(['migrate', list, '--json'], { env: { SVC_API_KEY: 'nobody' } })).code).toBe(4);
});

test('a dry run of an enrolment says why the account was not asked', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  const line = ['automations', 'enroll', 'aut_x', list, '--create-contacts', '--dry-run', '--json'];

  const { code, json } = await world.svc(line, { env: { SVC_API_KEY: 'nobody' } });

  expect(code).toBe(0);
  expect(skippedOf(json).map(([check]) => check)).toEqual(['automation', ...CHECKS]);
});
