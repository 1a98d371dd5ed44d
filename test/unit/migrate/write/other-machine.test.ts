import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import type { Emit } from '../../../../src/base/events.ts';
import { commandToCompare } from '../../../../src/migrate/compare/command-to-compare.ts';
import type { RunHeader } from '../../../../src/runs/store/run-header.ts';
import { createRandom } from '../../../simulation/random.ts';
import { afterPost, stoppedAfterPost } from '../../../support/after-post.ts';
import { cityOf, numberedNames, rowsOf } from '../../../support/nights.ts';
import { everyNth, stepOf } from '../../../support/sweep.ts';
import { BATCH, type CommandResult, createWorld, type RunOptions, type World } from '../../../support/world.ts';

const HOUR = 3_600_000;
const NAMES = numberedNames(12);
// The last person is not in the canary, so only a batch shows that the city is another one.
const LAST = 'p12';

/** A list of the same twelve people: in A all live in Lisbon. */
const LISTS: Record<string, readonly string[]> = {
  A: rowsOf(NAMES),
  B: rowsOf(NAMES, 'Oslo'),
  // This list is A, except for one person.
  a: [...rowsOf(NAMES.slice(0, -1)), ...rowsOf([LAST], 'Rome')],
  // X and x are A and a, but with an address that the service refuses.
  X: rowsOf([...NAMES.slice(0, -2), 'p11@nowhere#', LAST]).map(withoutHost),
  x: [...rowsOf([...NAMES.slice(0, -2), 'p11@nowhere#']), ...rowsOf([LAST], 'Rome')].map(withoutHost),
  // This list is A with one more person. So its canary is that of A, but its batch is not.
  L: rowsOf([...NAMES, 'p13']),
};

/** The row without the host that `rowsOf` adds to this address. */
function withoutHost(row: string): string {
  return row.replace('nowhere#@example.com', 'nowhere');
}

interface Import extends RunOptions {
  readonly flags?: string;
  readonly verify?: boolean;
  readonly command?: string;
}

/** Imports a list on a machine: each has a state folder of its own. */
async function importOn(world: World, machine: number, list: string, given: Import = {}): Promise<CommandResult> {
  const { flags = '', command = 'contacts import', verify = false, ...run } = given;
  world.file('list.csv', `email,first_name,city\n${LISTS[list]?.join('\n')}\n`);
  const env = { XDG_STATE_HOME: join(world.folder, `machine${machine}`) };
  const line = `${command} list.csv --default-status subscribed --plan paid --json ${flags}${verify ? '' : ' --no-verify'}`;
  return world.svc(line, { env, ...run });
}

/** Plays steps such as `1A 2B 1A`: the machine, then the list. Returns the last result. */
async function play(world: World, steps: string, given: Import = {}): Promise<CommandResult> {
  let result: CommandResult | undefined;
  for (const step of steps.split(' ')) {
    await world.clock.advance(HOUR);
    result = await importOn(world, Number(step.slice(0, 1)), step.slice(1), given);
  }
  return result as CommandResult;
}

const cities = (world: World) => NAMES.map((name) => cityOf(world, name));
const citiesIn = (list: string) => LISTS[list]?.slice(0, NAMES.length).map((row) => row.split(',')[2]);

/** Changes the dates of the last change that reads show. The service document promises none. */
const withDates =
  (date: string) =>
  (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const text = response.body.toString('utf8').replaceAll(/"updated_at":"[^"]*"/g, date);
      return request.method === 'GET' ? { ...response, body: Buffer.from(text) } : response;
    },
  });

