import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import { runConcurrently } from '../../../../src/base/lib/concurrency.ts';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { createManualClock, type ManualClock } from '../../../support/manual-clock.ts';
import { type Handler, json, play, refusal, reset, START, writeRequest } from '../service.ts';

const WINDOW = 60_000;

interface ServiceOptions {
  readonly clock: ManualClock;
  readonly limit?: number;
  /** The number of requests of other programs in the last 60 s, at a given time. */
  readonly others?: (now: number) => number;
  readonly headers?: (used: number, limit: number) => Record<string, string>;
  readonly latencyMs?: number;
  readonly weighted?: boolean;
}

const honest = (used: number, limit: number) => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, Math.floor(limit - used))),
  'ratelimit-reset': '60',
});

/**
 * A service with a limit of requests in 60 s. It counts them by a log, or by a counter that weighs this minute and the
 * one before.
 */
function limitedService({
  clock,
  limit = 600,
  others = () => 0,
  headers = honest,
  latencyMs = 0,
  weighted,
}: ServiceOptions) {
  const taken: number[] = [];
  const use = (now: number) => {
    const minute = Math.floor(now / WINDOW);
    const within = (n: number) => taken.filter((at) => Math.floor(at / WINDOW) === n).length;
    return (
      others(now) +
      (weighted
        ? within(minute) + within(minute - 1) * (1 - (now % WINDOW) / WINDOW)
        : taken.filter((at) => at > now - WINDOW).length)
    );
  };
  const handler: Handler = async () => {
    if (latencyMs > 0) {
      await clock.sleep(latencyMs);
    }
    const used = use(clock.now());
    if (used >= limit) {
      return refusal(429, 'rate_limit_exceeded', { ...headers(used, limit), 'retry-after': '5' });
    }
    taken.push(clock.now());
    return json(200, { ok: 1 }, headers(used + 1, limit));
  };
  return { handler, taken, use };
}

async function* count(n: number) {
  for (let i = 0; i < n; i += 1) {
    yield i;
  }
}

/** Sends batches, four at a time, and returns the statistics. */
async function send(batches: number, options: Omit<ServiceOptions, 'clock'> & { limits?: object; start?: number }) {
  const clock = createManualClock(options.start ?? START);
  const service = limitedService({ ...options, clock });
  const limits = { rate: 600, reserve: 120, maxWaitMs: 30 * 60_000, ...options.limits };
  const { client, elapsed, run, events } = play(service.handler, { clock, limits });
  const all = async () => {
    for await (const end of runConcurrently(count(batches), 4, () => client.post(writeRequest('repeatable')))) {
      expect(end.kind).toBe('accepted');
    }
  };
  await run(all());
  return { ms: elapsed(), limited: client.stats().rate_limited, sent: client.stats().sent, events, service };
}

describe('requests within the rate limit', () => {
  test.each([
    ['a log of 60 s', false],
    ['a weighted counter', true],
  ])('sends 440 batches without a wait when the service counts by %s', async (_, weighted) => {
    const { ms, limited, events } = await send(440, { weighted });
    expect({ ms, limited, waits: events.filter((event) => event.type === 'wait') }).toEqual({
      ms: 0,
      limited: 0,
      waits: [],
    });
  });

  test('sends 700 batches without a 429, nearly as fast as the limit allows', async () => {
    const { ms, limited } = await send(700, { latencyMs: 50 });
    expect(limited).toBe(0);
    // 480 requests start at once. The others start when those are more than 60 s old.
    expect(ms).toBeLessThan(60_250 + (700 / 4) * 50);
  });

  test('sends 700 batches without a 429 when the service weights its windows', async () => {
    const { ms, limited } = await send(700, { latencyMs: 50, weighted: true, start: START + 30_000 });
    expect(limited).toBe(0);
    expect(ms).toBeLessThan(110_000);
  });

  test('sends 1,200 batches without a 429 when there is no reserve', async () => {
    const { ms, limited } = await send(1_200, { latencyMs: 50, limits: { reserve: 0 } });
    expect(limited).toBe(0);
    expect(ms).toBeLessThan(60_250 + (1_200 / 4) * 50);
  });

  test('sends no more requests than --rate allows in any 60 s', async () => {
    const { service, limited } = await send(250, { latencyMs: 20, limits: { rate: 100 } });
    const most = Math.max(...service.taken.map((at) => service.taken.filter((t) => t > at - WINDOW && t <= at).length));
    expect([most, limited]).toEqual([100, 0]);
  });

  test('still sends requests when the limit is smaller than the reserve', async () => {
    const { limited, ms } = await send(30, { limit: 20, latencyMs: 10 });
    expect(limited).toBe(0);
    expect(ms).toBeLessThan(125_000);
  });
});

