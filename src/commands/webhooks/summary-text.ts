import { formatNumber, plural, safe } from '../../base/lib/text.ts';
import { timeCell } from '../../render/table/cell.ts';
import { table } from '../../render/table/table.ts';
import type { Style } from '../../render/text/style.ts';
import type { DeliverySummary } from './summary.ts';

/** The summary for people: groups, what is soon forgotten, and the ids to resend in the app, because the API can't. */
export function summaryText(summary: DeliverySummary, now: number, style: Style): string {
  if (summary.deliveries === 0) {
    return style.columns === undefined ? '' : 'No deliveries.\n';
  }
  const groups = groupsTable(summary, now, style);
  return style.columns === undefined ? groups : `${groups}${foot(summary, now, style)}`;
}

function groupsTable({ groups }: DeliverySummary, now: number, style: Style): string {
  return table(
    [
      { title: 'count', align: 'right' },
      { title: 'status' },
      { title: 'event', least: 19 },
      { title: 'answer', align: 'right', drops: 3 },
      { title: 'error' },
      { title: 'left < 3 d', align: 'right' },
      { title: 'oldest', drops: 2 },
      { title: 'newest', drops: 1 },
    ],
    groups.map((group) => [
      { text: formatNumber(group.count), raw: group.count },
      { text: group.status, tone: group.status === 'failed' ? ('red' as const) : undefined },
      group.event_type,
      group.response_status,
      group.error,
      { text: String(group.expiring), tone: group.expiring > 0 ? ('yellow' as const) : ('dim' as const) },
      timeCell(group.oldest_at, now),
      timeCell(group.newest_at, now),
    ]),
    style,
  );
}

const SHOWN_AT_MOST = 20;

function foot({ endpoint_id, resend, expiring, deliveries }: DeliverySummary, now: number, style: Style): string {
  const soon = expiring > 0 ? `, ${formatNumber(expiring)} with under 3 days left of their 30` : '';
  const head = `\n${plural(deliveries, 'delivery')}${soon}.\n`;
  if (resend.length === 0) {
    return head;
  }
  const rows = resend
    .slice(0, SHOWN_AT_MOST)
    .map(({ id, event_id, expires_at }) => [id, event_id, timeCell(expires_at, now)]);
  const columns = [
    { title: 'to resend in the app', whole: true },
    { title: 'event', whole: true },
    { title: 'forgotten' },
  ];
  const why = `${plural(resend.length, 'delivery')} failed for good. The API can't send ${resend.length === 1 ? 'it' : 'them'} again; the app can:`;
  const more = resend.length - rows.length;
  const all = `svc webhooks deliveries ${safe(endpoint_id)} --summary --json`;
  const rest = more > 0 ? `and ${formatNumber(more)} more, which are kept longer. All of them:\n  ${all}\n` : '';
  return `${head}${safe(why)}\n${table(columns, rows, style)}${rest}`;
}
