import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const FORMS = [
  'https://mail.example.test./api',
  'https://mail.example.test//api/',
  'https://Mail.example.test.:443//api//',
] as const;

test.each(FORMS)('resumes with the same idempotency key when the base URL is %s (K4)', async (form) => {
  const world = await createWorld();
  const fault = { kind: 'reset', when: 'after', match: { route: 'POST /v1/audiences' } } as const;
  world.emulator.admin.addFault(fault);
  await world.svc('audiences create Shop');
  world.emulator.admin.clearFaults();
  const { code, err } = await world.svc('audiences create Shop', { env: { SVC_BASE_URL: form } });
  expect(code, err).toBe(0);
  const keys = world.requests().flatMap(({ headers }) => headers['idempotency-key'] ?? []);
  expect([keys.length > 1, new Set(keys).size]).toEqual([true, 1]);
  expect(world.emulator.admin.audiences().filter(({ name }) => name === 'Shop')).toHaveLength(1);
});

test.each(FORMS)('enrolls no person twice when the base URL is typed as %s (K4, M5)', async (form) => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: 'ana@example.com' }]);
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome', reentry: 'always' });
  const line = ['automations', 'enroll', automation, '--email', 'ana@example.com', '--json'];
  await world.svc(line);
  await world.clock.advance(25 * 3_600_000);
  const { code } = await world.svc(line, { env: { SVC_BASE_URL: form } });
  expect([code, world.emulator.admin.enrollments(automation).length]).toEqual([0, 1]);
});

test.each(FORMS)('sends an API key when the URL of its origin is typed as %s (K4, K8)', async (form) => {
  const world = await createWorld();
  const env = { SVC_API_KEY_ORIGIN: form };
  expect((await world.svc('audiences ls --json', { env })).code).toBe(0);
  const folder = join(world.folder, 'config', 'svc');
  mkdirSync(folder, { recursive: true });
  const profile = { base_url: form, api_key: world.emulator.apiKey };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 });
  const { code, err } = await world.svc('audiences ls --json', { env: { SVC_BASE_URL: '', SVC_API_KEY: '' } });
  expect(code, err).toBe(0);
});
