import { createHmac } from 'node:crypto';
import type { Clock } from '../../base/lib/clock.ts';
import { errorCode } from '../../base/lib/errors.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { updateRow } from '../store/rows.ts';
import { type DeliveryRow, type DueDelivery, recordFailure, recordSuccess } from '../store/webhooks.ts';
import type { WebhookSender } from './send.ts';

/** What sends an attempt. `networkClock` measures and limits it, because a receiver does not follow emulated time. */
interface AttemptSender {
  readonly send: WebhookSender;
  readonly closing: AbortSignal;
  readonly networkClock: Clock;
}

/**
 * Makes one attempt to deliver an event, and records its result. If the emulator closes meanwhile, nothing is recorded,
 * so the delivery stays due.
 */
export async function attemptDelivery(
  context: EmulatorContext,
  delivery: DueDelivery,
  sender: AttemptSender,
): Promise<void> {
  const number = delivery.duration_ms === null ? 1 : delivery.attempt + 1;
  const began = sender.networkClock.monotonic();
  const end = await post(context, { delivery, number }, sender);
  if (sender.closing.aborted) {
    return;
  }
  record(context, { delivery, number, took: Math.round(sender.networkClock.monotonic() - began) }, end);
}

/** The result of one attempt: the HTTP status of the receiver, or why there is none. */
type Outcome = { readonly status: number } | { readonly error: string };

async function post(
  context: EmulatorContext,
  { delivery, number }: { delivery: DueDelivery; number: number },
  { send, closing, networkClock }: AttemptSender,
): Promise<Outcome> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, closing]);
  const request = { url: delivery.url, headers: headersOf(context, delivery, number), body: delivery.payload };
  const sent = send(request, signal).then((status) => ({ status }), toError);
  const late = networkClock.sleep(LIMITS.webhookTimeoutMs, signal).then(() => ({ error: 'timeout' }), toError);
  const end = await Promise.race([sent, late]);
  over.abort(new Error('over'));
  return end;
}

function toError(error: unknown): Outcome {
  return { error: errorCode(error) || (error instanceof Error ? error.message : 'no answer') };
}

function headersOf(context: EmulatorContext, delivery: DueDelivery, number: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'ServiceEmulator/1 (+https://example.com/webhooks)',
    'service-event-id': context.ids.make('event', delivery.event),
    'service-event-type': delivery.event_type,
    'service-delivery-attempt': String(number),
    'service-signature': sign(delivery.secret, delivery.payload, context.clock.now()),
  };
}

function record(
  context: EmulatorContext,
  attempt: { delivery: DueDelivery; number: number; took: number },
  end: Outcome,
): void {
  const { delivery, number, took } = attempt;
  const now = context.clock.now();
  const status = 'status' in end ? end.status : null;
  const endAttempt = (end: Partial<DeliveryRow>) =>
    updateRow<DeliveryRow>(context.store, 'deliveries', delivery.seq, {
      attempt: number,
      response_status: status,
      duration_ms: took,
      ...end,
    });
  if (status !== null && status >= 200 && status < 300) {
    endAttempt({ status: 'delivered', error: null, next_attempt_at: null, delivered_at: now });
    recordSuccess(context.store, delivery.webhook, now);
    return;
  }
  const error = 'error' in end ? end.error : `HTTP ${end.status}`;
  const next = nextAttemptAfterFailure(number, now);
  endAttempt({ error, delivered_at: null, ...next });
  recordFailure(context.store, delivery.webhook, { now, error });
}

function nextAttemptAfterFailure(number: number, now: number): Pick<DeliveryRow, 'status' | 'next_attempt_at'> {
  const delay = LIMITS.webhookRetryDelaysMs[number - 1];
  return delay === undefined
    ? { status: 'failed', next_attempt_at: null }
    : { status: 'pending', next_attempt_at: now + delay };
}

/** The value of `Service-Signature`: an HMAC-SHA256 over `<t>.<body>`, with `t` in seconds since the epoch. */
function sign(secret: string, body: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1_000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
