import { expect, test } from 'vitest';
import { countedThreads } from '../../../support/counted-threads.ts';
import { csv } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

const PEOPLE = 150;
// Together more than the 16 MiB from which a thread reads the list.
const LONG_TEXT = 'long text '.repeat(12_000);
const LONG_LIST = csv('email,first_name,notes', PEOPLE, (index) => `p${index}@example.com,Ana,${LONG_TEXT}`);
const LONGER = 1_020;
const LONGER_LIST = csv(
  'email,first_name,notes',
  LONGER,
  (index) => `p${index}@example.com,Ana,${LONG_TEXT.slice(0, 17_000)}`,
);
const WITHOUT_NOTES = ['--map', 'notes=ignore'];

test('starts one thread for a whole import when the list is long', async () => {
  const world = await createWorld();
  const threads = countedThreads();
  const list = world.file('list.csv', LONG_LIST);
  const { code } = await world.svc(['migrate', list, '--default-status', 'subscribed', ...WITHOUT_NOTES]);
  expect([code, threads()]).toEqual([0, 1]);
  expect(world.emulator.admin.contact(`p${PEOPLE - 1}@example.com`)?.status).toBe('subscribed');
});

test('sends a long list with the status that the user chose at a stop (C4)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', LONG_LIST);
  const { code } = await world.svc(['migrate', list, ...WITHOUT_NOTES], { answers: ['unsubscribed', 'no', 'y'] });
  expect(code).toBe(0);
  const statuses = Array.from({ length: PEOPLE }, (_, index) => world.emulator.admin.contact(`p${index}@example.com`));
  expect(new Set(statuses.map((contact) => contact?.status))).toEqual(new Set(['unsubscribed']));
});

test('starts no thread when the list is short', async () => {
  const world = await createWorld();
  const threads = countedThreads();
  const list = world.file(
    'list.csv',
    csv('email,status', 3, (index) => `p${index}@example.com,subscribed`),
  );
  expect((await world.svc(['migrate', list])).code).toBe(0);
  expect(threads()).toBe(0);
});

// The last people of this list are in its second batch. A person of each batch leaves, so both replays are outdated.
test('sends a long list again when people of both batches left since (I7)', async () => {
  const left = ['p600@example.com', 'p1010@example.com'];
  const world = await createWorld();
  const list = world.file('list.csv', LONGER_LIST);
  const line = ['contacts', 'import', list, '--default-status', 'subscribed', '--plan', 'paid', ...WITHOUT_NOTES];
  const first = await world.svc(line);
  await world.clock.advance(60 * 60_000);
  left.forEach((email) => world.emulator.admin.setStatus(email, 'unsubscribed'));
  const { code, err, json } = await world.svc([...line, '--json']);
  expect([first.code, code, err]).toEqual([0, 0, expect.not.stringContaining('bug')]);
  expect([json.rows.updated, json.rows_replayed, json.rows.unsent]).toEqual([LONGER, 0, 0]);
  expect(left.map((email) => world.emulator.admin.contact(email)?.status)).toEqual(left.map(() => 'unsubscribed'));
});
