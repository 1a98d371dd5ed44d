import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emit } from '../../../../src/base/events.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';
import { FLAGS, MINUTE, SIGNS_UP } from './support.ts';

// A response that the service replays is outdated if another machine wrote another version of the list since. svc finds
// out only in the resume, and sends the people again. So the resume must know who left in the pause.

/** Writes a list to the audience from another machine. */
async function importElsewhere(world: World, list: string): Promise<void> {
  const env = { XDG_STATE_HOME: join(world.folder, 'elsewhere') };
  await world.svc(['migrate', world.file('list.csv', list), ...FLAGS, '--no-verify'], { env });
  await world.clock.advance(10 * MINUTE);
}

async function leave(world: World, numbers: readonly number[]): Promise<void> {
  await world.clock.advance(60 * MINUTE);
  numbers.forEach((number) => world.emulator.admin.setStatus(`person${number}@example.com`, 'unsubscribed'));
  await world.clock.advance(MINUTE);
}

const statuses = (world: World, numbers: readonly number[]) =>
  numbers.map((number) => world.emulator.admin.contact(`person${number}@example.com`)?.status);

/** Options for a run that stops when the batches begin, after the first people were read back. */
function stoppedAtBatches(): RunOptions {
  const stopper = new AbortController();
  const onEvent: Emit = (event) => void (event.type === 'phase' && event.phase === 'contacts' && stopper.abort());
  return { signal: stopper.signal, onEvent };
}

// The first people of this list are 0, 150, 300 and 450.
const LEAVERS = [150, 300, 200, 600];

test.each([
  ['was replayed', 1, []],
  ['was replayed, and one person had opted out before', 1, [450]],
  ['was sent again', 2, [450]],
] as const)('opts out who left after a batch alone %s (C1, I7)', async (_, posts, before) => {
  const world = await createWorld({ variants: SIGNS_UP });
  await importElsewhere(world, people(601));
  await importElsewhere(world, people(601).replace('Name 301,', 'Other,'));
  before.forEach((number) => world.emulator.admin.setStatus(`person${number}@example.com`, 'unsubscribed'));
  await world.clock.advance(MINUTE);
  const line = ['migrate', world.file('list.csv', people(601)), ...FLAGS, '--no-verify'];
  await world.svc(line, stoppedAtBatches());
  if (posts === 2) {
    await leave(world, LEAVERS);
  }
  await world.svc('runs resume --json', stoppedAfterPost(posts));
  if (posts === 1) {
    await leave(world, LEAVERS);
  }
  const { code } = await world.svc('runs resume --json');
  expect([code, statuses(world, LEAVERS)]).toEqual([8, LEAVERS.map(() => 'unsubscribed')]);
});

test('opts out who left after a batch beside others was replayed (C1, I7)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  await importElsewhere(world, people(2_000));
  await importElsewhere(world, people(2_000).replace('Name 1701,', 'Other,'));
  // A new person makes the first people and the first batch fresh. The second batch is an outdated replay.
  const list = people(2_000).replace('person0@example.com', 'fresh@example.com');
  await world.svc(['migrate', world.file('list.csv', list), ...FLAGS, '--no-verify'], stoppedAfterPost(3));
  await leave(world, [1_501, 1_600]);
  const { code } = await world.svc('runs resume --json');
  expect([code, statuses(world, [1_501, 1_600])]).toEqual([8, ['unsubscribed', 'unsubscribed']]);
});

test('opts out who left after a replayed batch was read back (C1, I7)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  await importElsewhere(world, people(1_500));
  const list = people(1_500).replace('person1400@example.com', 'fresh@example.com');
  const line = ['migrate', world.file('here.csv', list), ...FLAGS, '--no-verify'];
  await world.svc(line, stoppedAfterPost(3));
  await importElsewhere(world, people(1_500).replace('Name 701,', 'Other,'));
  await leave(world, [501, 600]);
  const { code } = await world.svc('runs resume --json');
  expect([code, statuses(world, [501, 600])]).toEqual([8, ['unsubscribed', 'unsubscribed']]);
});
