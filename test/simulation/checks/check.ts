/** The checks after a simulated run. Each describes broken promises. */

import { ENROLL_COMMAND } from '../../../src/enroll/draft/enroll-options.ts';
import type { OutcomeCounts, RowCounts } from '../../../src/run-lifecycle/data/run-report.ts';
import type { KnownRun, Life } from '../life.ts';
import type { Outcome, UndisturbedRuns } from '../outcome.ts';
import { namesOtherState } from '../scenario/list-file.ts';
import { droppedRows, type Scenario } from '../scenario/scenario.ts';
import { differences } from '../state.ts';
import { checkEnrollments } from './check-enrollments.ts';
import { checkInputs, differingPeople } from './check-inputs.ts';
import { checkRequests } from './check-requests.ts';
import { checkState } from './check-state.ts';

/** Describes every broken promise. */
export function check(scenario: Scenario, plains: UndisturbedRuns, outcome: Outcome): string[] {
  const enrolls = scenario.plot.command === ENROLL_COMMAND;
  const edited = isEdited(outcome, scenario);
  const { first: plain } = plains;
  return [
    ...plain.broken.map((what) => `undisturbed: ${what}`),
    ...checkSignedUp(plain).map((what) => `undisturbed: ${what}`),
    ...outcome.broken,
    ...checkSignedUp(outcome),
    ...checkReturned(outcome),
    ...outcome.lives.flatMap((life) => life.programs.flatMap((program) => checkProgram(program, enrolls))),
    ...checkInputs(outcome),
    ...outcome.lastLives.flatMap((life) => checkEnd(scenario, { plains, outcome }, life)),
    ...(edited ? checkEditedState(scenario, plains, outcome) : checkState(scenario, plain, outcome)),
    ...checkEnrollments(scenario, plains, outcome),
    ...checkAudiences(scenario, outcome),
    ...checkCanaries(outcome),
    ...checkRequests(scenario, plains, outcome),
  ];
}

/** True if a run used another list than the first version. */
function isEdited({ usedVersions }: Outcome, { plot }: Scenario): boolean {
  return usedVersions.some(({ csv }) => csv !== plot.list.csv);
}

/**
 * Compares the service after runs of several lists. People with the same rows in all lists must be as after one
 * undisturbed run. For the others, the order of the runs decides. Opt-outs have their own check.
 */
function checkEditedState(scenario: Scenario, plains: UndisturbedRuns, outcome: Outcome): string[] {
  const { usedVersions, lastLives, changed, state } = outcome;
  const each = usedVersions.map(({ sha256 }) => plains.of(sha256));
  const runs = lastLives.flatMap((life) => life.runs);
  if (![...each.map(({ ended }) => ended), ...runs].every(({ finished }) => finished)) {
    return [];
  }
  const open = new Set([...changed, ...differingPeople(usedVersions)]);
  const failed = runs.reduce((sum, { report }) => sum + (report?.rows.failed ?? 0), 0) + droppedRows(scenario);
  const found = differences((each[0] ?? plains.first).state, state, open);
  return new Set(found.map(({ email }) => email)).size > failed ? found.map(({ what }) => what) : [];
}

/** People who opted out at any moment must not be subscribed at the end. */
function checkSignedUp({ state, optedOut }: Pick<Outcome, 'state' | 'optedOut'>): string[] {
  return [...optedOut]
    .filter((email) => state.contacts.get(email)?.startsWith('["subscribed"') && !state.suppressions.has(email))
    .map((email) => `C1: ${email} had left and is subscribed`);
}

/** A person who came back is not opted out because of a request that had no effect. A list may opt the person out. */
function checkReturned({ returned, usedVersions, state }: Outcome): string[] {
  return [...returned]
    .filter((email) => !usedVersions.some(({ csv }) => namesOtherState(csv, email)))
    .filter((email) => !state.contacts.get(email)?.startsWith('["subscribed"'))
    .map((email) => `C1: ${email} came back and is opted out`);
}

function checkProgram({ code, out, err }: Life['programs'][number], enrolls: boolean): string[] {
  if (code === 'killed') {
    return [];
  }
  const bug = code === 70 ? [`exit 70: ${err}`] : [];
  return out === '' ? bug : [...bug, ...checkRowSums(JSON.parse(out).rows, code, enrolls)];
}

function checkRowSums(rows: OutcomeCounts, code: number, enrolls: boolean): string[] {
  const { read, ...outcomes } = rows;
  const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
  const negative = Object.entries(outcomes).filter(([, count]) => count < 0);
  const open = rows.unsent + (enrolls ? 0 : rows.unknown);
  return [
    ...(sum === read ? [] : [`books: ${sum} outcomes for ${read} rows`]),
    ...negative.map(([outcome, count]) => `books: ${count} rows ${outcome}`),
    ...((code === 0 || code === 3) && open > 0 ? [`exit ${code} with ${rows.unsent} unsent`] : []),
  ];
}