describe('a rate limit shared with other programs', () => {
  test('leaves the reserve of the rate limit to other programs', async () => {
    const { service, sent } = await send(500, { latencyMs: 50 });
    expect(sent).toBe(500);
    const used = Math.max(...service.taken.map((at) => service.taken.filter((t) => t > at - WINDOW && t <= at).length));
    expect(used).toBeLessThanOrEqual(480);
  });

  test('gets no 429 when other programs use almost the whole rate limit', async () => {
    const others = (now: number) => (now < START + 150_000 ? 590 : 0);
    const { service, limited, ms } = await send(100, { latencyMs: 50, others });
    const early = service.taken.filter((at) => at < START + 150_000).length;
    expect([limited, early <= 6]).toEqual([0, true]);
    expect(ms).toBeLessThan(200_000 + 60_250);
  });

  test('sends one request a minute when other programs use up the rate limit', async () => {
    const clock = createManualClock(START);
    const others = (now: number) => (now < START + 200_000 ? 500 : 0);
    const service = limitedService({ clock, others });
    const { client, seen, run } = play(service.handler, { clock });
    await run(Promise.all(Array.from({ length: 6 }, () => client.post(writeRequest('repeatable')))));
    expect(seen.map(({ at }) => at)).toEqual([0, 60_250, 120_500, 180_750, 241_000, 241_000]);
  });
});

describe('rate-limit headers that are wrong (P5)', () => {
  const cases: [string, (used: number, limit: number) => Record<string, string>][] = [
    ['missing', () => ({})],
    ['not numbers', () => ({ 'ratelimit-remaining': 'many', 'ratelimit-limit': '6e2', 'ratelimit-reset': 'soon' })],
    ['negative', () => ({ 'ratelimit-remaining': '-5', 'ratelimit-limit': '-1' })],
    ['too high', () => ({ 'ratelimit-remaining': '100000', 'ratelimit-limit': '100000', 'ratelimit-reset': '0' })],
    [
      'right, but the reset is an epoch',
      (used, limit) => ({ ...honest(used, limit), 'ratelimit-reset': '1767225600' }),
    ],
  ];

  test.each(cases)('sends 700 batches without a 429 when headers are %s', async (_, headers) => {
    const { limited, ms } = await send(700, { headers, latencyMs: 50 });
    expect(limited).toBe(0);
    expect(ms).toBeLessThan(60_250 + (700 / 4) * 50);
  });

  test('leaves the reserve to other programs when no rate-limit headers come', async () => {
    const { limited, ms } = await send(700, { headers: () => ({}), latencyMs: 50, others: () => 120 });
    expect(limited).toBe(0);
    expect(ms).toBeLessThan(60_250 + (700 / 4) * 50);
  });

  test('sends one request a minute when headers say that nothing remains', async () => {
    const { ms } = await send(4, { headers: () => ({ 'ratelimit-remaining': '0' }) });
    expect(ms).toBe(3 * 60_250);
  });
});

