import { ENROLL } from '../../src/enroll/options.ts';
import type { FateCounts, RowCounts } from '../../src/migrate/types.ts';
import { checkEnrollments } from './check-enrollments.ts';
import { checkRequests } from './check-requests.ts';
import { checkState } from './check-state.ts';
import type { Life } from './life.ts';
import type { Outcome, Plain } from './outcome.ts';
import { droppedRows, type Scenario } from './scenario.ts';
import type { ServiceState } from './state.ts';

/** Every promise that was broken, in words. */
export function check(scenario: Scenario, plain: Plain, outcome: Outcome): string[] {
  const enrolls = scenario.plot.command === ENROLL;
  return [
    ...plain.broken.map((what) => `undisturbed: ${what}`),
    ...signedUp(plain).map((what) => `undisturbed: ${what}`),
    ...outcome.broken,
    ...(isLost(scenario, outcome) ? [] : signedUp(outcome)),
    ...outcome.lives.flatMap((life) => life.programs.flatMap((program) => checkProgram(program, enrolls))),
    ...outcome.finals.flatMap((life) => checkEnd(scenario, { plain, outcome }, life)),
    ...checkState(scenario, plain, outcome),
    ...checkEnrollments(scenario, plain, outcome),
    ...checkAudiences(scenario, outcome),
    ...checkRequests(scenario, plain, outcome),
  ];
}

/** Nobody who left at any moment is subscribed in the end. */
function signedUp({ state, left }: { readonly state: ServiceState; readonly left: ReadonlySet<string> }): string[] {
  return [...left]
    .filter((email) => state.contacts.get(email)?.startsWith('["subscribed"') && !state.suppressions.has(email))
    .map((email) => `C1: ${email} had left and is subscribed`);
}

/** A service that signs people up again and then drops them in silence as they are put back: the run ended there, and named them. */
function isLost(scenario: Scenario, { finals }: Outcome): boolean {
  const signsUp = scenario.plot.quirks.omitted_status_existing === 'subscribed';
  return signsUp && droppedRows(scenario) > 0 && finals.every(({ code }) => code === 8);
}

function checkProgram({ code, out, err }: Life['programs'][number], enrolls: boolean): string[] {
  if (code === 'killed') {
    return [];
  }
  const bug = code === 70 ? [`exit 70: ${err}`] : [];
  return out === '' ? bug : [...bug, ...checkBooks(JSON.parse(out).rows, code, enrolls)];
}

function checkBooks(rows: FateCounts, code: number, enrolls: boolean): string[] {
  const { read, ...fates } = rows;
  const sum = Object.values(fates).reduce((total, count) => total + count, 0);
  const negative = Object.entries(fates).filter(([, count]) => count < 0);
  const open = rows.unsent + (enrolls ? 0 : rows.unknown);
  return [
    ...(sum === read ? [] : [`books: ${sum} fates for ${read} rows`]),
    ...negative.map(([fate, count]) => `books: ${count} rows ${fate}`),
    ...((code === 0 || code === 3) && open > 0 ? [`exit ${code} with ${rows.unsent} unsent`] : []),
  ];
}

interface Both {
  readonly plain: Plain;
  readonly outcome: Outcome;
}

/** Two more programs after the faults stopped are enough, and they end like the undisturbed one. */
function checkEnd({ plot, faults }: Scenario, { plain, outcome }: Both, life: Life): string[] {
  const last = life.programs.at(-1);
  const drops = faults.some(({ kind }) => kind === 'drop_rows');
  if (!life.finished && plain.ended.finished && !isExcused(life, outcome.changed, drops)) {
    return [`D1: not finished two resumes after the faults stopped: exit ${life.code}: ${last?.err}`];
  }
  const [expected, got] = [plain.ended.report?.rows, life.report?.rows];
  if (!life.finished || !expected || !got || plot.command === ENROLL) {
    return [];
  }
  // Imports alone come here, whose reports have these counts.
  return checkFates(expected as RowCounts, got as RowCounts);
}

/**
 * Where the only new people of the first batch left before it was read back, the run rightly asks a person; and where the
 * service dropped one of them in silence.
 */
function isExcused({ code, report }: Life, changed: ReadonlySet<string>, drops: boolean): boolean {
  const named = report?.error?.message.match(/p\d+@example\.com/g) ?? [];
  const asks = code === 8 && report?.error?.code === 'first_batch';
  return asks && (drops || named.every((email) => changed.has(email)));
}

/**
 * Rows end as without the faults, but for those refused or suppressed by somebody else meanwhile, and for those that the
 * undisturbed run kept back when it was stopped.
 */
function checkFates(expected: RowCounts, got: RowCounts): string[] {
  const fixed = ['read', 'merged', 'skipped', 'rejected'] as const;
  const wrong = fixed.filter((fate) => expected[fate] !== got[fate]);
  const written = (rows: RowCounts) =>
    rows.created + rows.updated + rows.suppressed + rows.already_suppressed + rows.failed + rows.unsent;
  return [
    ...wrong.map((fate) => `fates: ${got[fate]} rows ${fate} instead of ${expected[fate]}`),
    ...(written(expected) === written(got)
      ? []
      : [`fates: ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`]),
  ];
}

function checkAudiences({ plot }: Scenario, { audiences }: Outcome): string[] {
  return plot.creates && audiences > 2 ? [`${audiences - 1} audiences were created`] : [];
}
