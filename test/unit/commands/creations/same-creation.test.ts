import { describe, expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { stepOf } from '../../../support/sweep.ts';
import { type CommandResult, createWorld, type World } from '../../../support/world.ts';

const SEND = [
  'emails',
  'send',
  '--from',
  'me@example.com',
  '--to',
  'ana@example.org',
  '--subject',
  'Hi',
  '--text',
  'a',
];
const WEBHOOK = ['webhooks', 'create', '--url', 'https://hooks.example.com', '--event', 'email.sent'];
const CREATIONS: readonly (readonly [string, readonly string[]])[] = [
  ['emails send', SEND],
  ['doctor', ['doctor', '--from', 'me@example.com', '--to', 'ana@example.org', '--yes']],
  ['audiences create', ['audiences', 'create', 'Shop']],
  ['audiences create -q', ['audiences', 'create', 'Shop', '-q']],
  ['webhooks create', [...WEBHOOK, '--secret-file', 'secret']],
];

/** Runs a command, and a second one once the first POST took effect. The response to that POST is lost. */
async function runBeside(world: World, first: readonly string[], second: readonly string[]): Promise<CommandResult[]> {
  let other: Promise<CommandResult> | undefined;
  const end = await world.svc(first, {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        if (request.method !== 'POST' || other) {
          return response;
        }
        other = world.svc(second);
        await other;
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      },
    }),
  });
  return other ? [end, await other] : [end];
}

function keysOf(world: World): Set<string | undefined> {
  const posts = world.requests().filter(({ method }) => method === 'POST');
  return new Set(posts.map(({ headers }) => headers['idempotency-key']));
}

test.each(CREATIONS)('refuses the same %s while another process repeats it (I9, I11)', async (_, line) => {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  const [first, second] = await runBeside(world, line, line);
  expect([first?.code, second?.code], second?.err).toEqual([0, 6]);
  expect(second?.err).toMatch(/run_\w+ is (?:doing the same|creating this endpoint|sending this message) now/);
  expect([keysOf(world).size, (await world.svc('runs ls --json')).json]).toEqual([1, []]);
});

test.each(CREATIONS)('lets only one of two processes create at once: %s (I9, I11)', async (_, line) => {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  const ends = await Promise.all([world.svc(line), world.svc(line)]);
  expect(ends.map(({ code }) => code).sort()).toEqual([0, 6]);
  expect(keysOf(world).size).toBe(1);
});

test('sends a different message while a process repeats the first one (I11)', async () => {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  const ends = await runBeside(world, SEND, [...SEND.slice(0, -1), 'b']);
  expect([ends.map(({ code }) => code), keysOf(world).size]).toEqual([[0, 0], 2]);
});

const into = (command: string, name = 'Shop') => [
  ...command.split(' '),
  ...['--plan', 'paid', '--default-status', 'subscribed', '--create-audience', '--audience-name', name],
];
const NEW_AUDIENCES: readonly (readonly [string, readonly string[]])[] = [
  ['audiences create', ['audiences', 'create', 'Shop']],
  ['audiences create -q', ['audiences', 'create', 'Shop', '-q']],
  ['audiences create of a name in capitals', ['audiences', 'create', 'SHOP']],
  ['migrate', into('migrate a.csv')],
  ['migrate of another list', into('migrate b.csv')],
  ['contacts import', into('contacts import a.csv')],
  ['contacts import into a name in capitals', into('contacts import b.csv', 'SHOP')],
];
// Each command runs beside itself, and beside some of the others.
const PAIRS = NEW_AUDIENCES.flatMap(([first, one], index) =>
  NEW_AUDIENCES.map(([second, other]) => ({ first, second, one, other })).filter(
    (_, at) => (at - index) % stepOf(5) === 0,
  ),
);

async function worldOfLists(): Promise<World> {
  const world = await createWorld();
  world.file('a.csv', people(3));
  world.file('b.csv', people(3, 10));
  return world;
}

const shops = (world: World) => world.emulator.admin.audiences().filter(({ name }) => /^shop$/i.test(name));

test.each(PAIRS)('refuses $second while another process runs $first (I11)', async ({ one, other }) => {
  const world = await worldOfLists();
  const ends = await runBeside(world, one, other);
  expect([ends.map(({ code }) => code), shops(world).length], ends[1]?.err).toEqual([[0, 6], 1]);
});

test.each(PAIRS)('creates one audience when $second follows an unanswered $first (I11)', async ({ one, other }) => {
  const world = await worldOfLists();
  const { admin } = world.emulator;
  admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST /v1/audiences' } });
  const stopped = await world.svc(one, stoppedAfterPost(1));
  admin.clearFaults();
  const lost = keysOf(world);
  const second = await world.svc(other);
  if (second.code === 0) {
    // The second command is the same and continued the first run with its key.
    expect([...keysOf(world)]).toEqual(expect.arrayContaining([...lost]));
  } else {
    expect([second.code, keysOf(world).size], second.err).toEqual([6, 0]);
    await world.clock.advance(10 * 60_000);
    expect((await world.svc(other)).code).toBe(0);
  }
  expect([stopped.code > 0, shops(world).length]).toEqual([true, 1]);
});

describe('audiences rename beside a creation of the new name', () => {
  const rename = (world: World) => ['audiences', 'rename', world.emulator.audienceId, 'Shop'];

  test.each(NEW_AUDIENCES)(
    'refuses a rename to the name of a new audience while %s runs (I11)',
    async (_, creation) => {
      const world = await worldOfLists();
      const ends = await runBeside(world, creation, rename(world));
      expect([ends.map(({ code }) => code), shops(world).length], ends[1]?.err).toEqual([[0, 6], 1]);
      expect(ends[1]?.err).toMatch(/run\S* is working on this destination/);
    },
  );

  test.each(NEW_AUDIENCES)(
    'when %s got no response, refuses a rename to its name for 10 min (I11)',
    async (_, creation) => {
      const world = await worldOfLists();
      world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST /v1/audiences' } });
      await world.svc(creation, stoppedAfterPost(1));
      world.emulator.admin.clearFaults();
      const early = await world.svc(rename(world));
      expect([early.code, shops(world).length]).toEqual([6, 0]);
      expect(early.err).toMatch(/nothing was renamed: run_\w+ may still create this audience/);
      await world.clock.advance(10 * 60_000);
      expect([(await world.svc(rename(world))).code, shops(world).length]).toEqual([0, 1]);
    },
  );

  test('refuses to create an audience while a rename to its name runs (I11)', async () => {
    const world = await createWorld();
    let creation: Promise<CommandResult> | undefined;
    const { code } = await world.svc(rename(world), {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          if (request.method === 'PATCH') {
            creation = world.svc(['audiences', 'create', 'SHOP']);
            await creation;
          }
          return inner.send(request, signal);
        },
      }),
    });
    expect([code, (await creation)?.code, shops(world).length]).toEqual([0, 6, 1]);
    expect((await creation)?.err).toContain('svc audiences rename is working on this destination');
  });
});
