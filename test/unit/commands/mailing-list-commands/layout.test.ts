import { expect, test } from 'vitest';
import {
  type LayoutInputs,
  outputLayoutOf,
  shownPlanOf,
} from '../../../../src/commands/mailing-list-commands/output/result-parts.ts';

/** Reads the terminals and flags of a case: `stdout` and `stderr` are terminals if they are named. */
function inputsOf(words: string): LayoutInputs {
  const has = (word: string) => words.split(' ').includes(word);
  const terminals = { stdoutIsTTY: has('stdout'), stderrIsTTY: has('stderr') };
  return { json: has('--json'), quiet: has('--quiet'), details: has('--details'), ...terminals };
}

test.each([
  ['', 'warning'],
  ['stdout', 'warning'],
  ['stderr', 'short'],
  ['stdout stderr', 'short'],
  ['--details', 'full'],
  ['stderr --details', 'full'],
  ['stderr --quiet', 'nothing'],
  ['stderr --json', 'nothing'],
  ['stderr --json --details', 'nothing'],
] as const)('chooses how much of the plan to show for terminals and flags "%s": %s', (words, part) => {
  expect(shownPlanOf(inputsOf(words))).toBe(part);
});

const LINE = 'stdout: line';
const PAGE = 'stdout: page';

test.each([
  // svc has no terminal, as in a script or in cron.
  ['done', '', [LINE], 'rest'],
  ['done', '--details', [PAGE, LINE], 'rest'],
  ['done', '--dry-run', [PAGE, LINE], 'rest'],
  ['done', '--quiet', ['stderr: input changed'], 'whole'],
  ['empty', '', ['stderr: page', LINE], 'rest'],
  ['empty', '--quiet', ['stderr: input changed'], 'whole'],
  ['failed', '', ['stderr: page', LINE], 'rest'],
  ['failed', '--quiet', ['stderr: page', LINE], 'rest'],
  ['failed', '--details', ['stderr: page', LINE], 'rest'],
  ['refused by a check', '', ['stderr: stops', LINE], 'shown'],
  ['refused by a check', '--quiet', ['stderr: stops', LINE], 'shown'],
  ['refused by a check', '--dry-run', ['stdout: plan', 'stderr: stops', LINE], 'shown'],
  ['refused by a check', '--details', ['stdout: plan', 'stderr: stops', LINE], 'shown'],
  // Standard output goes to a file, and standard error is a terminal.
  ['done', 'stderr', [LINE], 'rest'],
  ['failed', 'stderr', ['stderr: page', LINE], 'rest'],
  // Standard output and standard error are terminals.
  ['done', 'stdout stderr', [PAGE], 'rest'],
  ['done', 'stdout stderr --details', [PAGE], 'whole'],
  ['done', 'stdout stderr --quiet', ['stderr: input changed'], 'whole'],
  ['empty', 'stdout stderr', [PAGE], 'rest'],
  ['failed', 'stdout stderr', [PAGE], 'rest'],
  ['failed', 'stdout stderr --quiet', [PAGE], 'rest'],
  ['failed', 'stdout stderr --details', [PAGE], 'whole'],
  ['refused by a check', 'stdout stderr', ['stderr: stops'], 'shown'],
  ['refused by a check', 'stdout stderr --details', ['stdout: plan', 'stderr: stops'], 'shown'],
  ['refused by a check', 'stdout stderr --dry-run', ['stdout: plan', 'stderr: stops'], 'shown'],
  // Standard error goes to a file, so the page on standard output must show the problem.
  ['failed', 'stdout', [PAGE], 'whole'],
  // Another program reads JSON.
  ['done', '--json', ['stdout: json'], 'whole'],
  ['failed', 'stdout stderr --json --quiet --details', ['stdout: json'], 'whole'],
  ['refused by a check', '--json --dry-run', ['stdout: json'], 'whole'],
] as const)('prints the result of a run (%s), terminals and flags "%s": %s', (end, words, parts, problem) => {
  const layout = outputLayoutOf(inputsOf(words), end, words.includes('--dry-run'));

  expect(layout.parts.map(([stream, part]) => `${stream}: ${part}`)).toEqual(parts);
  expect(layout.problem).toBe(problem);
});
