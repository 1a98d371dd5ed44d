import { expect, test } from 'vitest';
import { EXIT } from '../../../src/base/lib/errors.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { everyNth } from '../../support/sweep.ts';
import type { RunOptions } from '../../support/world.ts';
import { addresses, bare, counts, createAutomationWorld } from './support.ts';

const PEOPLE = addresses(40);
const WHERE = { match: { route: 'POST /v1/automations/*/enroll' }, probability: 0.04 } as const;

const TROUBLE: readonly FaultRule[] = [
  { kind: 'reset', when: 'before', ...WHERE },
  { kind: 'reset', when: 'after', ...WHERE },
  { kind: 'cut', ...WHERE },
  { kind: 'html', status: 502, when: 'after', ...WHERE },
  { kind: 'error', status: 500, code: 'internal_error', when: 'before', ...WHERE },
  { kind: 'error', status: 500, code: 'internal_error', when: 'effect', ...WHERE },
  { kind: 'error', status: 429, code: 'rate_limit_exceeded', when: 'before', ...WHERE },
  { kind: 'slow', ms: 150_000, when: 'after', ...WHERE },
  { kind: 'slow', ms: 400_000, when: 'claimed', ...WHERE },
  { kind: 'in_flight', seconds: 40, ...WHERE },
  { kind: 'lost_claim', effect: true, ...WHERE },
  { kind: 'lost_claim', effect: false, ...WHERE },
];

test.each(everyNth([...Array(12).keys()], 3))(
  'enrolls each person at most once under random faults, seed %i (D1, I4)',
  async (seed) => {
    const world = await createAutomationWorld(PEOPLE, { reentry: 'always' }, { faults: { seed, rules: TROUBLE } });
    let result = await world.enroll(bare(PEOPLE));
    world.emulator.admin.clearFaults();
    for (let resumes = 0; resumes < 2 && ![0, 3].includes(result.code); resumes += 1) {
      result = await world.enroll(bare(PEOPLE));
    }

    const { rows } = result.json;
    const enrolled = world.enrolled();
    expect([0, 3]).toContain(result.code);
    expect(new Set(enrolled).size).toBe(enrolled.length);
    expect(rows.enrolled + rows.unknown).toBe(PEOPLE.length);
    expect(enrolled.length).toBeGreaterThanOrEqual(rows.enrolled);
    expect(enrolled.length).toBeLessThanOrEqual(rows.enrolled + rows.unknown);
  },
  60_000,
);

/** From the nth POST request on, each gets a 503 with this `Retry-After`. */
function maintenance(nth: number, retryAfter: string): RunOptions {
  let posts = 0;
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        posts += request.method === 'POST' ? 1 : 0;
        const body = Buffer.from('{"error":{"code":"maintenance","message":"Back soon."}}');
        const headers = { 'content-type': 'application/json', 'retry-after': retryAfter };
        return request.method === 'POST' && posts >= nth
          ? Promise.resolve({ status: 503, headers, body })
          : inner.send(request, signal);
      },
    }),
  };
}

test.each([
  ['without --at-most-once', []],
  ['with --at-most-once', ['--at-most-once']],
])('stops at a long Retry-After with one enrollment unknown, %s (M5, P4)', async (_, words) => {
  const world = await createAutomationWorld(addresses(12), { reentry: 'always' });
  const first = await world.enroll(bare(addresses(12)), ['--concurrency', '1', ...words], maintenance(3, '600'));
  expect([first.code, first.json.status, counts(first.json.rows)]).toEqual([
    EXIT.later,
    'later',
    { read: 12, enrolled: 2, unsent: 9, unknown: 1 },
  ]);
  await world.clock.advance(600_000);
  const resumed = await world.svc(['runs', 'resume', String(first.json.run), '--json']);
  expect([resumed.code, counts(resumed.json.rows)]).toEqual([EXIT.partial, { read: 12, enrolled: 11, unknown: 1 }]);
  // The service did not enroll the third person, but svc cannot know that.
  expect(world.enrolled().sort()).toEqual(addresses(12).toSpliced(2, 1).sort());
});

test('an immediate resume enrolls all people after a long Retry-After (M5, P4)', async () => {
  const world = await createAutomationWorld(addresses(3), { reentry: 'always' });
  const first = await world.enroll(bare(addresses(3)), [], maintenance(1, '600'));
  expect(counts(first.json.rows)).toEqual({ read: 3, unsent: 2, unknown: 1 });
  const resumed = await world.svc(['runs', 'resume', String(first.json.run), '--json']);
  expect([resumed.code, counts(resumed.json.rows)]).toEqual([EXIT.ok, { read: 3, enrolled: 3 }]);
  expect(world.enrolled().sort()).toEqual(addresses(3));
});

test('an enrollment waits and continues when Retry-After is a minute (P4)', async () => {
  const world = await createAutomationWorld(addresses(2));
  let posts = 0;
  const outage = maintenance(1, '60');
  const { code } = await world.enroll(bare(addresses(2)), [], {
    transport: (inner) => {
      const down = outage.transport?.(inner) ?? inner;
      return {
        close: () => inner.close(),
        send: (request, signal) => {
          posts += request.method === 'POST' ? 1 : 0;
          return posts === 1 ? down.send(request, signal) : inner.send(request, signal);
        },
      };
    },
  });
  expect([code, world.enrolled()]).toEqual([EXIT.ok, addresses(2)]);
});
