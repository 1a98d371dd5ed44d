import { describe, expect, test } from 'vitest';
import type { FaultRule } from '../../../../src/emulator/faults/fault.ts';
import { afterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld, type RunOptions, type SeenRequest, type World } from '../../../support/world.ts';

const FLOW = { trigger: 'audience_join', status: 'active', name: 'Welcome' } as const;
const match = { route: BATCH };

/** What delays the second contact request. The first one is the canary. */
const WAITS: Readonly<Record<string, FaultRule>> = {
  'for a 429 with a long Retry-After': { kind: 'rate_limited', retry_after: '600', after: 1, times: 1, match },
  'for 429s without Retry-After': { kind: 'rate_limited', after: 1, times: 6, match },
  'for an earlier request with its key': { kind: 'in_flight', seconds: 200, after: 1, times: 1, match },
};

/** Publishes an automation 10 s after the response to the `nth` POST request. */
function createAutomationAfter(world: World, nth: number) {
  const automation = { id: '' };
  const create = () => {
    automation.id = world.emulator.admin.createAutomation(FLOW);
  };
  const mailed = () => (automation.id === '' ? Number.NaN : world.emulator.admin.enrollments(automation.id).length);
  return { run: afterPost(nth, () => void world.clock.sleep(10_000).then(create)), mailed };
}

/** The seconds from each look at the automations after the first batch to the last batch. */
function looksBeforeLastBatch(requests: readonly SeenRequest[]): number[] {
  const batches = requests.filter(({ path }) => path.endsWith('/batch'));
  const between = requests.slice(requests.indexOf(batches[0]!), requests.indexOf(batches.at(-1)!));
  const looks = between.filter(({ path }) => path.startsWith('/v1/automations'));
  return looks.map(({ at }) => (batches.at(-1)!.at - at) / 1_000);
}

const CASES = Object.keys(WAITS).flatMap((wait) => [900, 6_500].map((rows) => [wait, rows] as const));

describe('an automation that would mail new contacts and is published during an import', () => {
  test.each(CASES)('mails no person when an automation appears in a wait %s, %i rows (M3)', async (wait, rows) => {
    const world = await createWorld();
    world.emulator.admin.addFault(WAITS[wait] as FaultRule);
    const list = world.file('list.csv', people(rows));
    const { run, mailed } = createAutomationAfter(world, 2);

    const { code, json } = await world.svc(['contacts', 'import', list, '--plan', 'paid', '--json'], run);

    expect([code, json.error.code, mailed()]).toEqual([7, 'automations', 0]);
    // Only a 429 shows that the request had no effect.
    expect(json.rows.unknown > 0).toBe(!wait.includes('429'));
  });

  test('mails no person when an automation appears while svc reads (M3)', async () => {
    const world = await createWorld();
    const { admin } = world.emulator;
    admin.addContacts(Array.from({ length: 900 }, (_, index) => ({ email: `other${index}@example.com` })));
    admin.addFault({
      kind: 'slow',
      ms: 30_000,
      when: 'before',
      match: { route: 'GET /v1/audiences/*/contacts' },
      after: 11,
    });
    const list = world.file('list.csv', people(50));
    let [pages, automation] = [0, ''];

    const { code, json } = await world.svc(`contacts import ${list} --explicit-status --plan paid --json`, {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          pages += request.url.pathname.endsWith('/contacts') ? 1 : 0;
          if (pages === 12 && automation === '') {
            automation = admin.createAutomation(FLOW);
          }
          return inner.send(request, signal);
        },
      }),
    });

    expect([code, json.error.code, admin.enrollments(automation)]).toEqual([7, 'automations', []]);
  });

  test('names an automation that appears during the last batch (M3)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(900));
    let automation = '';
    const appears = afterPost(1, () => {
      automation = world.emulator.admin.createAutomation(FLOW);
    });

    const { code, json } = await world.svc(`contacts import ${list} --plan paid --json`, appears);

    expect(world.emulator.admin.enrollments(automation)).toHaveLength(896);
    expect(code).toBe(0);
    expect(json.findings).toContainEqual({
      check: 'automations',
      level: 'warn',
      message: `1 automation appeared during the run and may have mailed imported people: "Welcome" (${automation}, active)`,
    });
  });

  test('reads automations within 60 s of a batch at 2 requests a minute (M3, P5)', async () => {
    const world = await createWorld({ rateLimit: 2 });
    const list = world.file('list.csv', people(40));

    const { code, json } = await world.svc(
      `contacts import ${list} --plan paid --rate 2 --reserve 0 --max-wait 24h --json`,
    );

    expect([code, json.rows.created]).toEqual([0, 40]);
    expect(looksBeforeLastBatch(world.requests()).at(-1)).toBeLessThanOrEqual(60);
  });

  /** Cuts the network from the second POST request on, for some seconds. */
  function outageOf(world: World, seconds: number): RunOptions {
    let [posts, cutAt] = [0, Number.POSITIVE_INFINITY];
    return {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          const now = world.clock.now();
          posts += request.method === 'POST' ? 1 : 0;
          if (posts === 2 && cutAt === Number.POSITIVE_INFINITY) {
            cutAt = now;
          }
          if (now >= cutAt && now < cutAt + seconds * 1_000) {
            throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
          }
          return inner.send(request, signal);
        },
      }),
    };
  }

  test.each([60, 120, 180])(
    'looks for automations after an outage of %i s, then continues (M3, P6)',
    async (seconds) => {
      const world = await createWorld();
      const list = world.file('list.csv', people(900));

      const { code, json } = await world.svc(`contacts import ${list} --plan paid --json`, outageOf(world, seconds));

      expect([code, json.error, json.rows.created]).toEqual([0, undefined, 900]);
      expect(looksBeforeLastBatch(world.requests()).at(-1)).toBeLessThanOrEqual(60);
    },
  );

  test('leaves rows unsent when svc cannot list automations after a 429 (M3, D1)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ kind: 'rate_limited', retry_after: '60', after: 1, times: 1, match });
    world.emulator.admin.addFault({
      kind: 'error',
      status: 500,
      code: 'internal_error',
      when: 'before',
      match: { route: 'GET /v1/automations' },
      after: 1,
      times: 1_000,
    });
    const list = world.file('list.csv', people(900));

    const { code, json } = await world.svc(`contacts import ${list} --plan paid --json`);

    expect([code, json.rows.unknown, json.rows.unsent]).toEqual([1, 0, 896]);
  });
});
