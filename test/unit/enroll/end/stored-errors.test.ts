import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import type { RunOptions } from '../../../support/world.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from '../support.ts';

const ENROLL = { route: 'POST /v1/automations/*/enroll' };
/** The service stores this error, and replays it for a day. */
const STORED = { kind: 'error', status: 500, code: 'internal_error', when: 'effect', match: ENROLL } as const;

/** The enrollments of a run got a 500, which the service stored. */
async function storedErrors(words: readonly string[] = []) {
  const world = await createAutomationWorld(addresses(2));
  const run = await enrollWithErrors(world, words);
  return { world, run };
}

async function enrollWithErrors(world: AutomationWorld, words: readonly string[] = [], run: RunOptions = {}) {
  world.emulator.admin.addFault(STORED);
  const { json } = await world.enroll(bare(addresses(2)), words, run);
  world.emulator.admin.clearFaults();
  world.requests();
  expect(json.rows.unknown).toBe(2);
  return String(json.run);
}

const resolve = (world: AutomationWorld, run: string) => world.svc(['runs', 'resolve', run, '--all', 'not-enrolled']);

test.each([[[]], [['--at-most-once']]])(
  'enrolls people resolved as not enrolled after a stored 500, %j (I2)',
  async (words) => {
    const { world, run } = await storedErrors(words);
    const { out } = await resolve(world, run);
    const command = out.split('\n').find((line) => line.startsWith('svc ')) ?? '';
    expect(command).toContain(`automations enroll ${world.automation}`);

    const { code, json } = await world.svc(splitShellText(command).slice(1));

    expect([code, counts(json.rows), world.enrolled()]).toEqual([0, { read: 2, enrolled: 2 }, addresses(2)]);
    expect((await world.enroll(bare(addresses(2)))).json.skipped).toEqual({ enrolled_before: 2 });
  },
);

test('enrolls people resolved as not enrolled when two keys hold a 500 (I2)', async () => {
  const { world, run } = await storedErrors();
  await resolve(world, run);
  await resolve(world, await enrollWithErrors(world));
  expect(counts((await world.enroll(bare(addresses(2)))).json.rows)).toEqual({ read: 2, enrolled: 2 });
  expect(world.enrolled()).toEqual(addresses(2));
});

test('enrolls no person again when the stored response is a success (I2, M5)', async () => {
  const world = await createAutomationWorld(addresses(2), { reentry: 'always' });
  // The response is lost, and the user decides wrongly.
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: ENROLL });
  const { json } = await world.enroll(bare(addresses(2)), ['--at-most-once']);
  world.emulator.admin.clearFaults();
  await resolve(world, String(json.run));
  await world.enroll(bare(addresses(2)));
  expect(world.enrolled()).toEqual(addresses(2));
});

test('another machine keeps the key when the service replays a 500 (I2)', async () => {
  const { world } = await storedErrors();
  rmSync(join(world.folder, 'state'), { recursive: true });
  const { json } = await world.enroll(bare(addresses(2)));
  const keys = new Set(world.asked().map(({ headers }) => headers['idempotency-key']));
  expect([json.rows.unknown, keys.size, world.enrolled()]).toEqual([2, 2, []]);
});

test('keeps the key when a request of this run may have stored the 500 (I2)', async () => {
  const world = await createAutomationWorld(addresses(1));
  world.emulator.admin.addFault({ kind: 'lost_claim', effect: false, match: ENROLL });
  const first = await world.enroll(bare(addresses(1)), ['--at-most-once']);
  world.emulator.admin.clearFaults();
  await world.clock.advance(25 * 3_600_000);
  await resolve(world, String(first.json.run));
  world.requests();
  // The first attempt stores the error after the decision. Its response is lost, and the second one replays it.
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', times: 1, match: ENROLL });
  world.emulator.admin.addFault({ ...STORED, times: 1 });
  const { json } = await world.enroll(bare(addresses(1)));
  const keys = new Set(world.asked().map(({ headers }) => headers['idempotency-key']));
  expect([json.rows.unknown, keys.size, world.enrolled()]).toEqual([1, 1, []]);
});
