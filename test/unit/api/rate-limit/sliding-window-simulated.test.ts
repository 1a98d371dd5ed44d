import { describe, expect, test } from 'vitest';
import { runConcurrently } from '../../../../src/base/lib/concurrency.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { everyNth } from '../../../support/sweep.ts';
import { type Handler, json, play, refusal, START, writeRequest } from '../service.ts';

const WINDOW = 60_000;
const LIMIT = 600;

/** Ways to count the used part of the window. The document only says "sliding window". */
const READINGS = {
  'a log of the last 60 s': (taken, now) => taken.filter((at) => at > now - WINDOW).length,
  'a counter of this minute plus a share of the one before': (taken, now) => {
    const minute = Math.floor(now / WINDOW);
    const within = (n: number) => taken.filter((at) => Math.floor(at / WINDOW) === n).length;
    return within(minute) + within(minute - 1) * (1 - (now % WINDOW) / WINDOW);
  },
  'a counter that starts at 0 each minute': (taken, now) =>
    taken.filter((at) => Math.floor(at / WINDOW) === Math.floor(now / WINDOW)).length,
} satisfies Readonly<Record<string, (taken: readonly number[], now: number) => number>>;

type WindowCount = (typeof READINGS)[keyof typeof READINGS];

/** Reproducible numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

interface Play {
  readonly batches: number;
  readonly reserve: number;
  /** Milliseconds after a full minute at which the run begins. */
  readonly offset: number;
  /** Longest network latency in each direction. */
  readonly latencyMs: number;
  readonly seed: number;
}

/** Sends batches over a network with latency in both directions, four at once. */
async function send(used: WindowCount, { batches, reserve, offset, latencyMs, seed }: Play) {
  const clock = createManualClock(START + offset);
  const nextRandom = random(seed);
  const taken: number[] = [];
  const handler: Handler = async () => {
    await clock.sleep(Math.round(nextRandom() * latencyMs));
    const now = clock.now();
    const before = used(taken, now);
    const headers = {
      'ratelimit-limit': String(LIMIT),
      'ratelimit-remaining': String(Math.max(0, Math.floor(LIMIT - before - 1))),
      'ratelimit-reset': '60',
    };
    const full = before + 1 > LIMIT;
    if (!full) {
      taken.push(now);
    }
    await clock.sleep(Math.round(nextRandom() * latencyMs));
    return full
      ? refusal(429, 'rate_limit_exceeded', { ...headers, 'retry-after': '5' })
      : json(200, { ok: 1 }, headers);
  };
  const limits = { rate: 600, reserve, maxWaitMs: 60 * 60_000 };
  const { client, elapsed, run } = play(handler, { clock, limits });
  const all = async () => {
    for await (const end of runConcurrently(count(batches), 4, () => client.post(writeRequest('repeatable')))) {
      expect(end.kind).toBe('accepted');
    }
  };
  await run(all());
  return { limited: client.stats().rate_limited, sent: taken.length, minutes: elapsed() / WINDOW };
}

async function* count(n: number) {
  for (let i = 0; i < n; i += 1) {
    yield i;
  }
}

const PLAYS: readonly Play[] = [
  { batches: 700, reserve: 0, offset: 0, latencyMs: 200, seed: 1 },
  { batches: 700, reserve: 0, offset: 30_000, latencyMs: 50, seed: 2 },
  { batches: 700, reserve: 0, offset: 59_900, latencyMs: 900, seed: 3 },
  { batches: 1_900, reserve: 0, offset: 45_000, latencyMs: 100, seed: 4 },
  { batches: 1_900, reserve: 120, offset: 15_000, latencyMs: 400, seed: 5 },
];

describe.each(Object.entries(READINGS).map(([name, used], index) => [name, used, index] as const))(
  'the sliding window over a slow network, when the service uses %s',
  (_, used, index) => {
    test.each(everyNth(PLAYS, 2, index))(
      'causes no 429 with $batches batches and latency up to $latencyMs ms (P5)',
      async (play) => {
        const { limited, sent } = await send(used, play);
        expect({ limited, sent }).toEqual({ limited: 0, sent: play.batches });
      },
    );
  },
);