describe('a list that another machine replaced within a day', () => {
  test.each([
    '1A 2B 1A',
    '1A 2a 1A',
    '1a 2A 1a',
    '1A 2B 2A',
    '1A 2B 3A',
    '1A 2B 1A 2B',
    '1A 2B 1A 2B 1A',
    '1A 1A 2a 1A',
    '1A 2L 1A',
    '1A 2B 1L',
    '1A 2A 1B 2A',
  ])('leaves the last list in the audience when machines take turns: %s (I7)', async (steps) => {
    const world = await createWorld();
    const { code } = await play(world, steps);
    expect([code, cities(world)]).toEqual([0, citiesIn(steps.slice(-1))]);
  });

  test.each<[string, Import]>([
    ['contacts show no date of a change', { transport: withDates('"other":"x"') }],
    [
      'contacts show the date of their creation only',
      { transport: withDates('"updated_at":"2025-01-01T00:00:00.000Z"') },
    ],
    ['with --explicit-status', { flags: '--explicit-status' }],
    ['by migrate', { command: 'migrate' }],
    ['with verification', { verify: true }],
  ])('writes a list again when another machine replaced it: %s (I7)', async (_, given) => {
    const world = await createWorld();
    const { code } = await play(world, '1A 2a 1A', given);
    expect([code, cities(world)]).toEqual([0, citiesIn('A')]);
  });

  test('writes a replaced list again when responses have no Date header (I7)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ kind: 'headers', headers: { Date: null } });
    expect((await play(world, '1A 2a 1A')).code).toBe(0);
    expect(cities(world)).toEqual(citiesIn('A'));
  });

  test('writes a replaced list again when svc does not read all pages (I7)', async () => {
    const world = await createWorld();
    await play(world, '1A');
    world.emulator.admin.addContacts(numberedNames(5_100).map((name) => ({ email: `${name}@example.org` })));
    expect([(await play(world, '2a 1A')).code, cities(world)]).toEqual([0, citiesIn('A')]);
  });

  test('bisects and writes a list again when a machine replaced it (I7, P3)', async () => {
    const world = await createWorld({ variants: { batch_invalid_row: 'whole' } });
    expect((await play(world, '1X 2x 1X')).code).toBe(3);
    expect(cities(world)).toEqual([...(citiesIn('X') ?? []).slice(0, -2), undefined, 'Lisbon']);
  });

  test.each(['1A 1A 1A', '1A 2A', '1A 2A 3A 1A'])(
    'accepts replays when all machines send the same list: %s (I7)',
    async (steps) => {
      const world = await createWorld();
      expect((await play(world, steps)).json.rows_replayed).toBe(NAMES.length);
    },
  );

  // A change after the lost request may be a write of this run itself.
  test.each([
    ['before', 0],
    ['after', NAMES.length],
  ])('a change %s a lost response decides whether the replay is outdated (I7)', async (moment, replayed) => {
    const world = await createWorld();
    const touch = async () => {
      await world.clock.advance(HOUR);
      world.emulator.admin.setStatus(`${LAST}@example.com`, 'unsubscribed');
      world.emulator.admin.setStatus(`${LAST}@example.com`, 'subscribed');
    };
    await play(world, '1A');
    await (moment === 'before' ? touch() : undefined);
    const cut = await play(world, '1A', stopAt(2));
    await (moment === 'after' ? touch() : undefined);
    const env = { XDG_STATE_HOME: join(world.folder, 'machine1') };
    const { code, json } = await world.svc(['runs', 'resume', cut.json.run, '--json'], { env });
    expect([cut.code === 0, code, json.rows_replayed]).toEqual([false, 0, replayed]);
  });

  // Each stop comes after another request: of the canary, of the proof of `upsert: false`, or of the batch.
  test.each([1, 2, 3, 4, 5])(
    'resumes when other machines imported after the stop at POST %i (I7, I9)',
    async (posts) => {
      const world = await createWorld();
      const flags = '--explicit-status';
      const contacts = ['p3', 'p4', 'p11'].map((name) => ({ email: `${name}@example.com` }));
      world.emulator.admin.addContacts(contacts);
      const cut = await importOn(world, 1, 'A', { flags, ...stoppedAfterPost(posts) });
      await play(world, '2A 3a', { flags });
      const env = { XDG_STATE_HOME: join(world.folder, 'machine1') };
      const { code, json } = await world.svc(['runs', 'resume', cut.json.run, '--json'], { env });
      expect([code, json.error, json.rows?.unsent]).toEqual([0, undefined, 0]);
      expect(cities(world)).toEqual(citiesIn(posts > 3 ? 'a' : 'A'));
    },
  );

  test('brings no deleted person back when another machine repeats a list (I7)', async () => {
    const world = await createWorld();
    await play(world, '1A');
    world.emulator.admin.deleteContact(`${LAST}@example.com`);
    expect((await play(world, '2A 1A')).json.rows_replayed).toBe(NAMES.length);
    expect(cityOf(world, LAST)).toBeUndefined();
  });
});

