import { safe } from '../base/text.ts';
import type { RunReport } from '../migrate/types.ts';
import { sendsRows } from './headline.ts';
import type { Style } from './style.ts';
import { wrap } from './wrap.ts';

type Steps = Pick<RunReport, 'run' | 'status' | 'dry_run' | 'phase' | 'next'> & { readonly rows: object };

const UNFINISHED: readonly string[] = ['interrupted', 'failed', 'later', 'stopped', 'bug'];

/** What to do next, numbered; for a run that is not finished the line that goes on with it, unless it is there already. */
export function nextLines(report: Steps, style: Style): string[] {
  const steps = [...report.next, ...ownSteps(report).filter((step) => !mentioned(step, report.next))];
  return steps.flatMap((step, at) => {
    const first = `  ${at + 1}. `;
    return wrap(safe(step), style.columns, { first, rest: ' '.repeat(first.length) });
  });
}

function ownSteps({ run, status, dry_run, phase, rows }: Steps): string[] {
  const { unknown = 0 }: Partial<RunReport['rows']> = rows;
  if (dry_run || !sendsRows(phase)) {
    return dry_run || !UNFINISHED.includes(status) ? [] : ['Run the same command again: nothing was sent yet.'];
  }
  return [
    ...(UNFINISHED.includes(status) ? [`svc runs resume ${run}`] : []),
    ...(unknown > 0 && !UNFINISHED.includes(status) ? [`svc runs resolve ${run}`] : []),
  ];
}

function mentioned(step: string, next: readonly string[]): boolean {
  const verb = step.split(' ').slice(0, 3).join(' ');
  return next.some((line) => line.includes(verb));
}