describe('a 429 response (P4)', () => {
  const busy = (headers: Record<string, string>) => refusal(429, 'rate_limit_exceeded', headers);

  test.each([
    ['seconds', { 'retry-after': '30' }, 30_000],
    [
      'a date, less the Date of the response',
      { 'retry-after': 'Thu, 01 Jan 2026 10:00:20 GMT', date: 'Thu, 01 Jan 2026 10:00:00 GMT' },
      20_000,
    ],
    ['a date without a Date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, 15_000],
    ['a fraction', { 'retry-after': '1.5' }, 15_000],
    ['a word', { 'retry-after': 'soon' }, 15_000],
    ['nothing', {}, 15_000],
  ])(
    'waits as long as Retry-After says, or 15 s, plus up to 5 s: %s',
    async (_, headers: Record<string, string>, ms) => {
      for (const random of [0, 0.999]) {
        const { client, seen, run } = play((__, n) => (n === 0 ? busy(headers) : json(200, { ok: 1 })), {
          random: () => random,
        });
        await run(client.post(writeRequest('once')));
        expect(seen[1]?.at).toBeCloseTo(ms + random * 5_000, 3);
      }
    },
  );

  test('doubles the wait after a 429 from 15 s to 60 s without Retry-After', async () => {
    const { client, seen, run } = play((_, n) => (n < 5 ? busy({}) : json(200, { ok: 1 })), { random: () => 0 });
    await run(client.post(writeRequest('repeatable')));
    expect(seen.map(({ at }) => at)).toEqual([0, 15_000, 45_000, 105_000, 165_000, 225_000]);
  });

  test('waits 15 s again when a success came between two 429 responses', async () => {
    const { client, seen, run } = play((_, n) => (n % 2 === 0 ? busy({}) : json(200, { ok: 1 })), { random: () => 0 });
    await run(client.post(writeRequest('repeatable')));
    await run(client.post(writeRequest('repeatable')));
    expect(seen.map(({ at }) => at)).toEqual([0, 15_000, 15_000, 30_000]);
  });

  test('pauses all requests after a 429, then sends one of them alone', async () => {
    const { client, seen, run, clock } = play(
      async (_, n) => {
        await clock.sleep(100);
        return n === 0 ? busy({ 'retry-after': '30' }) : json(200, { ok: 1 }, { 'ratelimit-remaining': '500' });
      },
      { random: () => 0 },
    );
    await run(Promise.all(Array.from({ length: 4 }, () => client.post(writeRequest('repeatable')))));
    expect(seen.map(({ at }) => at)).toEqual([0, 30_100, 30_200, 30_200, 30_200]);
  });

  test('does not count 429 responses as attempts', async () => {
    const { client, seen, run } = play((_, n) => (n < 20 ? busy({ 'retry-after': '20' }) : json(200, { ok: 1 })));
    expect(await run(client.post(writeRequest('once')))).toMatchObject({ kind: 'accepted' });
    expect(seen.length).toBe(21);
  });

  test('ends with the time to resume when --max-wait is exceeded (exit 75)', async () => {
    const limits = { rate: 600, reserve: 120, maxWaitMs: 60_000 };
    const { client, seen, run } = play(() => busy({ 'retry-after': '40' }), { limits, random: () => 0 });
    expect(await run(client.post(writeRequest('once')))).toEqual({
      kind: 'later',
      resumeAt: START + 80_000,
      keyVersion: 0,
      outcomeUnknown: false,
    });
    await expect(run(client.get(['audiences']))).rejects.toMatchObject({
      exit: EXIT.later,
      code: 'rate_limited',
      hint: 'Resume after 2026-01-01T00:01:20.000Z',
    });
    expect(seen.length).toBe(2);
  });

  test('reports no wait when the run ends instead of waiting (exit 75)', async () => {
    const limits = { rate: 600, reserve: 120, maxWaitMs: 60_000 };
    const { client, run, events } = play(() => busy({ 'retry-after': '4000' }), { limits, random: () => 0 });
    expect(await run(client.post(writeRequest('once')))).toMatchObject({ kind: 'later' });
    expect(events.filter((event) => event.type === 'wait')).toEqual([]);
  });

  test('counts a wait once against --max-wait when several workers get a 429', async () => {
    const limits = { rate: 600, reserve: 0, maxWaitMs: 45_000 };
    const { client, run, clock } = play(
      async (_, n) => {
        await clock.sleep(10);
        return n >= 1 && n <= 4 ? busy({ 'retry-after': '40' }) : json(200, { ok: 1 });
      },
      { limits, random: () => 0 },
    );
    await run(client.get(['audiences']));
    const ends = await run(Promise.all(Array.from({ length: 4 }, () => client.post(writeRequest('repeatable')))));
    expect(ends.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
  });

  test('waits the full time when Retry-After is longer than a timer can run', async () => {
    const limits = { rate: 600, reserve: 120, maxWaitMs: Number.POSITIVE_INFINITY };
    const { client, seen, run } = play(
      (_, n) => (n === 0 ? busy({ 'retry-after': '3000000' }) : json(200, { ok: 1 })),
      {
        limits,
        random: () => 0,
      },
    );
    await run(client.post(writeRequest('repeatable')));
    expect(seen[1]?.at).toBe(3_000_000_000);
  });
});

describe('the retry budget, a fifth of the last hundred requests (P6)', () => {
  test('ends the run after three pauses when too many requests are retries', async () => {
    const { client, seen, events, run } = play(() => reset());
    const ends = [];
    for (let n = 0; n < 20; n += 1) {
      ends.push(await run(client.post(writeRequest('repeatable'))));
    }
    const pauses = events.filter((event) => event.type === 'wait' && event.reason === 'too_many_retries');
    expect(pauses).toEqual(Array(3).fill({ type: 'wait', reason: 'too_many_retries', ms: 60_000 }));
    expect(ends.at(-1)).toMatchObject({ kind: 'gave_up', cause: { code: 'too_many_retries', exit: EXIT.failed } });
    expect(client.stats().retried).toBe(80);
    expect(seen.length).toBe(client.stats().sent);
  });

  test('counts pauses from zero again after a hundred requests without a retry', async () => {
    let broken = true;
    const { client, events, run } = play(() =>
      broken ? reset() : json(200, { ok: 1 }, { 'ratelimit-remaining': '599' }),
    );
    const pauses = () => events.filter((event) => event.type === 'wait' && event.reason === 'too_many_retries').length;
    for (let outage = 0; outage < 5; outage += 1) {
      broken = true;
      for (let n = 0; n < 3; n += 1) {
        expect(await run(client.post(writeRequest('repeatable')))).toMatchObject({ cause: { code: 'no_answer' } });
      }
      broken = false;
      for (let n = 0; n < 130; n += 1) {
        await run(client.post(writeRequest('repeatable')));
      }
    }
    expect(pauses()).toBe(5);
  });

  test('does not pause for occasional failures', async () => {
    const { client, events, run } = play((_, n) =>
      n % 7 === 0 ? reset() : json(200, { ok: 1 }, { 'ratelimit-remaining': '599' }),
    );
    for (let n = 0; n < 300; n += 1) {
      await run(client.post(writeRequest('repeatable')));
    }
    expect(events.filter((event) => event.type === 'wait' && event.reason === 'too_many_retries')).toEqual([]);
  });
});

test('emits one event for each wait, with its reason', async () => {
  const { events } = await send(700, {});
  expect(events.filter((event) => event.type === 'wait')).toEqual([{ type: 'wait', reason: 'reserve', ms: 60_250 }]);
});

test('does not wait longer when the wall clock is set back an hour (P7)', async () => {
  const clock = createManualClock(START);
  const limits = { rate: 2, reserve: 0, maxWaitMs: 0 };
  const { client, run } = play(() => json(200, {}), { clock, limits });
  await run(Promise.all([client.get(['a']), client.get(['b'])]));
  const back = START - 3_600_000;
  clock.set(back);
  await run(client.get(['c']));
  expect(clock.now() - back).toBe(60_250);
});

test('names --rate as the reason of a wait when --rate is the lower limit', async () => {
  const waits = (events: readonly RunEvent[]) => events.filter((event) => event.type === 'wait').slice(0, 1);
  const own = await send(150, { limits: { rate: 100, reserve: 0 } });
  expect(waits(own.events)).toEqual([expect.objectContaining({ reason: 'rate_limit', rate: 100 })]);
  const granted = await send(650, { limits: { rate: 600, reserve: 0 } });
  expect(waits(granted.events)).toEqual([expect.not.objectContaining({ rate: expect.anything() })]);
});
