import { EXIT, SvcError, withoutFlags } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';
import { isUnfinished } from './list-runs.ts';
import type { RunSummary } from './summarize-run.ts';

/**
 * The hint to use a run at the service where it began. `purpose` says what for. Undefined for a run that began at an
 * emulator of svc.
 */
export function hintForOrigin(origin: string, purpose = 'To continue'): string | undefined {
  const replaced = withoutFlags(['--base-url', '--emulator', '--emulator-data']);
  return /^https?:/.test(origin)
    ? `${purpose} where it was begun, with a key of the same account:\n${replaced} with --base-url ${shellWord(origin)}`
    : undefined;
}

/** The command that resumes a run, with the base URL where it began. */
export function commandToResumeAt({ run, origin }: Pick<RunSummary, 'run' | 'origin'>): string {
  return `svc runs resume ${run} --base-url ${shellWord(origin)}`;
}

/** True if two origins may be names of one service. An emulator inside a command is a service of its own. */
export function mayBeSameService(one: string, other: string): boolean {
  return one === other || ![one, other].some((origin) => origin.startsWith('emulator:'));
}

/**
 * How the user can find out what happened to rows with an unknown outcome: a sentence with a command. Undefined if no
 * command of svc helps.
 */
export function stepForUnknown(summary: RunSummary): string | undefined {
  const { run, command, unknown } = summary;
  if (unknown === 0) {
    return undefined;
  }
  if (isUnfinished(summary)) {
    return `To continue the run, which may find the outcome: svc runs resume ${run}`;
  }
  return command === 'automations enroll'
    ? `To record who was enrolled, after you looked in the app: svc runs resolve ${run}`
    : undefined;
}

// The statuses of a run that ended by itself. A run with another status has people to send. If it can't continue, the
// same command begins a new run.
const ENDED: readonly string[] = ['completed', 'partial', 'planned', 'refused', 'busy', 'unverified'];

/** Throws if the run is finished, or can't continue for another reason. */
export function refuseFinished(summary: RunSummary): void {
  const { run, finished, status } = summary;
  if (finished !== true) {
    return;
  }
  if (!ENDED.includes(status)) {
    throw new SvcError(EXIT.usage, 'not_resumable', `${run} can't be resumed`, {
      hint: 'Run the command of this run again. It begins a new run.',
    });
  }
  throw new SvcError(EXIT.usage, 'finished', `${run} is finished: there is nothing to continue`, {
    hint: stepForUnknown(summary) ?? `svc runs show ${run}`,
  });
}
