import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { createEmulator } from '../../../../src/emulator/emulator.ts';
import { createWorld, type World } from '../../../support/world.ts';

const PLAN_BEFORE = 'free';

interface StoreWorld extends World {
  /** The plan that the stored data have. */
  plan(): Promise<string>;
  /** The number of contacts that the stored data have. */
  contacts(): Promise<number>;
}

async function worldWithStore(): Promise<StoreWorld> {
  const world = await createWorld();
  const options = { dataDir: join(world.folder, 'data'), clock: world.clock, randomHex: () => 'ab'.repeat(16) };
  const read = async (first?: 'free') => {
    const emulator = await createEmulator({ ...options, plan: first });
    const [{ plan }, contacts] = [emulator.admin.state(), emulator.admin.contacts().length];
    await emulator.close();
    return { plan, contacts };
  };
  await read(PLAN_BEFORE);
  return { ...world, plan: async () => (await read()).plan, contacts: async () => (await read()).contacts };
}

/** Starts the server, and stops it as soon as it listens. */
function startOnce(world: World, line: string, env: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController();
  return world.svc(line, { env, signal: stop.signal, onWrite: () => stop.abort(createInterruption('SIGTERM')) });
}

describe('the stored data of an emulator', () => {
  test.each([
    ['', {}, 'free', ''],
    ['--plan paid', {}, 'paid', 'its plan was free and is paid now (--plan)'],
    ['--plan free', {}, 'free', ''],
    ['--plan paid --quiet', {}, 'paid', ''],
    ['', { SVC_PLAN: 'paid' }, 'free', 'its plan is free, not paid'],
  ])('stored data keeps its plan unless --plan changes it: "%s", env %j', async (flags, env, plan, note) => {
    const world = await worldWithStore();
    const folder = join(world.folder, 'data');
    const embedded = await world.svc(`audiences ls --emulator-data ${folder} ${flags}`, { env });
    expect(await world.plan()).toBe(plan);
    // The requests go to the service of this test, which refuses the key of the embedded emulator.
    const notes = embedded.err.split('\n').filter((line) => line.startsWith('note: '));
    expect(notes).toEqual(note === '' ? [] : [`note: the emulator's data in ${folder} was kept: ${note}`]);
  });

  test('emulator start keeps the plan of its data, and notes an ignored --seed', async () => {
    const world = await worldWithStore();
    const folder = join(world.folder, 'data');
    const seed = world.file('seed.json', '{"contacts":[{"email":"ana@example.com"}]}');
    const { err } = await startOnce(world, `emulator start --json --data ${folder} --seed ${seed}`);
    expect(err).toBe(`note: the emulator's data in ${folder} was kept: --seed is ignored, a seed is for new data\n`);
    expect([await world.plan(), await world.contacts()]).toEqual(['free', 0]);
    const changed = await startOnce(world, `emulator start --json --data ${folder} --plan paid`);
    expect(changed.err).toContain('its plan was free and is paid now');
    expect(await world.plan()).toBe('paid');
  });

  test('two commands open the data of two emulators at the same time', async () => {
    const world = await createWorld();
    let [open, mostOpen] = [0, 0];
    const transport = (inner: Transport): Transport => ({
      ...inner,
      send: async (request, signal) => {
        open += 1;
        // The other command gets some time to send a request too.
        for (let turn = 0; turn < 1_000 && mostOpen < 2; turn += 1) {
          mostOpen = Math.max(mostOpen, open);
          await new Promise((resolve) => setImmediate(resolve));
        }
        open -= 1;
        return inner.send(request, signal);
      },
    });
    const codes = ['one', 'two'].map(
      async (folder) => (await world.svc(`audiences ls --emulator-data ${folder}`, { transport })).code,
    );
    // The service of this test refuses the key of each embedded emulator.
    expect([await Promise.all(codes), mostOpen]).toEqual([[4, 4], 2]);
    expect(['one', 'two'].map((folder) => existsSync(join(world.folder, folder)))).toEqual([true, true]);
  });

  test("finds the emulator's data relative to the working directory", async () => {
    const world = await worldWithStore();
    const { err } = await world.svc('audiences ls --emulator-data data --plan paid');
    expect(err).toContain("the emulator's data in data was kept: its plan was free and is paid now");
    expect(await world.plan()).toBe('paid');
  });
});
