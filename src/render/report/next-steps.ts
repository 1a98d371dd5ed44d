import { safe } from '../../base/lib/text.ts';
import { isStateLost } from '../../base/os/file-identity.ts';
import type { RunReport } from '../../migrate/types.ts';
import type { Style } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';
import { sendsRows } from './headline.ts';

type Steps = Pick<RunReport, 'run' | 'origin' | 'status' | 'dry_run' | 'phase' | 'next' | 'error'> & {
  readonly rows: object;
};

const UNFINISHED: readonly string[] = ['interrupted', 'failed', 'later', 'stopped', 'bug'];

/** What to do next, numbered. A report that names no `svc runs` line itself gets the one that its ending asks for. */
export function nextLines(report: Steps, style: Style): string[] {
  const steps = report.next.some((step) => step.includes('svc runs '))
    ? report.next
    : [...defaultSteps(report), ...report.next];
  return steps.flatMap((step, index) => {
    const first = `  ${index + 1}. `;
    return wrap(safe(step), style.columns, { first, rest: ' '.repeat(first.length) });
  });
}

function defaultSteps({ run, origin, status, dry_run, phase, rows, error }: Steps): string[] {
  const { unknown = 0 }: Partial<RunReport['rows']> = rows;
  const unfinished = UNFINISHED.includes(status);
  // An emulator that lives and dies with its command leaves nothing to go on with; one that stays is named by the report.
  // The problem itself says how a run can go on whose files are gone.
  if (dry_run || origin?.startsWith('emulator:') || isStateLost(error)) {
    return [];
  }
  if (!sendsRows(phase)) {
    return unfinished ? ['Run the same command again: no row was sent yet.'] : [];
  }
  return unfinished ? [`svc runs resume ${run}`] : unknown > 0 ? [`svc runs resolve ${run}`] : [];
}
