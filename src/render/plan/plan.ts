import { formatNumber, safe } from '../../base/lib/text.ts';
import type { Finding } from '../../import/survey/survey-types.ts';
import type { Plan, RunReport } from '../../migrate/types.ts';
import { pairs, section } from '../text/block.ts';
import type { Style } from '../text/style.ts';
import { columnLines } from './column-map.ts';
import { findingLines } from './findings.ts';
import { inputLines } from './input-lines.ts';
import type { PlanInput } from './plan-input.ts';
import { previewLines } from './preview.ts';
import { skippedLines } from './skipped.ts';
import { writtenLines } from './written-lines.ts';

/** What a plan is shown with. A RunReport is one; `automation` is there when people are enrolled. */
export interface PlanMeta extends Pick<RunReport, 'command' | 'origin' | 'audience' | 'skipped'> {
  readonly inputs: readonly PlanInput[];
  readonly findings: readonly Finding[];
  readonly rows: { readonly read: number; readonly merged: number; readonly rejected: number };
  readonly preview?: RunReport['preview'];
  readonly automation?: { readonly id: string; readonly name: string } | null;
  /** People to enrol, each with a request of their own. */
  readonly enrollments?: number;
}

/** What people read before it happens: where to, from what, what will be written, what will not, what the checks say. */
export function planText(plan: Plan, meta: PlanMeta, style: Style): string {
  const lines = [
    style.bold(`Plan: ${safe(meta.command)}`),
    ...pairs(
      [
        ['to', meta.origin === null ? 'no service: nothing was asked of an account' : safe(meta.origin)],
        ['audience', named(meta.audience)],
        ['automation', named(meta.automation)],
      ],
      style,
    ),
    ...section('From', inputLines(meta.inputs, style), style),
    ...section('Will be written', writtenLines(plan, meta.enrollments ?? plan.enrollments, style), style),
    ...section('Columns', columnLines(plan, meta.inputs, style), style),
    ...section('Custom fields', newFieldLines(plan, style), style),
    ...section('Will not be sent', skippedLines(meta, style), style),
    ...section('First contacts', previewLines(meta.preview ?? [], style), style),
    ...section('Checks', findingLines(meta.findings, style), style),
  ];
  return `${lines.join('\n')}\n`;
}

function named(thing: { readonly id: string; readonly name: string } | null | undefined): string | undefined {
  return thing ? `${safe(thing.name)} (${safe(thing.id)})` : undefined;
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
