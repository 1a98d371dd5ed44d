import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import type { Emit } from '../../../src/base/events.ts';
import { afterPost } from '../../support/after-post.ts';
import { people } from '../../support/lists.ts';
import { BATCH, createWorld, type RunOptions, type World } from '../../support/world.ts';

const FLAGS = ['--audience-name', 'Readers', '--create-audience'];
const isCreation = ({ method, url }: { method: string; url: URL }) =>
  method === 'POST' && url.pathname.endsWith('/audiences');

/** Two machines. Each gets the response to its creation once both audiences exist. */
function machinesOf(world: World): readonly [RunOptions, RunOptions] {
  const { promise: bothExist, resolve } = Promise.withResolvers<void>();
  let created = 0;
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      if (isCreation(request)) {
        created += 1;
        if (created === 2) {
          resolve();
        }
        await bothExist;
      }
      return response;
    },
  });
  return [{ transport }, { transport, env: { XDG_STATE_HOME: join(world.folder, 'machine2') } }];
}

/** The commands of a hint, each as words after `svc`. */
function commandsIn(err: string): string[][] {
  const hint = err.startsWith('{') ? JSON.parse(err).error.hint : err;
  return [...hint.matchAll(/^ *svc (?!: )(.*)$/gm)].map(([, line]) => line.split(' '));
}

const readers = ({ emulator: { admin } }: World) => admin.audiences().filter(({ name }) => name === 'Readers');
const batches = (world: World) => world.requests().filter(({ path }) => path.endsWith('/batch')).length;

describe('two machines that create one name at once', () => {
  test.each([
    'migrate',
    'migrate -q',
    'migrate --json',
    'contacts import',
    'contacts import -q',
    'contacts import --json',
  ])('two machines send to one audience when their hints are pasted: %s (L3)', async (command) => {
    const world = await createWorld();
    const line = [...command.split(' '), world.file('list.csv', people(3)), ...FLAGS];
    const machines = machinesOf(world);
    const ended = await Promise.all(machines.map((machine) => world.svc(line, machine)));
    expect([ended.map(({ code }) => code), batches(world)]).toEqual([[7, 7], 0]);
    expect(ended.map(({ out, err }) => out + err).join()).not.toContain('Run the same command again');

    // The machine whose audience is the oldest has one command. The other has four, and the last is another choice.
    for (const [index, { err }] of ended.entries()) {
      const all = commandsIn(err);
      for (const words of all.length === 1 ? all : all.slice(0, -1)) {
        const pasted = await world.svc(words, { env: machines[index]!.env ?? {} });
        expect(pasted.code, pasted.err).toBe(0);
      }
      expect((await world.svc('runs resume', { env: machines[index]!.env ?? {} })).code).toBe(2);
    }
    const [kept, ...others] = readers(world);
    expect([others, world.emulator.admin.contacts(kept!.id).length]).toEqual([[], 3]);
    expect((await world.svc(line)).code).toBe(0);
  });

  test('each machine sends to its own audience when its hint is pasted (L3)', async () => {
    const world = await createWorld();
    const line = ['migrate', world.file('list.csv', people(3)), ...FLAGS];
    const machines = machinesOf(world);
    const ended = await Promise.all(machines.map((machine) => world.svc(line, machine)));
    for (const [index, { err }] of ended.entries()) {
      const { code, err: problem } = await world.svc(commandsIn(err).at(-1)!, { env: machines[index]!.env ?? {} });
      expect(code, problem).toBe(0);
    }
    const counts = readers(world).map(({ id }) => world.emulator.admin.contacts(id).length);
    expect(counts).toEqual([3, 3]);
  });

  const INTERRUPTIONS = [
    ['by Ctrl-C', (_: World, stopper: AbortController) => stopper.abort()],
    ['by failing reads', (world: World) => world.refuse('GET /v1/audiences', { status: 503, code: 'x' })],
    ['by a failing read-back', (world: World) => world.refuse('GET /v1/audiences/*', { status: 503, code: 'x' })],
  ] as const;

  test.each(INTERRUPTIONS)(
    'stops a resume when another audience has the name, run ended %s (L3, D4)',
    async (_, interrupt) => {
      const world = await createWorld();
      const stopper = new AbortController();
      const transport = (inner: Transport): Transport => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          const response = await inner.send(request, signal);
          if (isCreation(request)) {
            await world.svc('audiences create Readers', { env: { XDG_STATE_HOME: join(world.folder, 'machine2') } });
            interrupt(world, stopper);
          }
          return response;
        },
      });
      const cut = await world.svc(['migrate', world.file('list.csv', people(3)), ...FLAGS, '--json'], {
        transport,
        signal: stopper.signal,
      });
      world.emulator.admin.clearFaults();

      const stopped = await world.svc(['runs', 'resume', cut.json.run, '--json']);
      const sentBefore = batches(world);
      const { code, json } = await world.svc(commandsIn(stopped.err).at(-1)!.concat('--json'));

      expect([cut.json.next, stopped.code, JSON.parse(stopped.err).error.code, sentBefore]).toEqual([
        [`svc runs resume ${cut.json.run}`],
        7,
        'same_name',
        0,
      ]);
      expect([code, json.rows.created]).toEqual([0, 3]);
    },
  );

  test('stops a resume when two audiences have one name after a kill (L3, D1)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(3));
    const killed = join(world.folder, 'killed');
    const asKilled = { env: { XDG_STATE_HOME: killed } };
    const created = afterPost(1, () => world.emulator.admin.createAudience('Readers'));
    const onEvent: Emit = (event) => {
      if (event.type === 'phase' && event.phase === 'report') {
        // A process that is killed here leaves these files.
        cpSync(join(world.folder, 'state'), killed, { recursive: true });
      }
    };
    const { json } = await world.svc(['migrate', list, ...FLAGS, '--json'], { ...created, onEvent });

    const stopped = await world.svc(['runs', 'resume', json.run, '--json'], asKilled);
    const sentBefore = batches(world);
    const resumed = await world.svc(['runs', 'resume', json.run, '--json'], asKilled);
    expect([stopped.code, JSON.parse(stopped.err || '{}').error?.code, sentBefore]).toEqual([7, 'same_name', 0]);
    expect([resumed.code, resumed.json.rows.created]).toEqual([0, 3]);
  });

  test('asks to repeat the command when two audiences have one name (L3)', async () => {
    const world = await createWorld();
    const match = { route: 'POST /v1/audiences' };
    world.emulator.admin.addFault({ kind: 'reset', when: 'after', match });
    const { json } = await world.svc(['migrate', world.file('list.csv', people(3)), ...FLAGS, '--json']);
    world.emulator.admin.clearFaults();
    await world.clock.advance(10 * 60_000);
    await world.svc('audiences create Readers', { env: { XDG_STATE_HOME: join(world.folder, 'machine2') } });
    expect(readers(world)).toHaveLength(2);
    const { code, err } = await world.svc(['runs', 'resume', json.run]);
    expect([code, err]).toEqual([2, expect.stringContaining('Give the first command again, with one of these:\n')]);
    expect(world.requests().filter(({ path }) => path.endsWith(BATCH.split('*')[1]!))).toEqual([]);
  });
});
