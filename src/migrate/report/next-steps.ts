import { EXIT } from '../../base/lib/exit.ts';
import { plural } from '../../base/lib/text.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import { MAX_FAILURES } from '../checks/failures.ts';
import type { ImportOptions } from '../options.ts';
import type { RowCounts } from '../types.ts';

interface Situation {
  readonly run: string;
  readonly exit: number;
  /** Code of the problem that ended the run. */
  readonly code: string | undefined;
  readonly options: ImportOptions;
  readonly survey: Survey;
  readonly rows: RowCounts;
  readonly rejects: readonly string[];
  /** False where the service lives and dies with the command. */
  readonly resumable: boolean;
}

/** Endings after which a run can go on. */
export const RESUMABLE: readonly number[] = [
  EXIT.failed,
  EXIT.auth,
  EXIT.stopped,
  EXIT.later,
  EXIT.hangup,
  EXIT.interrupted,
  EXIT.terminated,
];

/** What to do after this run, as lines that can be read or typed. */
export function nextSteps(situation: Situation): string[] {
  const { options, exit, rows, rejects, run, survey } = situation;
  if (rows.read === 0 && exit === EXIT.ok) {
    return [];
  }
  if (options.dryRun) {
    return exit === EXIT.ok ? ['Nothing was sent. The same command without --dry-run goes ahead.'] : [];
  }
  const steps: string[] = [];
  if (RESUMABLE.includes(exit) && situation.resumable) {
    steps.push(situation.code === MAX_FAILURES ? overLimit(run) : `svc runs resume ${run}`);
  }
  if (rows.rejected + rows.failed > 0 && rejects.length > 0) {
    steps.push(mendStep(rows.rejected + rows.failed, rejects));
  }
  const wrote = exit === EXIT.ok || exit === EXIT.partial;
  const mails = wrote && survey.contacts > 0 && options.command !== 'suppressions import';
  return mails ? [...steps, ...sendingSteps(survey)] : steps;
}

/** How rows that were rejected or failed get in after all. */
export function mendStep(rows: number, rejects: readonly string[]): string {
  return `Mend ${plural(rows, 'row')} in ${rejects.join(', ')} and give the file to the same command.`;
}

/** A resume would meet the limit again: what is sent is decided by the command, whose new run writes nothing twice. */
export function overLimit(run: string): string {
  return `The same command with a higher --max-failures goes on with the rest. Then: svc runs delete ${run} --confirm ${run}`;
}

/** The service document's own advice for the first sends after a migration. */
function sendingSteps(survey: Survey): string[] {
  const engaged = survey.engagement[0];
  return [
    'Verify the sending domain in the app before the first campaign.',
    engaged === undefined
      ? 'Send to the most engaged people first.'
      : `Send to the most engaged people first: the list tells them apart by "${engaged}".`,
  ];
}
