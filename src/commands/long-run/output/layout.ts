import { EXIT } from '../../../base/lib/exit.ts';
import type { OutcomeCounts, RunReport } from '../../../migrate/types.ts';
import { isStoppedByCheck } from '../../../render/report/headline.ts';

export interface LayoutInputs {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly details: boolean;
  readonly stdoutIsTTY: boolean;
  readonly stderrIsTTY: boolean;
}

/** How much is shown before the question. Without a terminal, the log and the report hold the plan. */
type PlanPart = 'full' | 'short' | 'warning' | 'nothing';

export function planPartOf({ json, quiet, details, stderrIsTTY }: LayoutInputs): PlanPart {
  if (json || quiet) {
    return 'nothing';
  }
  return details ? 'full' : stderrIsTTY ? 'short' : 'warning';
}

/** How a run ended. `empty`: well, but the list has no rows, which is usually a mistake of the export. */
type End = 'done' | 'empty' | 'failed' | 'refused by a check';

export function endOf(report: RunReport<OutcomeCounts>): End {
  if (report.exit_code !== EXIT.ok) {
    return report.exit_code === EXIT.refused && isStoppedByCheck(report) ? 'refused by a check' : 'failed';
  }
  return report.rows.read === 0 ? 'empty' : 'done';
}

/** A text at the end of a run. `line`: the one line for cron. `stops`: why the checks refused. */
export type ResultPart = 'json' | 'page' | 'plan' | 'line' | 'stops' | 'input changed';

export interface Layout {
  /** In the order of writing. */
  readonly parts: readonly (readonly ['stdout' | 'stderr', ResultPart])[];
  /**
   * What stderr shows of the problem after the parts. `rest`: what the page does not say. `shown`: nothing, because the
   * list of stops says it.
   */
  readonly problem: 'whole' | 'rest' | 'shown';
}

const LINE = ['stdout', 'line'] as const;

/** Without a terminal stdout gets one line, and stderr gets what needs an explanation. */
export function layoutOf(inputs: LayoutInputs, end: End, dryRun: boolean): Layout {
  const { json, quiet, details, stdoutIsTTY, stderrIsTTY } = inputs;
  if (json) {
    return { parts: [['stdout', 'json']], problem: 'whole' };
  }
  if (end === 'refused by a check') {
    const plan = dryRun ? [['stdout', 'plan'] as const] : [];
    return { parts: [...plan, ['stderr', 'stops'], ...(stdoutIsTTY ? [] : [LINE])], problem: 'shown' };
  }
  if (quiet && end !== 'failed') {
    return { parts: [['stderr', 'input changed']], problem: 'whole' };
  }
  if (stdoutIsTTY) {
    return { parts: [['stdout', 'page']], problem: stderrIsTTY && !details ? 'rest' : 'whole' };
  }
  if (end !== 'done') {
    return { parts: [['stderr', 'page'], LINE], problem: 'rest' };
  }
  return { parts: details || dryRun ? [['stdout', 'page'], LINE] : [LINE], problem: 'rest' };
}