/** Holds the look-ups of people of the first batch until the second batch is sent under a key of the run. */
function holdFirstBatch(inner: Transport): Transport {
  const sentAgain = Promise.withResolvers<void>();
  let posts = 0;
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      posts += request.method === 'POST' ? 1 : 0;
      // The POST requests are the canary, both batches, and the second batch once more.
      if (posts === 4) {
        sentAgain.resolve();
      }
      const [, number] = /contacts\/p(\d+)(?:@|%40)example\.com/.exec(request.url.pathname) ?? [];
      if (posts > 1 && Number(number) <= 1_000) {
        await sentAgain.promise;
      }
      return inner.send(request, signal);
    },
  };
}

/** A list of 1,100 people in two batches: three people have these cities. None of them is in the canary. */
function longList(cities: readonly [string, string, string]): string[] {
  const moved = new Map(['p300', 'p700', 'p1090'].map((name, index) => [name, cities[index]]));
  return numberedNames(1_100).flatMap((name) => rowsOf([name], moved.get(name) ?? 'Lisbon'));
}

const MOVED = ['p300', 'p700', 'p1090'];
LISTS.long = longList(['Lisbon', 'Lisbon', 'Lisbon']);
LISTS.first = longList(['Oslo', 'Lisbon', 'Lisbon']);
LISTS.second = longList(['Lisbon', 'Lisbon', 'Oslo']);

