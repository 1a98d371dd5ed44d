import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../base/lib/clock.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { playNextRecipientStep, sendScheduledCampaign } from '../domain/campaign.ts';
import { playNextEmailStep } from '../domain/email.ts';
import { nextJobDueAt, takeDueJob } from '../store/jobs.ts';
import {
  type DueDelivery,
  listDueDeliveries,
  listDueWebhooks,
  nextAttemptAfter,
  purgeDeliveries,
} from '../store/webhooks.ts';
import { attemptDelivery } from './attempt.ts';
import { createWebhookSender, type WebhookSender } from './send.ts';

/**
 * The background worker. It plays the steps of emails, sends scheduled campaigns, and makes and repeats webhook
 * deliveries.
 */
export interface Worker {
  /** Makes the worker look for work that has become due. Returns at once. */
  wake(): void;
  /** When the next work is due, even if that time has passed. Undefined if there is no work. */
  nextDue(): number | undefined;
  /** Resolves once all work that is due now is done. Rejects if the emulator closes before. */
  caughtUp(): Promise<void>;
  /** Resolves once no work is running any more. To be called after the signal has aborted. */
  stopped(): Promise<void>;
}

/**
 * Makes a worker that sleeps until the next work is due, by the emulator's clock. `currentContext` is a function,
 * because the worker is made before the context.
 */
export function createWorker(currentContext: () => EmulatorContext, options: WorkerOptions): Worker {
  const { signal } = options;
  const attempts = createAttempts(currentContext, options, () => wake());
  let woken = new AbortController();
  let isCalled = false;
  let currentTurn: Promise<void> | undefined;

  const runTurn = async () => {
    for (let next: number | undefined = 0; next !== undefined && !signal.aborted; ) {
      isCalled = false;
      const fresh = woken.signal;
      // `runDue` and `nextDue` must get the same time. Otherwise both would miss work that becomes due between the
      // calls.
      const now = currentContext().clock.now();
      runDue(currentContext(), now, attempts);
      next = nextDue(currentContext(), now);
      if (next !== undefined) {
        await sleepUntilDue(currentContext(), next, AbortSignal.any([signal, fresh]));
      }
    }
  };
  const nextOfAll = () => nextDue(currentContext(), 0);
  const wake = () => {
    isCalled = true;
    woken.abort();
    woken = new AbortController();
    // The work begins in a later turn of the event loop, because the caller may be in a transaction.
    currentTurn ??= Promise.resolve()
      .then(runTurn)
      .finally(() => {
        currentTurn = undefined;
        // If `wake` was called after the worker had read the store, the worker must read the store again.
        if (isCalled && !signal.aborted) {
          wake();
        }
      });
  };
  return {
    wake,
    nextDue: nextOfAll,
    async caughtUp() {
      wake();
      while ((nextOfAll() ?? Number.POSITIVE_INFINITY) <= currentContext().clock.now()) {
        signal.throwIfAborted();
        await attempts.finished();
        await setImmediate();
      }
    },
    async stopped() {
      await attempts.finished();
      await currentTurn?.catch(() => undefined);
    },
  };
}

interface WorkerOptions {
  readonly signal: AbortSignal;
  readonly send: WebhookSender | undefined;
  /** Measures and limits the attempts. It is neither moved nor sped up. */
  readonly networkClock: Clock;
}

interface Attempts {
  /** Starts the attempts that are due. At most `MAX_CONCURRENT_ATTEMPTS` attempts of one endpoint run at once. */
  startDue(now: number): void;
  finished(): Promise<unknown>;
}

/**
 * How many attempts of one endpoint may run at once. Because of this limit, a receiver that never responds does not
 * delay other endpoints.
 */
const MAX_CONCURRENT_ATTEMPTS = 20;

function createAttempts(
  context: () => EmulatorContext,
  { signal, send, networkClock }: WorkerOptions,
  onEnd: () => void,
): Attempts {
  const running = new Map<number, { readonly webhook: number; readonly end: Promise<void> }>();
  let sender = send;
  const start = (delivery: DueDelivery) => {
    sender ??= createWebhookSender(context().allowLoopbackWebhooks);
    const end = attemptDelivery(context(), delivery, { send: sender, closing: signal, networkClock }).finally(() => {
      running.delete(delivery.seq);
      onEnd();
    });
    running.set(delivery.seq, { webhook: delivery.webhook, end });
  };
  return {
    startDue(now) {
      const { store } = context();
      for (const webhook of listDueWebhooks(store, now)) {
        const without = [...running].flatMap(([seq, one]) => (one.webhook === webhook ? [seq] : []));
        listDueDeliveries(store, now, { webhook, without, most: MAX_CONCURRENT_ATTEMPTS - without.length }).forEach(
          start,
        );
      }
    },
    finished: () => Promise.allSettled([...running.values()].map(({ end }) => end)),
  };
}

const JOBS: ReadonlyMap<string, (context: EmulatorContext, payload: string) => void> = new Map([
  ['email', playNextEmailStep],
  ['campaign', sendScheduledCampaign],
  ['campaign_recipient', playNextRecipientStep],
]);

function runDue(context: EmulatorContext, now: number, attempts: Attempts): void {
  purgeDeliveries(context.store, now - LIMITS.webhookRetentionMs);
  while ((nextJobDueAt(context.store) ?? Number.POSITIVE_INFINITY) <= now) {
    context.store.transaction(() => playDueJob(context, now));
  }
  attempts.startDue(now);
}

// Another process may have taken the job since the worker saw it. The removal and the work are in one transaction, so a
// kill between the two loses no job.
function playDueJob(context: EmulatorContext, now: number): void {
  const job = takeDueJob(context.store, now);
  if (job !== undefined) {
    JOBS.get(job.kind)?.(context, job.payload);
  }
}

/**
 * The earlier of two times: that of the next job, and that of the earliest attempt that is due after `after`. Undefined
 * if there is neither a job nor such an attempt.
 */
function nextDue({ store }: EmulatorContext, after: number): number | undefined {
  const times = [nextJobDueAt(store), nextAttemptAfter(store, after)].filter((time) => time !== undefined);
  return times.sort((a, b) => a - b)[0];
}

// If a sleep ends early, that is no error: there is new work, or the emulator is closing.
async function sleepUntilDue(context: EmulatorContext, until: number, signal: AbortSignal): Promise<void> {
  await context.clock.sleep(until - context.clock.now(), signal).catch(() => undefined);
}
