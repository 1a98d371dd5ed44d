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

/** The next steps, numbered. If the report names no `svc runs` command, the status of the run adds one. */
export function nextLines(report: Steps, style: Style): string[] {
  return stepsOf(report).flatMap((step, index) => {
    const first = `  ${index + 1}. `;
    return wrap(safe(step), style.columns, { first, rest: ' '.repeat(first.length) });
  });
}

const LABEL = '  Next: ';
const NARROW = 60;

/** The same with one label before all steps. On a narrow terminal the steps need its room. */
export function briefNextLines(report: Steps, style: Style): string[] {
  const isNarrow = style.columns !== undefined && style.columns < NARROW;
  const first = isNarrow ? '    ' : LABEL;
  const lines = stepsOf(report).flatMap((step, index) => {
    const rest = ' '.repeat(first.length);
    return wrap(safe(step), style.columns, { first: index === 0 ? first : rest, rest });
  });
  return isNarrow && lines.length > 0 ? [LABEL.trimEnd(), ...lines] : lines;
}

function stepsOf(report: Steps): readonly string[] {
  return report.next.some((step) => step.includes('svc runs '))
    ? report.next
    : [...defaultSteps(report), ...report.next];
}

function defaultSteps({ run, origin, status, dry_run, phase, rows, error }: Steps): string[] {
  const { unknown = 0 }: Partial<RunReport['rows']> = rows;
  const unfinished = UNFINISHED.includes(status);
  // A run on a temporary emulator cannot be resumed; a report names a permanent one. If the state is lost, the problem
  // says how to continue.
  if (dry_run || origin?.startsWith('emulator:') || isStateLost(error)) {
    return [];
  }
  if (!sendsRows(phase)) {
    return unfinished ? ['Run the same command again: no row was sent yet.'] : [];
  }
  return unfinished ? [`svc runs resume ${run}`] : unknown > 0 ? [`svc runs resolve ${run}`] : [];
}
