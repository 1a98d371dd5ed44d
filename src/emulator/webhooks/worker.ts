import { LIMITS } from '../../wire/limits.ts';
import type { World } from '../context.ts';
import { advanceEmail } from '../domain/email-journey.ts';
import { advanceRecipient, sendScheduled } from '../mcp/campaign-send.ts';
import { type DueDelivery, listDue, nextAttemptAfter, purgeDeliveries } from '../store/deliveries.ts';
import { nextJob, takeJob } from '../store/jobs.ts';
import { attempt } from './attempt.ts';
import { createWebhookSender, type WebhookSender } from './send.ts';

/** Does in the background what requests have left to do: emails on their way, deliveries and their repeats. */
export interface Worker {
  /** Something became due. Returns at once. */
  wake(): void;
  /** Resolves when nothing of it runs any more; for after the signal has aborted. */
  stopped(): Promise<void>;
}

/** A worker that sleeps on the world's clock only while something is due later. The world is asked for at the first turn. */
export function createWorker(world: () => World, outside: WorkerOutside): Worker {
  const { signal } = outside;
  const attempts = createAttempts(world, outside, () => wake());
  let woken = new AbortController();
  let called = false;
  let turning: Promise<void> | undefined;

  const turn = async () => {
    for (let next: number | undefined = 0; next !== undefined && !signal.aborted; ) {
      called = false;
      const fresh = woken.signal;
      runDue(world(), attempts.start);
      next = nextDue(world());
      if (next !== undefined) {
        await nap(world(), next, AbortSignal.any([signal, fresh]));
      }
    }
  };
  const wake = () => {
    called = true;
    woken.abort();
    woken = new AbortController();
    // Not in this turn of the loop: the caller may be inside a transaction.
    turning ??= Promise.resolve()
      .then(turn)
      .finally(() => {
        turning = undefined;
        // Somebody called between the last look at the store and here.
        if (called && !signal.aborted) {
          wake();
        }
      });
  };
  return {
    wake,
    async stopped() {
      await attempts.settled();
      await turning?.catch(() => undefined);
    },
  };
}

interface WorkerOutside {
  readonly signal: AbortSignal;
  readonly send: WebhookSender | undefined;
}

interface Attempts {
  /** Starts an attempt unless one of the same delivery is running. */
  start(due: DueDelivery): void;
  settled(): Promise<unknown>;
}

function createAttempts(world: () => World, { signal, send }: WorkerOutside, ended: () => void): Attempts {
  const running = new Map<number, Promise<void>>();
  let sender = send;
  return {
    start(due) {
      if (running.has(due.seq)) {
        return;
      }
      sender ??= createWebhookSender(world().allowLoopbackWebhooks);
      const made = attempt(world(), due, { send: sender, closing: signal }).finally(() => {
        running.delete(due.seq);
        ended();
      });
      running.set(due.seq, made);
    },
    settled: () => Promise.allSettled([...running.values()]),
  };
}

const JOBS: ReadonlyMap<string, (world: World, payload: string) => void> = new Map([
  ['email', advanceEmail],
  ['campaign', sendScheduled],
  ['campaign_recipient', advanceRecipient],
]);

function runDue(world: World, start: (due: DueDelivery) => void): void {
  const now = world.clock.now();
  purgeDeliveries(world.store, now - LIMITS.webhookRetentionMs);
  for (let job = takeJob(world.store, now); job !== undefined; job = takeJob(world.store, now)) {
    JOBS.get(job.kind)?.(world, job.payload);
  }
  listDue(world.store, now).forEach(start);
}

function nextDue(world: World): number | undefined {
  const times = [nextJob(world.store), nextAttemptAfter(world.store, world.clock.now())].filter(
    (at) => at !== undefined,
  );
  return times.sort((a, b) => a - b)[0];
}

// Waking up early is no error: somebody called, or the emulator is closing.
async function nap(world: World, until: number, signal: AbortSignal): Promise<void> {
  await world.clock.sleep(until - world.clock.now(), signal).catch(() => undefined);
}
