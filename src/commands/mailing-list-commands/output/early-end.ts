import type { Context } from '../../../base/context.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { ENROLL_COMMAND } from '../../../enroll/draft/enroll-options.ts';
import { addRecordedOutcomes } from '../../../enroll/end/counts.ts';
import { jsonText } from '../../../render/text/object.ts';
import { addRecordedCounts, type ListedRows } from '../../../run-lifecycle/data/row-counts.ts';
import type { RunAccount } from '../../../run-lifecycle/data/run-context.ts';
import { captureProblem } from '../../../run-lifecycle/end/end-run.ts';
import { reportOfEarlyEnd } from '../../../run-lifecycle/end/recorded-plan.ts';
import { NO_REQUESTS } from '../../../run-lifecycle/end/shared-end.ts';
import type { Journal } from '../../../runs/store/journal.ts';
import { readRun } from '../../../runs/store/open-journal.ts';
import { resolveStateFolder, type Settings } from '../../framework/settings/settings.ts';
import { withPasteableReport } from './result-parts.ts';

interface StoppedCommand {
  readonly settings: Settings;
  readonly context: Context;
  readonly argv: readonly string[];
}

/** The run and the account that the command had opened when it stopped. Undefined if it had not opened them yet. */
interface StopPlace {
  readonly run: string | undefined;
  readonly account: RunAccount | undefined;
}

/**
 * With --json, prints the report of a run if `error` ends the command before the command has made its own report.
 * Prints nothing if the run has no plan, or if its records can't be read.
 */
export async function printEarlyEnd(
  { settings, context, argv }: StoppedCommand,
  { run, account }: StopPlace,
  error: unknown,
): Promise<void> {
  const problem = await captureProblem(context.signal, () => Promise.reject(error));
  if (run === undefined || !problem || !settings.output.json) {
    return;
  }
  const requests = account?.client.stats() ?? NO_REQUESTS;
  const read = (journal: Journal) =>
    reportOfEarlyEnd(journal, {
      problem,
      account,
      requests,
      now: context.clock.now(),
      countRows: (listed) => countRows(journal, listed),
    });
  const report = readIfPossible(() => readRun(resolveStateFolder(context, settings), run, read));
  if (report) {
    context.stdout.write(jsonText(withPasteableReport(report, { argv, context }), 2));
  }
}

function countRows(journal: Journal, listed: ListedRows) {
  const counts = journal.counts();
  return journal.header.command === ENROLL_COMMAND
    ? addRecordedOutcomes(listed, { counts, enrollments: journal.counts('enrollment') })
    : addRecordedCounts(listed, counts);
}

/** Undefined if the records can't be read. That error is not shown: the error that ended the command matters more. */
function readIfPossible<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SvcError) {
      return undefined;
    }
    throw error;
  }
}
