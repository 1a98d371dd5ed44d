import { runConcurrently } from '../../src/base/lib/concurrency.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { json, play, refusal, writeRequest } from '../unit/api/service.ts';

const WINDOW_MS = 60_000;
const LIMIT = 600;
const RESERVE = 120;
const LATENCY_MS = 50;

/** The result of sending a list through the window of the service on a simulated clock. */
export interface Passage {
  readonly ms: number;
  /** The shortest time in which the limit admits this many requests, less the reserve and the other client. */
  readonly idealMs: number;
  readonly refused: number;
  readonly waits: number;
}

/**
 * Sends batches, four at a time, through a limit of 600 requests in 60 s with 50 ms of latency. Another client sends
 * `others` of the 600, evenly spread.
 */
export async function passWindow(batches: number, others: number): Promise<Passage> {
  const clock = createManualClock();
  const start = clock.now();
  const service = limitedService(clock, others);
  const limits = { rate: LIMIT, reserve: RESERVE, maxWaitMs: 60 * WINDOW_MS };
  const { client, elapsed, run, events } = play(service, { clock, limits });
  const all = async () => {
    for await (const end of runConcurrently(counted(batches), 4, () => client.post(writeRequest('repeatable')))) {
      if (end.kind !== 'accepted') {
        throw new Error(`a batch ended as ${end.kind} after ${clock.now() - start} ms`);
      }
    }
  };
  await run(all());
  const ours = LIMIT - RESERVE - others;
  return {
    ms: elapsed(),
    idealMs: Math.floor((batches - 1) / ours) * WINDOW_MS,
    refused: client.stats().rate_limited,
    waits: events.filter((event) => event.type === 'wait').length,
  };
}

function limitedService(clock: ManualClock, others: number) {
  const taken: number[] = [];
  let first = 0;
  // The other client has sent for a whole window already. Otherwise the run could use the whole limit at the start.
  let theirs = clock.now() - WINDOW_MS;
  const use = (now: number) => {
    for (; others > 0 && theirs <= now; theirs += WINDOW_MS / others) {
      taken.push(theirs);
    }
    while ((taken[first] ?? now) <= now - WINDOW_MS) {
      first += 1;
    }
    return taken.length - first;
  };
  return async () => {
    await clock.sleep(LATENCY_MS);
    const now = clock.now();
    const used = use(now);
    const remaining = Math.max(0, LIMIT - used - 1);
    const headers = { 'ratelimit-limit': '600', 'ratelimit-remaining': `${remaining}`, 'ratelimit-reset': '60' };
    if (used >= LIMIT) {
      return refusal(429, 'rate_limit_exceeded', { ...headers, 'retry-after': '5' });
    }
    taken.push(now);
    return json(200, { ok: 1 }, headers);
  };
}

async function* counted(count: number): AsyncGenerator<number> {
  for (let index = 0; index < count; index += 1) {
    yield index;
  }
}
