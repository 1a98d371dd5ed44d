import { ownValue } from '../../base/lib/json.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import type { WebhookEndpoint } from '../../wire/shapes.ts';
import { nameValueLines } from '../text/block.ts';
import { applyTone, type Cell, timeAgo, timeCell } from '../text/cell.ts';
import { objectText } from '../text/object.ts';
import type { Style, Tone } from '../text/style.ts';
import { type ItemColumn, itemTable } from '../text/table.ts';
import { wrapText } from '../text/wrap.ts';

// The service tries each delivery seven times. So after seven failures one after the other, a delivery may be lost.
const LOST_DELIVERY = 7;

/**
 * The health of an endpoint in one word: the status of the service if it is not `active`, otherwise `failing`, `ok` or
 * `unused`.
 */
function healthOf({ status, consecutive_failures: streak, last_success_at }: WebhookEndpoint): string {
  if (status !== 'active') {
    return status;
  }
  if ((streak ?? 0) > 0) {
    return 'failing';
  }
  return last_success_at ? 'ok' : 'unused';
}

/**
 * Sorts endpoints by health: failing, then with a status other than `active`, then unused, then healthy. Among failing
 * endpoints, the most failures come first.
 */
export function sortByHealth(endpoints: readonly WebhookEndpoint[]): WebhookEndpoint[] {
  const ranks: Readonly<Record<string, number>> = { failing: 0, unused: 2, ok: 3 };
  const rankOf = (endpoint: WebhookEndpoint) => ownValue(ranks, healthOf(endpoint)) ?? 1;
  const streakOf = ({ consecutive_failures }: WebhookEndpoint) => consecutive_failures ?? 0;
  return endpoints.toSorted((a, b) => rankOf(a) - rankOf(b) || streakOf(b) - streakOf(a));
}

/** A sentence such as `2 endpoints: 1 failing, 1 disabled`. `endpoints` must be sorted by `sortByHealth`. */
export function healthSentence(endpoints: readonly WebhookEndpoint[]): string {
  const counts = [...Map.groupBy(endpoints, healthOf)].map(([health, { length }]) => [health, length] as const);
  const [first] = counts;
  const parts =
    first && counts.length === 1
      ? [first[1] > 1 ? `all ${first[0]}` : first[0]]
      : counts.map(([health, count]) => `${formatNumber(count)} ${health}`);
  return terminalSafe(
    [plural(endpoints.length, 'endpoint'), parts.join(', ')].filter((part) => part !== '').join(': '),
  );
}

/**
 * A sentence such as `2 of 4 endpoints are failing`. `count` endpoints failed at least `minStreak` times one after the
 * other.
 */
export function failingSentence(
  count: number,
  { minStreak, total }: { readonly minStreak: number; readonly total: number },
): string {
  const failing =
    minStreak === 1
      ? `${count === 1 ? 'is' : 'are'} failing`
      : `failed ${formatNumber(minStreak)} or more times in a row`;
  return `${formatNumber(count)} of ${plural(total, 'endpoint')} ${failing}`;
}

/**
 * The table of `svc webhooks ls`. The service never disables a failing endpoint (service document, "Delivery rules" 7),
 * so the table shows failures. Scripts get all fields in a fixed order. On a terminal, the status comes first.
 */
export function endpointsTable(endpoints: readonly WebhookEndpoint[], now: number, style: Style): string {
  return itemTable(
    style.columns === undefined ? scriptColumns(now) : screenColumns(style.columns, now),
    endpoints,
    style,
  );
}

function scriptColumns(now: number): readonly ItemColumn<WebhookEndpoint>[] {
  return [
    { title: 'id', cell: ({ id }) => id },
    { title: 'url', cell: ({ url }) => url },
    { title: 'status', cell: ({ status }) => status },
    { title: 'events', cell: ({ events }) => events.join(',') },
    { title: 'consecutive_failures', cell: ({ consecutive_failures }) => consecutive_failures ?? 0 },
    { title: 'last_success_at', cell: ({ last_success_at }) => timeCell(last_success_at, now) },
    { title: 'last_failure_at', cell: ({ last_failure_at }) => timeCell(last_failure_at, now) },
    { title: 'last_error', cell: ({ last_error }) => last_error },
  ];
}

// On a terminal with fewer columns, the table leaves out ids and events, because the URL and the last error matter
// more.
const MIN_WIDE_COLUMNS = 110;

