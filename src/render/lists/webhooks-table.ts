import type { WebhookEndpoint } from '../../wire/shapes.ts';
import type { Cell } from '../table/cell.ts';
import { table } from '../table/table.ts';
import { timeCell } from '../table/time-cell.ts';
import type { Style, Tone } from '../text/style.ts';

// Seven attempts are all that a delivery gets, so a streak of seven means that something was lost.
const LOST = 7;

/** `svc webhooks ls`: the health board. The service disables no endpoint, so only this tells (service document, "Delivery rules" 7). */
export function webhooksTable(endpoints: readonly WebhookEndpoint[], now: number, style: Style): string {
  return table(
    [
      { title: 'id', whole: true },
      { title: 'url', least: 12 },
      { title: 'status', drops: 2 },
      { title: 'events', yields: true, drops: 1 },
      { title: 'streak', align: 'right' },
      { title: 'last ok' },
      { title: 'last fail' },
      { title: 'last error' },
    ],
    endpoints.map((endpoint) => endpointRow(endpoint, now)),
    style,
  );
}

function endpointRow(endpoint: WebhookEndpoint, now: number): Cell[] {
  const { id, url, status, events, consecutive_failures, last_error } = endpoint;
  const streak = consecutive_failures ?? 0;
  const tone = health(endpoint);
  return [
    id,
    // All are https, and the host says more in a narrow column.
    { text: url, short: url.replace(/^https:\/\//, '') },
    { text: status, tone: status === 'active' ? undefined : 'yellow' },
    events.join(','),
    { text: String(streak), tone, raw: streak },
    timeCell(endpoint.last_success_at, now),
    timeCell(endpoint.last_failure_at, now),
    { text: last_error ?? '', tone: streak > 0 ? tone : 'dim', raw: last_error },
  ];
}

function health({ consecutive_failures: streak, last_success_at }: WebhookEndpoint): Tone {
  if (streak >= LOST) {
    return 'red';
  }
  if (streak > 0) {
    return 'yellow';
  }
  return last_success_at === null ? 'dim' : 'green';
}