interface PlayedRuns {
  readonly plains: UndisturbedRuns;
  readonly outcome: Outcome;
}

/** The hash of the present list. If every run was refused or overtaken, the last command read this one. */
function lastHash({ list }: Life): string | undefined {
  return list.history.at(-1)?.sha256;
}

/** After the faults, two more programs are enough, and they end like the undisturbed one. */
function checkEnd({ plot, faults }: Scenario, { plains, outcome }: PlayedRuns, life: Life): string[] {
  const last = life.programs.at(-1);
  const drops = faults.some(({ kind }) => kind === 'drop_rows');
  const own = life.runs.filter(({ overtaken }) => !overtaken);
  const lists = own.length > 0 ? own.map(({ sha256 }) => plains.of(sha256)) : [plains.of(lastHash(life))];
  const ends = lists.every(({ ended }) => ended.finished);
  // A run of another list may opt people out between the write of a batch and its read.
  const changed = new Set([...outcome.changed, ...differingPeople(outcome.usedVersions)]);
  outcome.returned.forEach((email) => changed.delete(email));
  // The user deleted the list before any run began. checkInputs checks that it was missing.
  const hadNothing = own.length === 0 && last?.err.includes('input_unreadable') === true;
  // Suppressions belong to an account. If the API key changed, svc knows the account only by an audience. A revoked key
  // can't read one, so svc asks for a new run (K4). A run that was killed before it read one remains unfinished.
  const [newest] = own;
  const isOfOtherKey = ({ onlyKey }: KnownRun) => onlyKey !== undefined && onlyKey !== newest?.onlyKey;
  const isUnproven =
    plot.command === 'suppressions import' &&
    (last?.err.includes('another_destination') === true || own.filter(({ finished }) => !finished).every(isOfOtherKey));
  // A fault made the plan of a crowded account free, so the account has no room for all people.
  const isFull =
    plot.otherContacts + plot.newerContacts > 0 &&
    last?.err.includes('plan_limit_reached') === true &&
    faults.some((fault) => fault.kind === 'change' && fault.plan === 'free');
  const isExplained = hadNothing || isUnproven || isFull;
  if (!life.finished && ends && !isExplained && !isExcused(life, changed, drops)) {
    return [`D1: not finished two resumes after the faults stopped: exit ${life.code}: ${last?.err}`];
  }
  if (!life.finished || plot.command === ENROLL_COMMAND) {
    return [];
  }
  const seen = new Set<string>();
  return own.flatMap(({ sha256, report }) => {
    const [expected, got] = [plains.of(sha256).ended.report?.rows, report?.rows];
    // Only the newest run of a list counts.
    if (seen.has(sha256) || !expected || !got) {
      return [];
    }
    seen.add(sha256);
    // Only imports reach this line. Their reports have these counts.
    return checkOutcomes(expected as RowCounts, got as RowCounts);
  });
}

/**
 * True if the run rightly asks the user, because its canary shows nothing. Its only new people opted out before they
 * were read back, or the service dropped one of them in silence.
 */
function isExcused({ code, report }: Life, changed: ReadonlySet<string>, drops: boolean): boolean {
  const named = report?.error?.message.match(/p\d+@example\.com/g) ?? [];
  const asks = code === 8 && report?.error?.code === 'first_batch';
  // A canary that is repeated a day later shows nothing when its people opted out. A new run has a new canary.
  const startsAnew = code === 7 && report?.error?.code === 'in_doubt';
  return startsAnew || (asks && (drops || named.every((email) => changed.has(email))));
}

/**
 * Compares outcomes with a run without faults. Differences are allowed for rows that another program refused or
 * suppressed, and for rows that the undisturbed run did not send because it stopped.
 */
function checkOutcomes(expected: RowCounts, got: RowCounts): string[] {
  const fixed = ['read', 'merged', 'skipped', 'rejected'] as const;
  const wrong = fixed.filter((outcome) => expected[outcome] !== got[outcome]);
  const written = (rows: RowCounts) =>
    rows.created + rows.updated + rows.suppressed + rows.already_suppressed + rows.failed + rows.unsent;
  return [
    ...wrong.map((outcome) => `outcomes: ${got[outcome]} rows ${outcome} instead of ${expected[outcome]}`),
    ...(written(expected) === written(got)
      ? []
      : [`outcomes: ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`]),
  ];
}

/** A run has one canary. A resume continues with it (rule D1). */
function checkCanaries({ probes, runs }: Outcome): string[] {
  return probes.size > CANARY * runs ? [`D1: ${probes.size} people in the canaries of ${runs} runs`] : [];
}

const CANARY = 4;

function checkAudiences({ plot }: Scenario, { audiences }: Outcome): string[] {
  return plot.creates && audiences > 2 ? [`${audiences - 1} audiences were created`] : [];
}
