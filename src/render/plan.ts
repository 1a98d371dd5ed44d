import { formatDuration } from '../base/duration.ts';
import { formatNumber, plural, safe } from '../base/text.ts';
import type { Finding } from '../import/types.ts';
import type { Plan, RunReport } from '../migrate/types.ts';
import { pairs, section } from './block.ts';
import { columnLines } from './column-map.ts';
import { findingLines } from './findings.ts';
import { inputLines } from './input-lines.ts';
import type { PlanInput } from './plan-input.ts';
import { previewLines } from './preview.ts';
import { skippedLines } from './skipped.ts';
import type { Style } from './style.ts';

/** What a plan is shown with. A RunReport is one; `automation` is there when people are enrolled. */
export interface PlanMeta extends Pick<RunReport, 'command' | 'origin' | 'audience' | 'skipped'> {
  readonly inputs: readonly PlanInput[];
  readonly findings: readonly Finding[];
  readonly rows: { readonly read: number; readonly merged: number; readonly rejected: number };
  readonly preview?: RunReport['preview'];
}

/** What people read before it happens: where to, from what, what will be written, what will not, what the checks say. */
export function planText(plan: Plan, meta: PlanMeta, style: Style): string {
  const lines = [
    style.bold(`Plan: ${safe(meta.command)}`),
    ...pairs(
      [
        ['to', meta.origin === null ? 'no service: nothing was asked of an account' : safe(meta.origin)],
        ['audience', meta.audience ? `${safe(meta.audience.name)} (${safe(meta.audience.id)})` : undefined],
      ],
      style,
    ),
    ...section('From', inputLines(meta.inputs, style), style),
    ...section('Will be written', writtenLines(plan, style), style),
    ...section('Columns', columnLines(plan, meta.inputs, style), style),
    ...section('Custom fields', newFieldLines(plan, style), style),
    ...section('Will not be sent', skippedLines(meta, style), style),
    ...section('First contacts', previewLines(meta.preview ?? [], style), style),
    ...section('Checks', findingLines(meta.findings, style), style),
  ];
  return `${lines.join('\n')}\n`;
}

function writtenLines(plan: Plan, style: Style): string[] {
  const suppressions = Object.entries(plan.suppressions).filter(([, count]) => count > 0);
  const dated = plan.contacts > 0 ? "a contact begins today: created_at can't be kept" : undefined;
  const unsubscribed = plan.unsubscribed > 0 ? `, ${formatNumber(plan.unsubscribed)} of them as unsubscribed` : '';
  return pairs(
    [
      ...suppressions.map(([reason, count]) => [safe(reason), `${plural(count, 'suppression')}`] as const),
      [
        '',
        suppressions.length > 0
          ? "suppressions hold for the whole account and can't be undone over this API"
          : undefined,
      ],
      ['contacts', `${formatNumber(plan.contacts)}${unsubscribed}`],
      ['', dated],
      [
        'requests',
        `${formatNumber(plan.requests)}, ${plural(plan.batches, 'batch')}, about ${formatDuration(plan.estimated_seconds * 1000)}`,
      ],
    ],
    style,
  );
}

function newFieldLines(plan: Plan, style: Style): string[] {
  const count = plan.new_fields.length;
  return count === 0
    ? []
    : pairs(
        [
          ['new, at most', `${formatNumber(count)}: ${plan.new_fields.map(safe).join(', ')}`],
          ['', 'a custom field is there for good'],
        ],
        style,
      );
}