describe('a list of two batches that another machine replaced in part', () => {
  test.each(['first', 'second'])(
    'sends the whole list when another machine replaced batch "%s" (I7)',
    async (other) => {
      const world = await createWorld();
      const { code, json } = await play(world, `1long 2${other} 1long`);
      expect([code, json.rows_replayed, json.rows.unsent]).toEqual([0, 0, 0]);
      expect(MOVED.map((name) => cityOf(world, name))).toEqual(['Lisbon', 'Lisbon', 'Lisbon']);
    },
  );

  test('sends the whole list again when its canary is not a replay (I7)', async () => {
    const world = await createWorld();
    await play(world, '1long 2second');
    // The next canary holds this person, so it is no replay.
    world.emulator.admin.setStatus('p1050@example.com', 'unsubscribed');
    const { code, json } = await play(world, '1long');
    expect([code, json.rows_replayed, json.rows.unsent]).toEqual([0, 0, 0]);
    expect(MOVED.map((name) => cityOf(world, name))).toEqual(['Lisbon', 'Lisbon', 'Lisbon']);
  });

  test('warns how many people of replayed batches svc did not check (I7)', async () => {
    const world = await createWorld();
    await play(world, '1long');
    world.emulator.admin.addContacts(numberedNames(5_100).map((name) => ({ email: `${name}@example.org` })));
    await play(world, '2first');
    const notes: string[] = [];
    const onEvent: Emit = (event) => {
      notes.push(event.type === 'note' ? event.message : '');
    };
    // Flags that choose the account or the state folder belong to the printed command.
    const place = `--state-dir ${join(world.folder, 'machine1', 'svc')}`;
    const { code, json } = await play(world, '1long', { flags: place, onEvent });
    const warned = json.findings.find(({ check }: { check: string }) => check === 'unseen_replays');
    // Svc looked up 20 people of the canary and the first batch, and one of the second.
    expect([code, json.rows_replayed, warned.message]).toEqual([
      0,
      1_100,
      `the service replayed stored responses, and svc did not check 1,079 people whom an earlier import, or an earlier part of this run, wrote. Another machine may have changed them since. To compare all people: svc ${place} runs verify ${json.run}`,
    ]);
    expect(notes.join('\n')).toContain(warned.message.slice(1));
    const shown = await world.svc(`runs show ${json.run} --json ${place}`);
    expect(shown.json.findings).toContainEqual(warned);
    expect(cityOf(world, 'p300')).toBe('Oslo');
    const verified = await world.svc(`${warned.message.replace(/.*: svc /, '')} --json`);
    expect([verified.code, verified.json.examples.different]).toEqual([
      3,
      [expect.objectContaining({ email: 'p300@example.com' })],
    ]);
  });

  test('counts each unchecked person of a replay once, also after a resume (I7)', async () => {
    const world = await createWorld();
    await play(world, '1long');
    world.emulator.admin.addContacts(numberedNames(5_100).map((name) => ({ email: `${name}@example.org` })));
    await play(world, '2first');
    const match = { route: BATCH };
    // The canary and the first batch are replays. The second batch is refused.
    world.emulator.admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before', match, after: 2 });
    const stopped = await play(world, '1long', { flags: '--concurrency 1' });
    world.emulator.admin.clearFaults();
    const env = { XDG_STATE_HOME: join(world.folder, 'machine1') };
    const { code, json } = await world.svc(['runs', 'resume', stopped.json.run, '--json'], { env });
    expect([stopped.code, code, JSON.stringify(json.findings)]).toEqual([
      4,
      0,
      expect.stringContaining(
        'svc did not check 1,075 people whom an earlier import, or an earlier part of this run, wrote.',
      ),
    ]);
  });

  test('counts unchecked people when another machine wrote before a resume (I7)', async () => {
    const world = await createWorld();
    LISTS.other = longList(['Rome', 'Rome', 'Rome']);
    await play(world, '1first');
    // The second batch is that of the first import. The canary is a replay too. The first batch is written again.
    const cut = await play(world, '1long', stoppedAfterPost(2));
    await play(world, '2other');
    const env = { XDG_STATE_HOME: join(world.folder, 'machine1') };
    const { code, json } = await world.svc(['runs', 'resume', cut.json.run, '--json'], { env });
    expect([code, MOVED.map((name) => cityOf(world, name)), JSON.stringify(json.findings)]).toEqual([
      0,
      ['Rome', 'Rome', 'Lisbon'],
      expect.stringContaining(
        'svc did not check 996 people whom an earlier import, or an earlier part of this run, wrote.',
      ),
    ]);
  });

  test('fails verification when another machine wrote before the resume (L4)', async () => {
    const world = await createWorld();
    LISTS.moved = numberedNames(1_100).flatMap((name) => rowsOf([name], 'Oslo'));
    const match = { route: BATCH };
    // The second batch is refused: the first one and the canary are written.
    world.emulator.admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before', match, after: 2 });
    const stopped = await importOn(world, 1, 'long', { flags: '--concurrency 1', verify: true });
    world.emulator.admin.clearFaults();
    await importOn(world, 2, 'moved');
    const env = { XDG_STATE_HOME: join(world.folder, 'machine1') };
    const resumed = await world.svc(['runs', 'resume', stopped.json.run, '--json'], { env });
    expect([stopped.code, resumed.code, cityOf(world, 'p300'), cityOf(world, 'p1090')]).toEqual([
      4,
      8,
      'Oslo',
      'Lisbon',
    ]);
  });

  test('sends a batch again when a replay of another batch was outdated (I7)', async () => {
    const world = await createWorld();
    const rows = numberedNames(1_100).flatMap((name) => rowsOf([name], name === 'p1002' ? 'Oslo' : 'Lisbon'));
    LISTS.third = rows;
    await play(world, '1long');
    world.emulator.admin.addContacts(numberedNames(5_100).map((name) => ({ email: `${name}@example.org` })));
    await play(world, '2third');
    // One person is new again. So the canary proves what the service does with new people, and svc need not send the
    // first batches one by one.
    world.emulator.admin.deleteContact('p1001@example.com');
    const { code, json } = await play(world, '1long', { transport: holdFirstBatch });
    expect([code, json.rows_replayed, cityOf(world, 'p1002'), JSON.stringify(json.findings)]).toEqual([
      0,
      0,
      'Lisbon',
      expect.not.stringContaining('unseen_replays'),
    ]);
  });

  test('reports no unchecked people when svc read the whole audience (I7)', async () => {
    const world = await createWorld();
    const { json } = await play(world, '1long 1long');
    expect([json.rows_replayed, JSON.stringify(json.findings)]).toEqual([
      1_100,
      expect.not.stringContaining('unseen_replays'),
    ]);
  });

  test('a resume after any lost response writes the whole list (I7, D1)', async () => {
    const ends: unknown[] = [];
    for (let nth = 1, stopped = true; stopped; nth += stepOf(2)) {
      const world = await createWorld();
      await play(world, '1long 2second');
      await world.clock.advance(HOUR);
      const first = await importOn(world, 1, 'long', stopAt(nth));
      stopped = first.code !== 0;
      const env = { XDG_STATE_HOME: join(world.folder, 'machine1') };
      const { code, json } = stopped ? await world.svc('runs resume --json', { env }) : first;
      ends.push([code, json.rows.created + json.rows.updated, ...MOVED.map((name) => cityOf(world, name))]);
    }
    expect(ends.length).toBeGreaterThan(5 / stepOf(2));
    expect(ends).toEqual(ends.map(() => [0, 1_100, 'Lisbon', 'Lisbon', 'Lisbon']));
  });
});

