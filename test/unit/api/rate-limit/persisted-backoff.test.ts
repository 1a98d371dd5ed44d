import { expect, test } from 'vitest';
import { createPersistedBackoff } from '../../../../src/api/rate-limit/persisted-backoff.ts';
import { people } from '../../../support/lists.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createWorld } from '../../../support/world.ts';

test.each([
  ['keeps a wait that is not over', { kept: 20_000, passes: 19_999 }, 1],
  ['drops a wait that is over', { kept: 20_000, passes: 20_000 }, undefined],
  ['drops a very long wait, so that svc asks the service again', { kept: 31 * 60_000, passes: 1_000 }, undefined],
  [
    'keeps a wait at its full length when the wall clock was set back (P7)',
    { kept: 20_000, passes: -86_400_000 },
    20_000,
  ],
])('reads the wait that an earlier process stored: %s', (_, { kept, passes }, left) => {
  const folder = tempFolder();
  const start = Date.UTC(2026, 0, 5);
  createPersistedBackoff(folder, ['https://api.test', 'k1'], createManualClock(start)).save(kept);

  const next = createPersistedBackoff(folder, ['https://api.test', 'k1'], createManualClock(start + passes));

  expect(next.read()).toBe(left);
});

test('waits the stored time, and no longer, when the clock was set back (P7)', () => {
  const folder = tempFolder();
  const start = Date.UTC(2026, 0, 5);
  const at = (ms: number) => createPersistedBackoff(folder, ['https://api.test', 'k1'], createManualClock(start + ms));
  at(0).save(20_000);

  expect(at(-86_400_000).read()).toBe(20_000);
  expect(at(-86_400_000 + 15_000).read()).toBe(5_000);
  expect(at(-86_400_000 + 20_000).read()).toBeUndefined();
});

test('stores a wait separately for each origin and API key', () => {
  const folder = tempFolder();
  const clock = createManualClock(Date.UTC(2026, 0, 5));
  createPersistedBackoff(folder, ['https://api.test', 'k1'], clock).save(20_000);

  expect(createPersistedBackoff(folder, ['https://api.test', 'k1'], clock).read()).toBe(20_000);
  expect(createPersistedBackoff(folder, ['https://api.test', 'k2'], clock).read()).toBeUndefined();
  expect(createPersistedBackoff(folder, ['https://other.test', 'k1'], clock).read()).toBeUndefined();
});

test('waits for the Retry-After that an earlier process received (P4)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({ kind: 'rate_limited', retry_after: '40' });
  const list = world.file('list.csv', people(3));
  const first = await world.svc(['migrate', list, '--json', '--plan', 'paid', '--max-wait', '10s']);
  expect({ code: first.code, sent: world.requests().length }).toEqual({ code: 75, sent: 1 });
  world.emulator.admin.clearFaults();

  const second = await world.svc(['migrate', list, '--json', '--plan', 'paid', '--max-wait', '10s']);
  expect({ code: second.code, sent: world.requests().length }).toEqual({ code: 75, sent: 0 });
  await world.clock.advance(46_000);

  expect((await world.svc(['migrate', list, '--json', '--plan', 'paid', '--max-wait', '10s'])).code).toBe(0);
});
