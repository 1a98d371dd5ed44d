import { describe, expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { stepOf } from '../../../support/sweep.ts';
import { createWorld, type World } from '../../../support/world.ts';

const LEFT = [0, 5, 6, 7].map((index) => `person${index}@example.com`);
const FLAGS = ['--json', '--plan', 'paid'];
const EDITED = people(9).replaceAll(/person[01]@/g, 'other$&');

/**
 * A service that signs people up again. With `suppressed` the canary proves nothing: svc sends the first batch alone.
 */
async function createOptedOutWorld(suppressed: boolean) {
  const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
  const { admin } = world.emulator;
  admin.addContacts(LEFT.map((email) => ({ email, status: 'unsubscribed' })));
  if (suppressed) {
    admin.suppress([LEFT[0] as string], 'bounced');
  }
  return world;
}

/**
 * Imports a list and interrupts the program at this request. The program gets the response only if `withResponse`.
 * Returns true if the program was interrupted there.
 */
async function cutAt(world: World, at: number, withResponse: boolean): Promise<boolean> {
  const stopper = new AbortController();
  let requests = 0;
  await world.svc(['migrate', world.file('list.csv', people(10)), ...FLAGS], {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        requests++;
        if (requests === at) {
          stopper.abort();
          if (!withResponse) {
            throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
          }
        }
        return response;
      },
    }),
  });
  return requests >= at;
}

function subscribedAgain({ emulator }: World): string[] {
  return LEFT.filter((email) => emulator.admin.contact(email)?.status === 'subscribed');
}

const MAX_REQUESTS = 40;

// Each way of stopping begins at another request, so together they stop at every request.
const STEP = stepOf(3);

describe.each([
  ['canary', false, 0],
  ['first batch', true, 2],
] as const)('the import of an edited list, after a run whose %s signed people up', (_, suppressed, first) => {
  test.each([
    ['with a response', true, first],
    ['without a response', false, first + 1],
  ])('opts people out again when the run stopped at a request %s (C1)', async (_, read, offset) => {
    const harmed: string[] = [];
    let signedUp = 0;
    let at = 1 + (offset % STEP);
    for (let ended = true; ended && at < MAX_REQUESTS; at += STEP) {
      const world = await createOptedOutWorld(suppressed);
      ended = await cutAt(world, at, read);
      signedUp += subscribedAgain(world).length > 0 ? 1 : 0;
      const other = await world.svc(['migrate', world.file('edited.csv', EDITED), ...FLAGS]);
      const left = subscribedAgain(world);
      if (left.length > 0 || other.code !== 8) {
        harmed.push(`request ${at}: exit ${other.code}, subscribed: ${left.join(' ')}`);
      }
    }
    expect(harmed).toEqual([]);
    expect([signedUp > 0, at > 10, at < MAX_REQUESTS]).toEqual([true, true, true]);
  });
});
