import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type World } from '../../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid'];

/** Changes the folder of the run when its first batch is sent. */
function atFirstBatch(world: World, act: (folder: string) => void): (inner: Transport) => Transport {
  let done = false;
  return (inner) => ({
    close: () => inner.close(),
    send: (request, signal) => {
      if (!done && request.method === 'POST') {
        done = true;
        const runs = join(world.folder, 'state', 'svc', 'runs');
        act(join(runs, readdirSync(runs)[0]!));
      }
      return inner.send(request, signal);
    },
  });
}

/** A list with one rejected row. */
const list = (world: World) => world.file('list.csv', `${people(1_500)}nobody,Name,subscribed\n`);

test.each([
  ['its rejects file', (folder: string) => writeFileSync(join(folder, 'rejects'), '')],
  ['its report file', (folder: string) => mkdirSync(join(folder, 'report.json', 'x'), { recursive: true })],
])('prints the result of a run when svc cannot write %s (D2)', async (_, spoil) => {
  const world = await createWorld();

  const result = await world.svc(['migrate', list(world), ...FLAGS], { transport: atFirstBatch(world, spoil) });

  expect(result.code).toBe(1);
  expect(result.json).toMatchObject({ status: 'failed', rows: { created: 1_500, rejected: 1 } });
  expect(result.json.error).toEqual(JSON.parse(result.err).error);
  expect(result.json.error.code).toBe('state_unwritable');
  expect(result.json.next).toContain(`svc runs resume ${result.json.run}`);
});

test('writes only the missing files in a resume when the disk has room (D2)', async () => {
  const world = await createWorld();
  const spoil = (folder: string) => writeFileSync(join(folder, 'rejects'), '');
  const cut = await world.svc(['migrate', list(world), ...FLAGS], { transport: atFirstBatch(world, spoil) });
  rmSync(join(world.folder, 'state', 'svc', 'runs', cut.json.run, 'rejects'));
  world.requests();

  const { code, json } = await world.svc('runs resume --json');

  expect([code, json.status, json.files.rejects.length]).toEqual([3, 'partial', 1]);
  expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('exits with 4 when the key is revoked and svc cannot write --report', async () => {
  const world = await createWorld();
  const spoil = () => {
    rmSync(join(world.folder, 'out'), { recursive: true });
    world.emulator.admin.revokeKey(world.emulator.apiKey);
  };
  mkdirSync(join(world.folder, 'out'));

  const result = await world.svc(['migrate', list(world), ...FLAGS, '--report', 'out/report.json'], {
    transport: atFirstBatch(world, spoil),
  });

  expect([result.code, JSON.parse(result.err).error.code]).toEqual([4, 'revoked_api_key']);
});