const FILE = { path: 'my list.csv', original: { place: '/my list.csv' } };
const PIPE = { path: '-' };

test.each([
  ['migrate', 'a file', [FILE], 'svc runs verify run_1'],
  ['contacts import', 'two files', [FILE, FILE], 'svc runs verify run_1'],
  ['contacts import', 'a pipe', [PIPE], 'svc contacts check <list> --audience aud_1'],
  ['migrate', 'a file and a pipe', [FILE, PIPE], 'svc contacts check <list> --audience aud_1'],
  ['automations enroll', 'a file', [FILE], "svc contacts check 'my list.csv' --audience aud_1"],
  ['automations enroll', 'flags', [], 'svc contacts check <list> --audience aud_1'],
])('names the command that compares list and audience: %s from %s (L4)', (command, _, inputs, expected) => {
  const destination = { kind: 'automation', id: 'aut_1', audienceId: 'aud_1' };
  const header = { run: 'run_1', command, inputs, destination, options: { createContacts: true } };
  expect(commandToCompare(header as unknown as RunHeader)).toBe(expected);
});

test('names `contacts check` with --map as in the run, but without --yes (L4)', () => {
  const typed = { words: ['automations', 'enroll', 'my list.csv', '--map', 'A=email', '--yes'], answers: [] };
  const header = { run: 'run_1', command: 'automations enroll', inputs: [FILE], typed, options: {} };
  expect(commandToCompare(header as unknown as RunHeader)).toBe("svc contacts check 'my list.csv' --map A=email");
});

/** Stops the program at the nth POST request, and loses its response. */
function stopAt(nth: number): Import {
  return afterPost(nth, (stopper) => {
    stopper.abort();
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  });
}

test.each(everyNth([1, 2, 3], 2))(
  'keeps the last list when machines take turns, random seed %i (I7, P7)',
  async (seed) => {
    const random = createRandom(seed);
    const world = await createWorld();
    for (let count = 0; count < 9; count += 1) {
      await world.clock.advance(random.int(1, 11 * 60) * 60_000);
      const [machine, list] = [random.int(1, 4), random.pick(['A', 'B', 'a', 'L'])];
      // The clock of the machine is wrong. The service keeps its time.
      const skew = random.pick([-26, -2, 0, 0, 2, 26]) * HOUR;
      jump(world, skew);
      const { code } = await importOn(world, machine, list);
      jump(world, -skew);
      expect([count, machine, list, code, cities(world)]).toEqual([count, machine, list, 0, citiesIn(list)]);
    }
  },
);

/** Sets the local clock only: the service keeps its time. */
function jump(world: World, ms: number): void {
  world.clock.set(world.clock.now() + ms);
  world.emulator.admin.advance(-ms);
}
