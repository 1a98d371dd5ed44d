import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../../../src/base/context.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import type { FaultRule } from '../../../../src/emulator/faults/fault.ts';
import { afterResponse } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';
import { withoutListedOptOuts, withoutShownOptOuts } from '../opt-outs/support.ts';

const FLAGS = ['--json', '--plan', 'paid'];
const SIGNS_UP_AGAIN = { omitted_status_existing: 'subscribed', unsubscribed_at_on_update: 'honoured' } as const;
const A_DAY_LATER = 25 * 3_600_000;

/** Starts an import and stops it after the responses to this many contact batches, the canary included. */
function stopAfter(world: World, batches: number, line: readonly string[]) {
  const isBatch = ({ url }: WireRequest) => url.pathname.endsWith('/batch');
  const stop = (stopper: AbortController) => stopper.abort(createInterruption('SIGINT'));
  return world.svc(['migrate', ...line, ...FLAGS, '--concurrency', '1'], afterResponse(batches, isBatch, stop));
}

function optOut({ emulator }: World, indexes: readonly number[]): void {
  for (const index of indexes) {
    const email = `person${index}@example.com`;
    if (emulator.admin.contact(email)) {
      emulator.admin.setStatus(email, 'unsubscribed');
    } else {
      emulator.admin.addContacts([{ email, status: 'unsubscribed', unsubscribed_at: 1 }]);
    }
  }
}

const statuses = (world: World, indexes: readonly number[]) =>
  indexes.map((index) => world.emulator.admin.contact(`person${index}@example.com`)?.status);
const sizes = (world: World) =>
  world
    .requests()
    .filter(({ path }) => path.endsWith('/contacts/batch'))
    .map(({ body }) => JSON.parse(body).contacts.length);

