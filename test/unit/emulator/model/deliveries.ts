import { type Job, type ModelContext, type Organization, timestamp } from './account.ts';
import { ABSENT, SOME_TEXT, wholeNumber } from './expectation.ts';
import type { Delivery, Fields, Webhook } from './shapes.ts';
import { liveWebhooks } from './webhooks.ts';

/** "retries after 30 seconds, 2 minutes, 10 minutes, 30 minutes, 1 hour and 6 hours" */
const RETRIES = [30, 120, 600, 1800, 3600, 21_600].map((seconds) => seconds * 1000);
const RETENTION = 30 * 24 * 3_600_000;

/** Sends an event to each active endpoint that subscribes to its type. */
export function emit(
  organization: Organization,
  event: { readonly type: string; readonly data: unknown },
  at: number,
  context: ModelContext,
): void {
  const wanting = liveWebhooks(organization).filter(
    ({ status, events }) => status === 'active' && events.includes(event.type),
  );
  const whole = { ...event, id: wanting.length > 0 ? context.nextSymbol('evt') : '', created_at: timestamp(at) };
  for (const webhook of wanting) {
    const delivery: Delivery = {
      id: context.nextSymbol('whd'),
      event: whole,
      status: 'pending',
      attempt: 1,
      response_status: null,
      next_attempt_at: timestamp(at),
      delivered_at: null,
      created: at,
    };
    webhook.deliveries.push(delivery);
    addJob(organization, { at, run: (due) => attempt(organization, webhook, delivery, { at: due, context }) });
  }
}

function attempt(
  organization: Organization,
  webhook: Webhook,
  delivery: Delivery,
  { at, context }: { at: number; context: ModelContext },
): void {
  if (webhook.isDeleted) {
    return;
  }
  const { url, id } = webhook;
  const status = context.receive(url, delivery.attempt);
  context.attempts.push({ webhook: id, url, attempt: delivery.attempt, at, event: delivery.event });
  delivery.response_status = status ?? null;
  if (status !== undefined && status >= 200 && status < 300) {
    Object.assign(delivery, { status: 'delivered', next_attempt_at: null, delivered_at: timestamp(at) });
    Object.assign(webhook, { consecutive_failures: 0, last_success_at: timestamp(at), failedLast: false });
    return;
  }
  webhook.consecutive_failures += 1;
  Object.assign(webhook, { last_failure_at: timestamp(at), failedLast: true });
  const pause = RETRIES[delivery.attempt - 1];
  if (pause === undefined) {
    Object.assign(delivery, { status: 'failed', next_attempt_at: null });
    return;
  }
  delivery.next_attempt_at = timestamp(at + pause);
  addJob(organization, {
    at: at + pause,
    run: (due) => {
      delivery.attempt += 1;
      attempt(organization, webhook, delivery, { at: due, context });
    },
  });
}

/** Adds a job behind those that are due before it or at the same time. */
export function addJob({ jobs }: Organization, job: Job): void {
  jobs.splice(jobs.findLastIndex(({ at }) => at <= job.at) + 1, 0, job);
}

/** Does what is due by now, in its order. */
export function doDueJobs({ jobs }: Organization, now: number): void {
  for (let job = jobs[0]; job !== undefined && job.at <= now; job = jobs[0]) {
    jobs.shift();
    job.run(job.at);
  }
}

/** The delivery log of an endpoint, oldest first. "Rows are kept for 30 days." */
export function deliveryRecords({ id, deliveries }: Webhook, status: string | null, now: number): Fields[] {
  const shown = deliveries.filter(
    (delivery) => now - delivery.created <= RETENTION && (status === null || delivery.status === status),
  );
  return shown.map(({ event, created, ...delivery }) => ({
    ...delivery,
    object: 'webhook_delivery',
    endpoint_id: id,
    event_id: event.id,
    event_type: event.type,
    error: delivery.status === 'delivered' ? null : SOME_TEXT,
    duration_ms: wholeNumber(0, 10_000),
    created_at: timestamp(created),
    data: ABSENT,
  }));
}
