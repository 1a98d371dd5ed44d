import { plural, shellFile, shellFlag } from '../../base/lib/text.ts';
import type { Continuation } from '../../runs/find/run-status.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import type { ImportOptions } from '../data/run-options.ts';
import type { OutcomeCounts, RunStatus } from '../data/run-report.ts';

/** The error code of a run that --max-failures stopped. */
export const MAX_FAILURES_CODE = 'max_failures';

/** The error code if other audiences have the same name as the audience that this run created. */
export const SAME_NAME_CODE = 'same_name';

/** How a run ended, as far as the next steps depend on it. */
export interface EndSituation {
  readonly run: string;
  readonly status: RunStatus;
  readonly code: string | undefined;
  readonly options: Pick<ImportOptions, 'dryRun'>;
  readonly header: RunHeader;
  /**
   * True if the folder of the run is the only record of something, such as unknown outcomes. Its deletion then needs
   * --confirm.
   */
  readonly isRecord: boolean;
  readonly rows: OutcomeCounts;
  readonly rejects: readonly string[];
  readonly continuation: Continuation | undefined;
  /** The number of checks that a dry run skipped, because it could not read the account. */
  readonly unchecked: number;
}

/**
 * The steps after any run: resume it, and correct rejected rows. If a resume is impossible, `instead` has other steps.
 */
export function commonNextSteps(situation: EndSituation, instead: readonly string[] = []): string[] {
  const { options, status, code, rows, rejects, run, continuation } = situation;
  if (options.dryRun) {
    return status === 'planned' ? [dryRunStep(situation)] : [];
  }
  const resume = code === MAX_FAILURES_CODE ? OVER_LIMIT : `svc runs resume ${run}`;
  const bad = rows.rejected + rows.failed;
  return [
    ...(continuation === 'resume' ? [code === SAME_NAME_CODE ? CHOOSE_AUDIENCE : resume] : instead),
    ...(continuation === 'resume' && code === 'not_found' ? [otherDestinationStep(situation)] : []),
    ...(continuation === 'restart' ? [START_AGAIN] : []),
    ...(bad > 0 && rejects.length > 0 ? [correctionStep(bad, rejects)] : []),
  ];
}

const START_AGAIN = 'Run the same command again. It starts from the beginning.';
// svc prints this instead of the command to resume. A resume sends to the new audience, but the user must choose first.
const CHOOSE_AUDIENCE = 'Choose one of the audiences of this name. The error shows the commands.';

function dryRunStep({ unchecked }: Pick<EndSituation, 'unchecked'>): string {
  return unchecked === 0
    ? 'Nothing was sent. The same command without --dry-run goes ahead.'
    : `Nothing was sent. ${plural(unchecked, 'check of the account was', 'checks of the account were')} not made, so the same command without --dry-run may still stop.`;
}

/**
 * The step for a run whose audience or automation was not found. If it was deleted, a resume can't succeed. If the API
 * key was of another account, a resume with the right key succeeds. So this step comes after the step to resume.
 */
export function otherDestinationStep({ header, isRecord }: Pick<EndSituation, 'header' | 'isRecord'>): string {
  const { run, command, options, inputs, destination } = header;
  const { create, name = destination?.name ?? '' } = (options as unknown as Partial<ImportOptions>).target ?? {};
  if (!create) {
    return `If the destination was deleted, give the list to the same command with another destination. Then: svc runs delete ${run}${isRecord ? ` --confirm ${run}` : ''}`;
  }
  const list = inputs.map(({ path }) => shellFile(path));
  const again = ['svc', command, ...list, shellFlag('--audience-name', name), '--create-audience'].join(' ');
  return `If the audience was deleted, create it again and send the whole list: ${again}, with the further flags of the first command. Then: svc runs delete ${run} --confirm ${run}`;
}

// The paths are separated by blanks, so that all of them can be pasted into the command at once.
function correctionStep(rows: number, rejects: readonly string[]): string {
  const files = rejects.length === 1 ? 'file' : 'files';
  return `Correct ${plural(rows, 'row')} in ${rejects.map(shellFile).join(' ')} and give the ${files} to the same command.`;
}

/** A resume would reach --max-failures again, so the user must type the command with a higher limit. */
const OVER_LIMIT = 'The same command with a higher --max-failures continues this run.';
