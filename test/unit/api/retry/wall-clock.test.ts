import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WireResponse } from '../../../../src/base/context.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { hang, json, play, refusal, reset, START, writeRequest } from '../service.ts';

const DAY = 86_400_000;

/** The service's reaction to one request. `seconds` is its Retry-After. */
type Reply =
  | { readonly kind: 'ok' | 'unavailable' | 'in_flight' | 'reset' | 'hang' | 'limited_unsaid' }
  | { readonly kind: 'limited'; readonly seconds: number };

/** The wall clock jumps `by` milliseconds, `at` milliseconds after the start. */
interface Jump {
  readonly at: number;
  readonly by: number;
}

const reply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'ok' as const }) },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 7_200 }).map((seconds) => ({ kind: 'limited' as const, seconds })),
  },
  fc.constantFrom('unavailable', 'in_flight', 'reset', 'hang', 'limited_unsaid').map((kind) => ({ kind }) as Reply),
);
// Most waits are short, so most jumps are early.
const when = fc.oneof(...[1_000, 60_000, 3_600_000].map((max) => fc.integer({ min: 1, max })));
const jumps = (by: fc.Arbitrary<number>) => fc.array(fc.record({ at: when, by }), { maxLength: 6 });
const anyway = fc.oneof(fc.constantFrom(DAY, -DAY, 3_600_000, -3_600_000), fc.integer({ min: -DAY, max: DAY }));

interface Story {
  readonly replies: readonly Reply[];
  readonly work: readonly ('read' | 'repeatable' | 'once')[];
  readonly jumps: readonly Jump[];
}

/**
 * Plays requests, responses and clock jumps. Times are monotonic from the start. The clock of the service never jumps.
 */
async function simulateStory({ replies, work, jumps: changes }: Story) {
  const clock = createManualClock(START);
  const began = clock.monotonic();
  const at = () => clock.monotonic() - began;
  const headers = () => ({ date: new Date(START + at()).toUTCString() });
  const starts: number[] = [];
  const closedUntil: number[] = [];
  let closed = 0;
  const respond = async (one: Reply): Promise<WireResponse> => {
    switch (one.kind) {
      case 'ok':
        return json(200, { ok: 1 }, headers());
      case 'limited':
        closed = Math.max(closed, at() + one.seconds * 1_000);
        return refusal(429, 'rate_limit_exceeded', { ...headers(), 'retry-after': String(one.seconds) });
      case 'limited_unsaid':
        return refusal(429, 'rate_limit_exceeded', headers());
      case 'in_flight':
        return refusal(409, 'idempotency_conflict', headers());
      case 'unavailable':
        return refusal(503, 'unavailable', headers());
      case 'reset':
        return reset();
      case 'hang':
        return hang();
      default:
        return one satisfies never;
    }
  };
  const limits = { rate: 600, reserve: 120, maxWaitMs: 10 * DAY };
  const handler = (_: unknown, n: number) => {
    starts.push(at());
    closedUntil.push(closed);
    return respond(replies[n] ?? { kind: 'ok' });
  };
  const { client, events, run } = play(handler, { clock, limits });
  for (const { at: when, by } of changes) {
    void clock.sleep(when).then(() => clock.set(clock.now() + by));
  }
  const ends: string[] = [];
  for (const policy of work) {
    const call = policy === 'read' ? client.get(['a']) : client.post(writeRequest(policy));
    ends.push(
      await run(call).then(
        (end) => (end as { readonly kind?: string }).kind ?? 'read',
        (error: Error) => `thrown: ${error.message}`,
      ),
    );
  }
  const waits = events.flatMap((event) => (event.type === 'wait' ? [Math.round(event.ms)] : []));
  return { starts, closedUntil, ends, waits, took: at() };
}

const replies = fc.array(reply, { maxLength: 25 });

test('sends repeatable requests at the usual times after clock jumps (P7, P4)', async () => {
  await fc.assert(
    fc.asyncProperty(
      replies,
      fc.array(fc.constantFrom('read' as const, 'repeatable' as const), { minLength: 1, maxLength: 6 }),
      jumps(anyway),
      async (script, work, changes) => {
        const calm = await simulateStory({ replies: script, work, jumps: [] });
        const shaken = await simulateStory({ replies: script, work, jumps: changes });
        expect(shaken).toEqual(calm);
        shaken.starts.forEach((start, n) => expect(start).toBeGreaterThanOrEqual(shaken.closedUntil[n] ?? 0));
      },
    ),
    { numRuns: 150 },
  );
}, 60_000);

test('adds no attempt of a once-only write when the clock jumps (P7, I4)', async () => {
  await fc.assert(
    fc.asyncProperty(
      replies,
      jumps(fc.integer({ min: -DAY, max: -1 })),
      fc.integer({ min: 1, max: 270_000 }),
      async (script, back, at) => {
        const work = ['once'] as const;
        const calm = await simulateStory({ replies: script, work, jumps: [] });
        expect(await simulateStory({ replies: script, work, jumps: back })).toEqual(calm);
        const forward = await simulateStory({ replies: script, work, jumps: [{ at, by: DAY }] });
        expect(forward.starts).toEqual(calm.starts.slice(0, forward.starts.length));
        // The machine may have slept for a day. So svc does not repeat an attempt that may have arrived before.
        const limits = script.findIndex(({ kind }) => kind !== 'limited' && kind !== 'limited_unsaid');
        const arrived = forward.starts[limits === -1 ? script.length : limits] ?? Number.POSITIVE_INFINITY;
        expect(forward.starts.filter((start) => arrived < at && start > at)).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
}, 60_000);

test.each([
  ['between two attempts', [{ kind: 'unavailable' as const }], 1, 1],
  [
    'while it waits for a 429',
    [{ kind: 'unavailable' as const }, { kind: 'limited' as const, seconds: 60 }],
    30_000,
    2,
  ],
])('does not repeat a once-only write when the machine slept %s (P7, I4)', async (_, script, at, sent) => {
  const story = { replies: script, work: ['once' as const] };
  const suspended = await simulateStory({ ...story, jumps: [{ at, by: 10 * 60_000 }] });
  expect({ ends: suspended.ends, sent: suspended.starts.length }).toEqual({ ends: ['gave_up'], sent });
  expect((await simulateStory({ ...story, jumps: [] })).ends).toEqual(['accepted']);
});

test('keeps the limit of a once-only write when the clock is set back (P7, I4)', async () => {
  const hangs = { replies: Array.from({ length: 9 }, () => ({ kind: 'hang' as const })), work: ['once' as const] };
  const calm = await simulateStory({ ...hangs, jumps: [] });
  expect(await simulateStory({ ...hangs, jumps: [{ at: 1_000, by: -DAY }] })).toEqual(calm);
  expect(Math.max(...calm.starts)).toBeLessThan(270_000);
});

test.each([DAY / 2, -DAY / 2])('repeats a failing read as usual when the clock jumps by %i ms (P7)', async (by) => {
  const fails = { replies: [{ kind: 'unavailable' as const }, { kind: 'unavailable' as const }] };
  const calm = await simulateStory({ ...fails, work: ['read'], jumps: [] });
  expect(await simulateStory({ ...fails, work: ['read'], jumps: [{ at: 1, by }] })).toEqual(calm);
  expect([calm.ends, calm.starts.length]).toEqual([['read'], 3]);
});
