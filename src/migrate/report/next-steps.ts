import { sumOf } from '../../base/lib/rows.ts';
import { joinAtMost, plural, shellFile, shellFlag } from '../../base/lib/text.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { Continuation } from '../../runs/find/run-status.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import { SAME_NAME_CODE } from '../audience/same-name.ts';
import { MAX_FAILURES_CODE } from '../checks/failures.ts';
import { commandToCompare } from '../compare/command-to-compare.ts';
import type { ImportOptions } from '../run-data/options.ts';
import type { OutcomeCounts, RunStatus } from '../run-data/run-report.ts';

/** How a run ended, as far as the next steps depend on it. */
interface Situation {
  readonly run: string;
  readonly status: RunStatus;
  readonly code: string | undefined;
  readonly options: Pick<ImportOptions, 'dryRun'>;
  readonly header: RunHeader;
  /**
   * True if only the folder of the run records something, such as whom it enrolled. Its deletion then needs --confirm.
   */
  readonly isRecord: boolean;
  readonly rows: OutcomeCounts;
  readonly rejects: readonly string[];
  readonly continuation: Continuation | undefined;
  /** The number of checks that a dry run skipped, because it could not read the account. */
  readonly unchecked: number;
}

interface ImportSituation extends Situation {
  readonly options: ImportOptions;
  readonly survey: Survey;
  /** True if this process continued a run that an earlier process began. */
  readonly resumed: boolean;
}

/** What to do after an import, as lines to read or commands to type. */
export function nextSteps(situation: ImportSituation): string[] {
  const { options, status, code, rows, survey } = situation;
  if (rows.read === 0 && (status === 'completed' || status === 'planned')) {
    return [];
  }
  const mayHaveWritten = status === 'completed' || status === 'partial';
  const hasContacts = survey.contacts > 0 && options.command !== 'suppressions import';
  return [
    ...(mayHaveWritten ? unreadSteps(survey) : []),
    ...commonNextSteps(situation),
    ...(status === 'unverified' && code === undefined ? (hasContacts ? differenceSteps(situation) : [SEND_AGAIN]) : []),
    ...(mayHaveWritten && hasContacts ? sendingSteps(survey) : []),
  ];
}

/**
 * The steps after any run: resume it, and correct rejected rows. If a resume is impossible, `instead` has other steps.
 */
export function commonNextSteps(situation: Situation, instead: readonly string[] = []): string[] {
  const { options, status, code, rows, rejects, run, continuation } = situation;
  if (options.dryRun) {
    return status === 'planned' ? [dryRunStep(situation)] : [];
  }
  const resume = code === MAX_FAILURES_CODE ? OVER_LIMIT : `svc runs resume ${run}`;
  const bad = rows.rejected + rows.failed;
  return [
    ...(continuation === 'resume' ? [resume] : instead),
    ...(continuation === 'resume' && code === 'not_found' ? [otherDestinationStep(situation)] : []),
    ...(continuation === 'restart' ? [code === SAME_NAME_CODE ? CHOOSE_AUDIENCE : START_AGAIN] : []),
    ...(bad > 0 && rejects.length > 0 ? [correctionStep(bad, rejects)] : []),
  ];
}

const START_AGAIN = 'Run the same command again. It starts from the beginning.';
// svc prints this in place of the same command, which would find several audiences of this name and stop.
const CHOOSE_AUDIENCE = 'Choose one of the audiences of this name. The error shows the commands.';

function dryRunStep({ unchecked }: Pick<Situation, 'unchecked'>): string {
  return unchecked === 0
    ? 'Nothing was sent. The same command without --dry-run goes ahead.'
    : `Nothing was sent. ${plural(unchecked, 'check of the account was', 'checks of the account were')} not made, so the same command without --dry-run may still stop.`;
}

/** Warns about opt-out rows whose address svc could not read. The people of these rows may still get mail. */
function unreadSteps({ unread = [], contacts, unsubscribed }: Survey): readonly string[] {
  const total = sumOf(unread.map((input) => input.unread));
  const nameList = joinAtMost(
    unread.map(({ name }) => name),
    3,
  );
  return total === 0 || contacts === unsubscribed
    ? []
    : [
        `Before you mail: ${plural(total, 'rejected row')} of ${nameList} ${total === 1 ? 'is' : 'are'} about people who opted out. They may still get mail.`,
      ];
}

const SEND_AGAIN = 'The same command sends the suppressions once more, and compares again.';

/**
 * The steps after a verification that found a difference: `runs verify`, because the verification read only a sample. A
 * resumed run sent only the rest of the list, and another machine may have replaced what the run sent before. So a
 * further step is the same command, which starts a new run of the whole list.
 */
function differenceSteps({ header, resumed }: ImportSituation): string[] {
  const compare = `Compare the whole list with the audience: ${commandToCompare(header)}`;
  return resumed ? [compare, WRITE_AGAIN] : [compare];
}

const WRITE_AGAIN =
  'If another program changed these people before the resume, and this list is newer: the same command writes the whole list again.';

/**
 * The step for a run whose audience or automation was not found. If it was deleted, a resume can't succeed. If the API
 * key was of another account, a resume with the right key succeeds. So this step comes after the step to resume.
 */
export function otherDestinationStep({ header, isRecord }: Pick<Situation, 'header' | 'isRecord'>): string {
  const { run, command, options, inputs, destination } = header;
  const { create, name = destination?.name ?? '' } = (options as unknown as Partial<ImportOptions>).target ?? {};
  if (!create) {
    return `If the destination was deleted, give the list to the same command with another destination. Then: svc runs delete ${run}${isRecord ? ` --confirm ${run}` : ''}`;
  }
  const list = inputs.map(({ path }) => shellFile(path));
  const again = ['svc', command, ...list, shellFlag('--audience-name', name), '--create-audience'].join(' ');
  return `If the audience was deleted, create it again and send the whole list: ${again}, with the further flags of the first command. Then: svc runs delete ${run} --confirm ${run}`;
}

function correctionStep(rows: number, rejects: readonly string[]): string {
  return `Correct ${plural(rows, 'row')} in ${rejects.map(shellFile).join(', ')} and give the file to the same command.`;
}

/** A resume would reach --max-failures again, so the user must type the command with a higher limit. */
const OVER_LIMIT = 'The same command with a higher --max-failures continues this run.';

/** What the service document advises for the first emails after a migration. */
function sendingSteps(survey: Survey): string[] {
  const engaged = survey.engagement[0];
  return [
    'Verify the sending domain in the app before the first campaign.',
    engaged === undefined
      ? 'Send to the most engaged people first.'
      : `Send to the most engaged people first: the list tells them apart by "${engaged}".`,
  ];
}