function screenColumns(width: number, now: number): readonly ItemColumn<WebhookEndpoint>[] {
  const identity: readonly ItemColumn<WebhookEndpoint>[] = [
    { title: 'id', neverCut: true, cell: ({ id }) => id },
    { title: 'events', cutFirst: true, minWidth: 20, dropOrder: 0, cell: ({ events }) => events.join(',') },
  ];
  return [
    { title: 'status', cell: healthCell },
    { title: 'url', minWidth: width < MIN_WIDE_COLUMNS ? 14 : 30, cell: ({ url }) => urlCell(url) },
    { title: 'fails', align: 'right', cell: ({ consecutive_failures }) => consecutive_failures ?? 0 },
    {
      title: 'last ok',
      dropOrder: 1,
      cell: ({ last_success_at }) => (last_success_at ? timeCell(last_success_at, now) : 'never'),
    },
    { title: 'last error', minWidth: width < MIN_WIDE_COLUMNS ? 12 : 20, cell: (endpoint) => errorCell(endpoint, now) },
    ...(width < MIN_WIDE_COLUMNS ? [] : identity),
  ];
}

function healthCell(endpoint: WebhookEndpoint): Cell {
  const health = healthOf(endpoint);
  return { text: health === 'ok' || health === 'unused' ? health : health.toUpperCase(), tone: toneOf(endpoint) };
}

function errorCell({ last_error, last_failure_at, consecutive_failures }: WebhookEndpoint, now: number): Cell {
  const failedAgo = last_failure_at ? timeAgo(last_failure_at, now) : '';
  const text = [last_error ?? '', failedAgo].filter((part) => part !== '').join(', ');
  return { text, tone: (consecutive_failures ?? 0) > 0 ? undefined : 'dim' };
}

function toneOf(endpoint: WebhookEndpoint): Tone {
  const tones: Readonly<Record<string, Tone>> = {
    failing: (endpoint.consecutive_failures ?? 0) >= LOST_DELIVERY ? 'red' : 'yellow',
    unused: 'dim',
    ok: 'green',
  };
  return ownValue(tones, healthOf(endpoint)) ?? 'yellow';
}

/** A URL without `https://`, because nearly all webhook URLs begin with it. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '');
}

/** The cell with a URL. In a narrow column it keeps the host and the end of the path. */
function urlCell(url: string): Cell {
  const text = shortUrl(url);
  const path = URL.parse(url)?.pathname ?? '';
  const start = text.slice(0, text.indexOf('/', text.indexOf('//') + 2));
  const isDeep = path.lastIndexOf('/') > 0;
  return { text, short: isDeep ? `${start}/…${text.slice(text.lastIndexOf('/'))}` : text, cutMiddle: true };
}

/**
 * The text of `svc webhooks get`: a sentence about the health, then all fields. Without a terminal, only the fields.
 */
export function endpointText(endpoint: WebhookEndpoint, now: number, style: Style): string {
  if (style.columns === undefined) {
    return objectText(endpoint, style);
  }
  const { object: _, ...fields } = endpoint;
  const lines = [
    ...wrapText(endpointSentence(endpoint, now), style.columns).map((line) => applyTone(line, toneOf(endpoint), style)),
    ...nameValueLines(
      Object.entries(fields).map(([name, value]) => [labelOf(name), valueInWords(name, value, now)] as const),
      style,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['consecutive_failures', 'failures in a row'],
  ['last_success_at', 'last success'],
  ['last_failure_at', 'last failure'],
  ['created_at', 'created'],
]);

/** The label of a field. A field that svc doesn't know keeps its name (O6). */
function labelOf(name: string): string {
  return LABELS.get(name) ?? terminalSafe(name.replaceAll('_', ' '));
}

function valueInWords(name: string, value: unknown, now: number): string {
  if (value === null || value === undefined || value === '') {
    return /^last_.*_at$/.test(name) ? 'never' : '–';
  }
  if (typeof value === 'string') {
    return terminalSafe(name.endsWith('_at') ? `${timeAgo(value, now)} (${value})` : value);
  }
  return terminalSafe(Array.isArray(value) ? value.join(', ') : JSON.stringify(value));
}

function endpointSentence(endpoint: WebhookEndpoint, now: number): string {
  const { consecutive_failures: streak, last_error, last_failure_at, last_success_at } = endpoint;
  const health = healthOf(endpoint);
  if ((streak ?? 0) > 0) {
    const failures = streak === 1 ? '1 failure' : `${formatNumber(streak ?? 0)} failures in a row`;
    const last = last_failure_at ? `, the last ${timeAgo(last_failure_at, now)}` : '';
    return terminalSafe(`This endpoint is ${health}: ${failures}${last} (${last_error ?? 'no error given'}).`);
  }
  const used = last_success_at ? `its last delivery succeeded ${timeAgo(last_success_at, now)}` : 'no delivery yet';
  return terminalSafe(`This endpoint is ${health}: ${used}.`);
}
