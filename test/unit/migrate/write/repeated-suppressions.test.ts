import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createWorld, type World } from '../../../support/world.ts';

const HOUR_MS = 3_600_000;
const ADDRESSES = Array.from({ length: 40 }, (_, index) => `p${index + 1}@example.com`);
const LINES = ['suppressions import list.csv --json', 'migrate list.csv --plan paid --json'];
// Bounces and complaints go in two requests.
const LIST = `email,status\n${ADDRESSES.map((email, index) => `${email},${index < 20 ? 'bounced' : 'complained'}\n`).join('')}`;

async function createSuppressed(line: string): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', LIST);
  await world.svc(line);
  await world.clock.advance(HOUR_MS);
  return world;
}

function suppressed(world: World): number {
  return world.emulator.admin.suppressions().filter(({ email }) => ADDRESSES.includes(email)).length;
}

const suppressionPosts = (world: World) =>
  world.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/suppressions'));

test.each(LINES)('sends suppressions again when a person was unsuppressed: %s (I7, L4)', async (line) => {
  for (const machine of ['the same', 'another']) {
    const world = await createSuppressed(line);
    world.emulator.admin.unsuppress('p1@example.com');
    world.emulator.admin.unsuppress('p40@example.com');
    const env = machine === 'another' ? { SVC_STATE_DIR: join(tempFolder(), 'state') } : {};
    const { code, json } = await world.svc(line, { env });
    expect([code, suppressed(world), json.rows.suppressed], machine).toEqual([0, 40, 40]);
    expect(json.verification.checks.at(-1)).toMatchObject({ check: 'suppressions', status: 'passed' });
    expect(json.verification.checks.at(-1).message).toMatch(/^40 addresses suppressed in the account, /);
  }
});

test.each(LINES)('sends no suppression twice in a resume of its own run: %s (I7)', async (line) => {
  for (const end of ['response lost', 'never arrives'] as const) {
    const world = await createWorld();
    world.file('list.csv', LIST);
    const stopped = await world.svc(line, stoppedAt(end));
    const first = suppressionPosts(world);
    const { code } = await world.svc(`runs resume ${stopped.json.run} --json`);
    const all = [...first, ...suppressionPosts(world)];
    expect([stopped.code === 0, code, suppressed(world)], end).toEqual([false, 0, 40]);
    expect(new Set(all.map(({ headers }) => headers['idempotency-key'])).size, end).toBe(2);
  }
});

test.each(LINES)('a resume suppresses again when stopped at its own keys: %s (I7, I2)', async (line) => {
  for (const end of ['response lost', 'never arrives'] as const) {
    // After the first request svc can't tell whose request a replay answers.
    for (const nth of [2, 3, 4]) {
      const world = await createSuppressed(line);
      world.emulator.admin.unsuppress('p1@example.com');
      let posts = 0;
      const isNth = ({ method }: { readonly method: string }) => method === 'POST' && ++posts === nth;
      const stopped = await world.svc(line, stoppedAt(end, isNth));
      const { code, json } = stopped.code === 0 ? stopped : await world.svc(`runs resume ${stopped.json.run} --json`);
      expect([code, json.rows.suppressed, suppressed(world)], `${end} ${nth}`).toEqual([0, 40, 40]);
    }
  }
});
