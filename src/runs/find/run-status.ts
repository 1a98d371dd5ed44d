import type { Journal } from '../store/journal.ts';

/** The note in run.db of an overtaken run: the run that wrote to its audience later. */
export const OVERTAKEN_BY = 'overtaken_by';

/** The run that overtook this one. Undefined if none did (G10). */
export function overtakenBy(journal: Pick<Journal, 'read'>): string | undefined {
  return journal.read(OVERTAKEN_BY) as string | undefined;
}

/**
 * The note in run.db with the number of people to opt out again: they had opted out, and the service may have signed
 * them up. It is 0 once they are read back and opted out (C1).
 */
export const OPEN_OPT_OUTS = 'open_opt_outs';

/** The note in run.db of a run whose list a later version of svc reads differently. Its command starts a new run. */
export const READ_DIFFERENTLY = 'read_differently';

/** The number of people to opt out again; 0 before the first request. */
export function openOptOuts(journal: Pick<Journal, 'read' | 'requests'>): number {
  const people = journal.read(OPEN_OPT_OUTS);
  return typeof people === 'number' && hasSentRequests(journal) ? people : 0;
}

/** True if the run may write without asking again: the user agreed, or it has sent something (M7). */
export function isAgreed(journal: Pick<Journal, 'requests' | 'header'>): boolean {
  return journal.header.agreed === true || hasSentRequests(journal);
}

/** True for the commands that compare and write nothing to the service. Their runs can be repeated at any time. */
export function isCheck(command: string): boolean {
  return command === 'contacts check' || command === 'runs verify';
}

/** True once something was sent, or may have been. Then a resume needs the run's journal. */
export function hasSentRequests({ requests }: Pick<Journal, 'requests'>): boolean {
  return requests.any();
}

/**
 * True if there is nothing to resume. This holds for a refused or busy run that sent nothing, an overtaken run, and a
 * dry run that ended. It also holds for a run that sent everything and then found a difference.
 */
export function isFinished(status: string, journal: Journal): boolean {
  if (journal.header.options.dryRun === true) {
    return status !== 'running';
  }
  if (overtakenBy(journal) !== undefined || journal.read(READ_DIFFERENTLY) === true) {
    return true;
  }
  switch (status) {
    case 'completed':
    case 'partial':
    case 'planned':
      return true;
    case 'refused':
    case 'busy':
      return !hasSentRequests(journal);
    case 'unfinished':
      return hasReadNoInput(journal);
    case 'unverified':
      return journal.state.phase === 'verify' || (journal.state.phase !== 'first_batch' && !hasSentRequests(journal));
    default:
      return false;
  }
}

/** How an ended run continues: by a resume, or by its command from the beginning. */
export type Continuation = 'resume' | 'restart';

// After these statuses, a resume sends the rest, also after a bug. After all others, a resume would end in the same
// way, so the error itself names the next step.
const RESUMABLE: readonly string[] = ['failed', 'stopped', 'later', 'interrupted', 'bug'];

interface EndedRun {
  readonly journal: Journal;
  readonly account: { readonly ephemeral: boolean } | undefined;
}

/** How the run continues. Undefined if it can't, or if its error names the next step (D1). */
export function continuationOf(status: string, { journal, account }: EndedRun): Continuation | undefined {
  if (journal.lost() || !RESUMABLE.includes(status) || isFinished(status, journal)) {
    return undefined;
  }
  // A temporary emulator ends with the command, and holds nothing that a resume could add to.
  return account?.ephemeral !== true && hasSentRequests(journal) ? 'resume' : 'restart';
}

/** True for a run that was killed before it read its inputs. The same command starts again, and nothing is lost. */
function hasReadNoInput(journal: Journal): boolean {
  const { header } = journal;
  const { inputs } = header.options;
  return Array.isArray(inputs) && inputs.length > 0 && header.inputs.length === 0 && !hasSentRequests(journal);
}
