import { ENROLL } from '../../src/enroll/options.ts';
import type { RowCounts } from '../../src/migrate/types.ts';
import type { Life } from './life.ts';
import type { Outcome, Plain } from './outcome.ts';
import { droppedRows, type Scenario } from './scenario.ts';
import { type Difference, differences, type ServiceState } from './state.ts';

/** The service equals that of the undisturbed run, but for rows that are reported as failed, and rows it lost by itself. */
export function checkState(scenario: Scenario, plain: Plain, outcome: Outcome): string[] {
  if (outcome.finals.some((life) => life.finished !== plain.ended.finished)) {
    return [];
  }
  const failed = failedRows(outcome.finals) - failedRows([plain.ended]);
  const found = differences(plain.state, outcome.state, outcome.changed);
  const said = found.map(({ what }) => what);
  // A row that failed may be missed as a contact and as a suppression.
  const people = countPeople(found);
  const excused = failed + stoppedElsewhere(found, plain, outcome);
  if (people <= excused) {
    return [];
  }
  return people <= excused + droppedRows(scenario) ? checkNoticed(scenario, said, outcome) : said;
}

function failedRows(lives: readonly Life[]): number {
  return Math.max(...lives.map(({ report }) => report?.rows.failed ?? 0));
}

function countPeople(found: readonly Difference[]): number {
  return new Set(found.map(({ email }) => email)).size;
}

/**
 * Batches go alone until one shows what new people become. Where people of a batch were refused, a later one may have to
 * show it, and where an answer or a row was lost an earlier one may: then a run is stopped after more or fewer batches.
 * Returns how many of the differences are of their people, who are as they were before in one of the two states.
 */
function stoppedElsewhere(found: readonly Difference[], plain: Plain, { finals, state }: Outcome): number {
  const more = unsentRows([plain.ended]) - unsentRows(finals);
  if (![plain.ended, ...finals].every(wasStopped) || (more > 0 && !finals.some(hasRefused))) {
    return 0;
  }
  const behind = more > 0 ? plain.state : state;
  const unsent = found.filter(({ email }) => isSame(plain.before, behind, email));
  return Math.min(countPeople(unsent), Math.abs(more));
}

function unsentRows(lives: readonly Life[]): number {
  return Math.max(...lives.map(({ report }) => report?.rows.unsent ?? 0));
}

function hasRefused({ report }: Life): boolean {
  const { failed = 0, already_suppressed: suppressed = 0 }: Partial<RowCounts> = { ...report?.rows };
  return failed + suppressed > 0;
}

function wasStopped({ report }: Life): boolean {
  return report?.error?.code === 'first_batch';
}

function isSame(a: ServiceState, b: ServiceState, email: string): boolean {
  return a.contacts.get(email) === b.contacts.get(email) && a.suppressions.get(email) === b.suppressions.get(email);
}

/**
 * New people whom the service dropped in silence are missed by somebody (rule L4). Counts are compared with ≥ (L2), so where
 * a program wrote people and died before it knew, as many others may be lost, and the sample alone may show it.
 */
function checkNoticed({ plot, second }: Scenario, found: readonly string[], { lives, programs }: Outcome): string[] {
  const missing = found.filter((what) => what.startsWith('contact') && what.endsWith('none found'));
  const noticed = lives.some((life) => life.programs.some(({ code }) => code === 8));
  const looked = second === 'none' && programs === 1 && plot.command !== ENROLL;
  return looked && missing.length > 0 && !noticed ? missing.map((what) => `L4: nobody noticed: ${what}`) : [];
}
