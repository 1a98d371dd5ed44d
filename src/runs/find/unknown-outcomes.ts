import { isUnfinished, type RunSummary } from './list-runs.ts';

/**
 * How the user can learn what became of the rows of a run with an unknown outcome, as a sentence with a command.
 * Undefined if no command of svc helps.
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
