import { expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { csv, people } from '../../../support/lists.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { addressOf, createAudience, FLAGS, SIGNS_UP, setStatuses, statusesOf } from './support.ts';

// An enrollment reads the people of an interrupted run back, but does not overtake the run. So the run may continue.
test.each([
  ['the canary', 20, [], stoppedAt('never arrives'), [8, 'unsubscribed']],
  ['the test of an opted-out person', 600, [10], stoppedAfterPost(2), [0, 'unsubscribed']],
] as const)(
  'reads %s back again when a resume sent it after an enrollment (C1)',
  async (_, count, optedOut: readonly number[], stop, expected) => {
    const world = await createAudience(count, SIGNS_UP, optedOut.length > 0 ? 1_100 : 50);
    const status = (index: number) => (optedOut.includes(index) ? 'unsubscribed' : 'subscribed');
    const list = csv('email,status', count, (index) => `${addressOf(index)},${status(index)}`);
    await setStatuses(world, [10], 'unsubscribed');
    const { json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS], stop);
    const id = world.emulator.admin.createAutomation({ name: 'Welcome' });
    const fresh = world.file(
      'fresh.csv',
      csv('email,status', 3, (index) => `fresh${index}@example.com,subscribed`),
    );
    await world.svc(['automations', 'enroll', id, fresh, '--create-contacts', ...FLAGS]);
    await world.svc(`runs resume ${json.run} --json`, stoppedAfterPost(1));
    expect(statusesOf(world, [10])).toEqual(['subscribed']);
    const { code } = await world.svc(['migrate', world.file('other.csv', people(10, 5_000)), ...FLAGS]);
    expect([code, ...statusesOf(world, [10])]).toEqual(expected);
  },
);
