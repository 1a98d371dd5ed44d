import type { Journal } from '../store/journal.ts';

/** The name of a note in run.db: the id of the run that overtook this run. */
export const OVERTAKEN_BY_NOTE = 'overtaken_by';

/** The newer run that wrote to the same audience, so that this run can't continue (G10). Undefined if there is none. */
export function overtakenBy(journal: Pick<Journal, 'readNote'>): string | undefined {
  return journal.readNote(OVERTAKEN_BY_NOTE) as string | undefined;
}

/**
 * The name of a note in run.db: true if all people whom the run sends as contacts have opted out. A resume then signs
 * no person up. A run with --only-changed, --full or --gone has no such note.
 */
export const ONLY_OPT_OUTS_NOTE = 'only_opt_outs';

/**
 * The name of a note in run.db: how many opted-out or pending people the service may have signed up. It is 0 once svc
 * has read them back, and opted out those who left (C1).
 */
export const OPEN_OPT_OUTS_NOTE = 'open_opt_outs';

/**
 * The name of a note in run.db: the people whom svc looked up before the plan. A finished run does not have this note
 * any more.
 */
export const LOOKED_UP_NOTE = 'looked_up';

/** The name of the canary's request, and of its record. Both are in run.db. */
export const CANARY_NAME = 'canary';

/** True if the service signed opted-out people up again. A resume then opts them out again (C1). */
export function hasSignedPeopleUp({ readNote }: Pick<Journal, 'readNote'>): boolean {
  return (readNote(CANARY_NAME) as { readonly signedUp?: object } | undefined)?.signedUp !== undefined;
}

/**
 * The name of a note in run.db: the opt-out dates of people whom svc opted out again. The service may have lost these
 * dates, and they are in no list.
 */
export const ROLLED_BACK_DATES_NOTE = 'lost_dates_rolled_back';

/** True if some opt-out dates are only in consent.csv of this run. They prove when people opted out (C2). */
export function keepsLostDates({ readNote }: Pick<Journal, 'readNote'>): boolean {
  return readNote(ROLLED_BACK_DATES_NOTE) !== undefined;
}

/** The command that deletes a run, with --confirm if the deletion needs it. */
export function commandToDelete(journal: Pick<Journal, 'run' | 'readNote' | 'requests'>): string {
  const { run } = journal;
  return `svc runs delete ${run}${isOnlyRecord(journal) ? ` --confirm ${run}` : ''}`;
}

/** True if only the folder of the run records something, such as unknown outcomes. Its deletion needs --confirm. */
export function isOnlyRecord(journal: Pick<Journal, 'readNote' | 'requests'>): boolean {
  return journal.requests.unknownRows() > 0 || countOpenOptOuts(journal) > 0;
}

/**
 * The name of a note in run.db: true if the run can't continue, and the same command starts a new run. Either another
 * version of svc began the run and read the list differently, or people left the audience since (G4).
 */
export const READ_DIFFERENTLY_NOTE = 'read_differently';

/** The number of people whom a resume reads back. 0 before the first request. */
export function countOpenOptOuts(journal: Pick<Journal, 'readNote' | 'requests'>): number {
  const people = journal.readNote(OPEN_OPT_OUTS_NOTE);
  return typeof people === 'number' && hasSentRequests(journal) ? people : 0;
}

/** True if the run may write without asking, because the user agreed or the run has sent something already (M7). */
export function isAgreed(journal: Pick<Journal, 'requests' | 'header'>): boolean {
  return journal.header.agreed === true || hasSentRequests(journal);
}

/** True for a command that only compares. It may be repeated at any time, because it writes nothing to the service. */
export function isComparisonCommand(command: string): boolean {
  return command === 'contacts check' || command === 'runs verify';
}

/** True if the run has sent a request, or may have sent one. */
export function hasSentRequests({ requests }: Pick<Journal, 'requests'>): boolean {
  return requests.hasAny();
}

/**
 * True if there is nothing to resume, for one of these reasons:
 * - The run completed, or it sent everything and then found a difference.
 * - The run was refused, another run had the lock, or svc found a difference, before the run sent anything.
 * - Another run overtook the run, or the run has the note READ_DIFFERENTLY_NOTE.
 * - The run was killed before it read its inputs.
 * - The run is a dry run, and it ended.
 */
export function isFinished(status: string, journal: Journal): boolean {
  if (journal.header.options.dryRun === true) {
    return status !== 'running';
  }
  if (overtakenBy(journal) !== undefined || journal.readNote(READ_DIFFERENTLY_NOTE) === true) {
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

/** How an ended run continues: `svc runs resume`, or its command from the beginning. */
export type Continuation = 'resume' | 'restart';

// Statuses after which a resume can send the rest. After any other status a resume would end in the same way, so the
// error has its own hint.
const RESUMABLE: readonly string[] = ['failed', 'stopped', 'later', 'interrupted', 'bug'];

interface EndedRun {
  readonly journal: Journal;
  readonly account: { readonly isEphemeral: boolean } | undefined;
}

/**
 * How an ended run continues. Undefined if it can't continue, or if its error has its own hint (D1). A run to which the
 * user did not agree begins again, because the same command asks about its plan.
 */
export function continuationOf(status: string, { journal, account }: EndedRun): Continuation | undefined {
  if (journal.problemIfLost() || !RESUMABLE.includes(status) || isFinished(status, journal)) {
    return undefined;
  }
  // A temporary emulator ends with the command, and everything that the run wrote is lost with it.
  return account?.isEphemeral !== true && isAgreed(journal) ? 'resume' : 'restart';
}

/**
 * True for a run that was killed before it read its inputs. It can't be resumed, but the same command starts a new run,
 * so nothing is lost.
 */
function hasReadNoInput(journal: Journal): boolean {
  const { header } = journal;
  const { inputs } = header.options;
  return Array.isArray(inputs) && inputs.length > 0 && header.inputs.length === 0 && !hasSentRequests(journal);
}
