import type { WebhookAttempt, WebhookSender } from '../../../../src/emulator/webhooks/send.ts';

/** A delivery as it arrived, and when. */
export interface Received extends WebhookAttempt {
  readonly at: number;
}

/**
 * The HTTP status with which the receiver of a URL responds to an attempt. `…/fail/3/503-0` refuses the first three
 * with 503, 0 and 503 again; a status of 0 means that the connection fails.
 */
export function receive(url: string, attempt: number): number | undefined {
  const [, failures = '0', list = ''] = /\/fail\/(\d+)\/([\d-]+)$/.exec(url) ?? [];
  const statuses = list.split('-').map(Number);
  const isRefused = attempt <= Number(failures);
  return isRefused ? statuses[(attempt - 1) % statuses.length] || undefined : 200;
}

/** A sender that keeps what it gets in `received`. */
export function createSender(received: Received[], now: () => number): WebhookSender {
  return async (sent) => {
    received.push({ ...sent, at: now() });
    const status = receive(sent.url, Number(sent.headers['service-delivery-attempt']));
    if (status === undefined) {
      throw new Error('connect ECONNREFUSED');
    }
    return status;
  };
}
