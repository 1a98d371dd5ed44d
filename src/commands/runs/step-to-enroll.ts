import { joinAtMost, shellFile, shellFlag, shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { EnrollOptions } from '../../enroll/draft/enroll-options.ts';
import type { RecordedCommand } from '../../runs/find/overtaken.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';

/** The number of people whom one printed command names at most. */
const MOST_NAMED = 5;

/** The command of a run, and the path of its outcomes.csv. */
interface EnrollmentRun {
  readonly recorded: RecordedCommand;
  readonly outcomesCsv: string;
}

/**
 * How to enroll people who were not enrolled, as text. Empty if there are none. It is the command of the run, unless
 * this command would also enroll others: because its list has changed (D5), or because --reenroll enrolls all people of
 * the list again (M5). Then it is a command that names each person, or a sentence if there are many.
 */
export function stepToEnroll(
  people: readonly string[],
  { options }: RunHeader,
  { recorded, outcomesCsv }: EnrollmentRun,
): string {
  if (people.length === 0) {
    return '';
  }
  // The cast is safe, because `runs resolve` takes only enrollments.
  const enrollment = options as unknown as EnrollOptions;
  const { changes, command } = recorded;
  if (changes.length === 0 && !enrollment.reenroll) {
    return command === undefined
      ? 'To enroll the people who were not enrolled, run the command of this run again.\n'
      : `To enroll the people who were not enrolled:\n${command}\n`;
  }
  const [why, when] = changes.length > 0 ? [changes.join(' '), IF_STILL_WANTED] : [ALL_AGAIN, ONLY_THEM];
  if (people.length <= MOST_NAMED) {
    return `${why}\n${when}\n${commandForPeople(people, enrollment)}\n`;
  }
  const names = joinAtMost(people.map(terminalSafe), 20);
  return `${why}\nNot enrolled: ${names}. To enroll them, make a list of only these people. ${shellFile(outcomesCsv)} has them as unsent.\n`;
}

// The list as it is now may name these people as opted out, and a command with --email would not see that.
const IF_STILL_WANTED = 'Only if the people who were not enrolled still want the mails:';
const ONLY_THEM = 'To enroll only the people who were not enrolled:';
const ALL_AGAIN = 'The command of this run has --reenroll: it would enroll all people of its list again.';

function commandForPeople(
  people: readonly string[],
  { automationId, atMostOnce, reenroll, allowAutomations }: EnrollOptions,
): string {
  return [
    'svc automations enroll',
    shellWord(automationId),
    ...people.map((email) => shellFlag('--email', email)),
    ...allowAutomations.map((id) => shellFlag('--allow-automation', id)),
    ...(atMostOnce ? ['--at-most-once'] : []),
    ...(reenroll ? ['--reenroll'] : []),
    '--yes',
  ].join(' ');
}