describe('people who opt out after svc has read the audience', () => {
  test.each([
    ['reads all opt-outs again when the user answers after an hour', 3_600_000, 8, 'unsubscribed'],
    ['reads the first pages only once when the user answers at once', 1_000, 0, 'subscribed'],
  ])('between the first read and the first batch, svc %s (C1)', async (_, answerAfterMs, code, status) => {
    const world = await createWorld({ variants: { omitted_status_existing: 'subscribed' } });
    world.emulator.admin.addContacts(
      Array.from({ length: 200 }, (_, index) => ({ email: `person${index}@example.com` })),
    );
    const result = await world.svc(['contacts', 'import', world.file('list.csv', people(200)), '--plan', 'paid'], {
      answers: ['y'],
      answerAfterMs,
      onAsk: () => code === 8 && world.emulator.admin.setStatus('person1@example.com', 'unsubscribed'),
    });
    const reads = world.requests().filter(({ method, path }) => method === 'GET' && /\/contacts(\?|$)/.test(path));
    expect([result.code, world.emulator.admin.contact('person1@example.com')?.status], result.err).toEqual([
      code,
      status,
    ]);
    expect(reads.length).toBe(code === 8 ? 4 : 2);
  });

  test('opts people out again in a resume when the service signed them up (C1)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    const cut = await stopAfter(world, 1, [world.file('list.csv', people(4_000))]);
    await world.clock.advance(A_DAY_LATER);
    optOut(world, [1_500, 1_600, 3_500]);
    world.requests();

    const resumed = await world.svc('runs resume --json');

    expect([cut.code, resumed.code, resumed.json.phase]).toEqual([130, 8, 'first_batch']);
    expect(sizes(world)).toEqual([1_000, 1_000, 2]);
    expect(statuses(world, [1_500, 1_600, 3_500])).toEqual(Array(3).fill('unsubscribed'));
  });

  test('continues a resume when the service keeps opt-outs made before it (C1)', async () => {
    const world = await createWorld();
    const cut = await stopAfter(world, 1, [world.file('list.csv', people(4_000))]);
    await world.clock.advance(A_DAY_LATER);
    optOut(world, [1_500, 3_500]);

    const resumed = await world.svc('runs resume --json');

    expect([cut.code, resumed.code, resumed.json.rows]).toMatchObject([130, 0, { created: 3_998, updated: 2 }]);
    expect(statuses(world, [1_500, 3_500])).toEqual(['unsubscribed', 'unsubscribed']);
  });

  test.each([
    ['a finished batch', []],
    ['a batch with --explicit-status', ['--explicit-status']],
  ])('%s proves nothing when one of its people opted out since (C1)', async (_, flags) => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    const cut = await stopAfter(world, 2, [world.file('list.csv', people(3_000)), ...flags]);
    optOut(world, [10, 2_500]);

    const resumed = await world.svc('runs resume --json');

    expect([cut.code, resumed.code, resumed.json.phase]).toEqual([130, 8, 'first_batch']);
    expect(statuses(world, [10, 2_500])).toEqual(['unsubscribed', 'unsubscribed']);
  });

  test('the canary proves nothing when one of its people opted out since (C1)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    optOut(world, [0, 2_500]);
    await stopAfter(world, 1, [world.file('list.csv', people(3_000))]);
    const signedUp = statuses(world, [0]);
    optOut(world, [0]);

    const { code, json } = await world.svc('runs resume --json');

    expect([signedUp, code, json.rows.unsent]).toEqual([['subscribed'], 8, 2_000]);
    expect(statuses(world, [0, 2_500])).toEqual(['unsubscribed', 'unsubscribed']);
  });

  test('the canary proves nothing when a person of it confirmed since (C1, C3)', async () => {
    const world = await createWorld({ variants: { omitted_status: 'pending' } });
    await stopAfter(world, 1, [world.file('list.csv', people(3_000))]);
    world.emulator.admin.setStatus('person0@example.com', 'subscribed');

    const { code, json } = await world.svc('runs resume --json');

    expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 2_000]);
  });

  test.each<[string, FaultRule]>([
    ['a batch got no response', { kind: 'reset', when: 'after' }],
    ['the rate limit stopped a batch', { kind: 'rate_limited', retry_after: '900' }],
  ])('opts people out again in a second resume when %s in the first (C1, D1)', async (_, fault) => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    await stopAfter(world, 1, [world.file('list.csv', people(3_000)), '--max-wait', '2s']);
    optOut(world, [1_500]);
    world.emulator.admin.addFault({ ...fault, match: { route: BATCH }, after: 1 });
    await world.svc('runs resume --json');
    world.emulator.admin.clearFaults();
    optOut(world, [1_600]);
    await world.clock.advance(A_DAY_LATER);

    const { code, json } = await world.svc('runs resume --json');

    expect([code, json.error.code]).toEqual([8, 'first_batch']);
    expect(statuses(world, [1_500, 1_600])).toEqual(['unsubscribed', 'unsubscribed']);
  });

  /** Adds more than ten pages of newer contacts. */
  async function addOthers(world: World): Promise<void> {
    await world.clock.advance(1_000);
    world.emulator.admin.addContacts(
      Array.from({ length: 1_100 }, (_, index) => ({ email: `other${index}@example.com` })),
    );
  }

  test('finds people who left in a pause when new contacts fill 10 pages (C1)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    await stopAfter(world, 2, [world.file('list.csv', people(4_000))]);
    optOut(world, [3_500]);
    await addOthers(world);

    const { code, json } = await world.svc('runs resume --json');

    expect([code, json.error.code, statuses(world, [3_500])]).toEqual([8, 'first_batch', ['unsubscribed']]);
  });

  test('the counts show sign-ups when no response shows opt-outs (C1, L4)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    const cut = await stopAfter(world, 2, [world.file('list.csv', people(4_000))]);
    optOut(world, [3_500]);
    await addOthers(world);

    const resumed = await world.svc('runs resume --json', withoutShownOptOuts());

    expect([cut.code, resumed.code]).toEqual([130, 8]);
    expect(resumed.json.verification.checks).toContainEqual(
      expect.objectContaining({ check: 'opt_outs', status: 'failed' }),
    );
  });

  test('opts a person out again when another machine imports the list (C1, I7)', async () => {
    const world = await createWorld({ variants: SIGNS_UP_AGAIN });
    optOut(world, [0]);
    await addOthers(world);
    const line = ['migrate', world.file('list.csv', people(20)), ...FLAGS];
    const first = await world.svc(line, withoutShownOptOuts());
    expect([first.code, ...statuses(world, [0])]).toEqual([8, 'subscribed']);
    optOut(world, [0]);

    const env = { XDG_STATE_HOME: join(world.folder, 'elsewhere') };
    const other = await world.svc(line, withoutListedOptOuts({ env }));

    expect([other.code, other.json.phase]).toEqual([8, 'first_batch']);
    expect(statuses(world, [0])).toEqual(['unsubscribed']);
  });
});
