import type { Context } from '../../../base/context.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT } from '../../../base/lib/exit.ts';
import { commandsFor } from '../../../migrate/plan/whole-commands.ts';
import type { OutcomeCounts, RunReport } from '../../../migrate/types.ts';
import { stopText } from '../../../render/plan/stop.ts';
import { reportText } from '../../../render/report/report.ts';
import { styleOf } from '../../../render/text/style.ts';
import { lineWithFlags, programName } from '../../framework/invocation.ts';
import type { Settings } from '../../framework/settings/settings.ts';

interface Refused {
  readonly settings: Settings;
  readonly context: Context;
  /** The words after `svc`, as typed. */
  readonly line: readonly string[];
}

/** True if checks refused the plan before anything was sent. */
export function isRefusedByCheck({ exit_code, findings, error }: RunReport<OutcomeCounts>): boolean {
  return exit_code === EXIT.refused && findings.some(({ level, check }) => level === 'stop' && check === error?.code);
}

/** Shows the stops once, on stderr. The plan of a dry run goes to stdout without them. Returns the problem to throw. */
export function showStops({ settings, context, line }: Refused, report: RunReport<OutcomeCounts>): SvcError {
  const { stdout, stderr } = settings.output.color;
  const { error, ...rest } = report;
  const stops = report.findings.filter(({ level }) => level === 'stop');
  if (report.dry_run) {
    const findings = report.findings.filter(({ level }) => level !== 'stop');
    context.stdout.write(reportText({ ...rest, findings }, styleOf(context.stdout, stdout)));
  }
  const answers = commandsFor(stops, (flags) => lineWithFlags(flags, line, programName(context)));
  context.stderr.write(stopText({ stops, answers }, styleOf(context.stderr, stderr)));
  return new SvcError(EXIT.refused, error?.code ?? 'refused', error?.message ?? '', { shown: true });
}
