import { describe, expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import type { FaultRule } from '../../../../src/emulator/faults/fault.ts';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld, type RunOptions, type World } from '../../../support/world.ts';

// A list of 20 people. Its canary holds these four.
const CANARY = [0, 5, 10, 15];
const UPDATES = { upsert_false_existing: 'update' } as const;
const A_DAY_LATER = 25 * 3_600_000;

const emailOf = (index: number) => `person${index}@example.com`;
const statusOf = (world: World, index: number) => world.emulator.admin.contact(emailOf(index))?.status;

function leave({ emulator: { admin } }: World, ...indexes: readonly number[]): void {
  for (const email of indexes.map(emailOf)) {
    if (admin.contact(email)) {
      admin.setStatus(email, 'unsubscribed');
    } else {
      admin.addContacts([{ email, status: 'unsubscribed' }]);
    }
  }
}

function migrate(world: World, { flags = [], ...run }: RunOptions & { readonly flags?: readonly string[] } = {}) {
  const list = world.file('list.csv', people(20));
  return world.svc(['migrate', list, '--json', '--plan', 'paid', '--explicit-status', ...flags], run);
}

/** Calls `act` after the first canary reached the service. */
function afterCanary(act: () => void): NonNullable<RunOptions['transport']> {
  let done = false;
  return (inner) => ({
    close: () => inner.close(),
    send: (request, signal) =>
      inner.send(request, signal).finally(() => {
        if (!done && request.headers['idempotency-key']?.startsWith('svc1.canary.')) {
          done = true;
          act();
        }
      }),
  });
}

/** Calls `act` once svc has read the audience, before the canary. */
function beforeCanary(act: () => void): NonNullable<RunOptions['onEvent']> {
  return (event) => {
    if (event.type === 'phase' && event.phase === 'first_batch') {
      act();
    }
  };
}

/** The numbers of people who were sent as subscribed, for each request. */
const signUps = (world: World) =>
  world
    .requests()
    .filter(({ path }) => path.endsWith('/contacts/batch'))
    .map(({ body }) => JSON.parse(body) as { contacts: { status?: string }[] })
    .map(({ contacts }) => contacts.filter(({ status }) => status === 'subscribed').length)
    .filter((count) => count > 0);

const STORED_FAULT = {
  kind: 'answer',
  status: 500,
  body: { error: { code: 'internal_error', message: 'a fault', request_id: 'req_1' } },
  headers: { 'idempotency-replayed': 'true' },
  when: 'after',
} as const;

describe('people who opt out before svc repeats a request with --explicit-status', () => {
  test.each<[string, FaultRule]>([
    ['the service wrote the canary, then stored an error', { ...STORED_FAULT, times: 1 }],
    ['the service would run a repeat of the canary again', { kind: 'lost_claim', effect: true, times: 1 }],
  ])('does not sign up people who opted out meanwhile when %s (C1, I2, I4)', async (_, fault) => {
    const world = await createWorld({ variants: UPDATES });
    world.emulator.admin.addFault({ ...fault, match: { key: 'svc1.canary.*' } });

    const { code, json } = await migrate(world, { transport: afterCanary(() => leave(world, 0)) });

    expect([code, json.error.code, statusOf(world, 0)]).toEqual([8, 'first_batch', 'unsubscribed']);
    expect(signUps(world)).toEqual([4]);
  });

  /** A run whose requests all get lost responses, after the first `after` of them. */
  async function loseResponses(world: World, after: number, flags: readonly string[] = []): Promise<void> {
    const { admin } = world.emulator;
    admin.addFault({ kind: 'reset', when: 'after', match: { route: BATCH }, after });
    await migrate(world, { flags });
    admin.clearFaults();
  }

  /** Resumes once the service has forgotten the keys. */
  async function resumeDayLater(world: World) {
    await world.clock.advance(A_DAY_LATER);
    world.requests();
    return world.svc('runs resume --json');
  }

  test('sends no part of a refused canary again when a person opted out (C1, P3)', async () => {
    const world = await createWorld({ variants: UPDATES });
    world.refuse(BATCH, { status: 400, code: 'invalid_request', times: 1 });
    await loseResponses(world, 1);
    leave(world, 0);

    const { code, json } = await resumeDayLater(world);

    expect([code, json.error.code, statusOf(world, 0)]).toEqual([8, 'first_batch', 'unsubscribed']);
    expect(signUps(world)).toEqual([]);
  });

  test('repeats no batch a day later when one of its people opted out (C1)', async () => {
    const world = await createWorld({ variants: UPDATES });
    world.emulator.admin.suppress([...CANARY, 1, 2, 3, 4].map(emailOf), 'complained');
    await loseResponses(world, 1);
    leave(world, 12);

    const { code, json } = await resumeDayLater(world);

    expect([code, json.error.code, statusOf(world, 12)]).toEqual([8, 'first_batch', 'unsubscribed']);
    expect(signUps(world)).toEqual([]);
  });

  test('sends no canary when one of its people opted out before it (C1)', async () => {
    const world = await createWorld({ variants: UPDATES });

    const { code, json } = await migrate(world, { onEvent: beforeCanary(() => leave(world, 0)) });

    expect([code, json.error.code, signUps(world), statusOf(world, 0)]).toEqual([7, 'in_doubt', [], 'unsubscribed']);
  });

  test('reads the audience again in a resume when nothing was sent yet (C1, D1)', async () => {
    const world = await createWorld();
    const stop = new AbortController();
    await migrate(world, {
      signal: stop.signal,
      onEvent: beforeCanary(() => stop.abort(createInterruption('SIGINT'))),
    });
    leave(world, 0);
    world.requests();

    const { code, json } = await world.svc('runs resume --json');

    expect([code, json.rows, statusOf(world, 0)]).toMatchObject([0, { created: 19, updated: 1 }, 'unsubscribed']);
    expect(signUps(world)).toEqual([3, 16]);
  });

  test('prints commands that work when all canary people of --again left (C1)', async () => {
    const world = await createWorld();
    await loseResponses(world, 0, ['--again']);
    leave(world, ...CANARY);

    const { json } = await migrate(world, { flags: ['--again'] });
    const hinted = String(json.error.hint).split('\n').slice(1);
    const answers = await Array.fromAsync(hinted, (line) => world.svc(line.replace('svc ', '')));

    expect(answers.map(({ code }) => code)).toEqual([0, 0]);
    expect(CANARY.map((index) => statusOf(world, index))).toEqual(Array(4).fill('unsubscribed'));
  });
});
