import type { RowCounts } from '../../src/migrate/types.ts';
import type { Life } from './life.ts';
import type { Scenario } from './scenario.ts';
import { differences, type ServiceState } from './state.ts';
import type { Seen } from './watch.ts';

/** The undisturbed run: what everything is compared with. */
export interface Plain {
  readonly ended: Life;
  readonly state: ServiceState;
  readonly requests: number;
  readonly broken: readonly string[];
  readonly left: ReadonlySet<string>;
}

/** The disturbed run, after the faults stopped and everybody had two more tries. */
export interface Outcome {
  readonly lives: readonly Life[];
  /** The last life of each machine. */
  readonly finals: readonly Life[];
  readonly state: ServiceState;
  readonly audiences: number;
  readonly requests: number;
  readonly seen: readonly Seen[];
  readonly broken: readonly string[];
  readonly left: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly programs: number;
  readonly kills: number;
}

/** Every promise that was broken, in words. */
export function check(scenario: Scenario, plain: Plain, outcome: Outcome): string[] {
  return [
    ...plain.broken.map((what) => `undisturbed: ${what}`),
    ...signedUp(plain).map((what) => `undisturbed: ${what}`),
    ...outcome.broken,
    ...signedUp(outcome),
    ...outcome.lives.flatMap((life) => life.programs.flatMap(checkProgram)),
    ...outcome.finals.flatMap((life) => checkEnd(plain, outcome, life)),
    ...checkState(plain, outcome),
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

function checkProgram({ code, out, err }: Life['programs'][number]): string[] {
  if (code === 'killed') {
    return [];
  }
  const bug = code === 70 ? [`exit 70: ${err}`] : [];
  return out === '' ? bug : [...bug, ...checkBooks(JSON.parse(out).rows, code)];
}

function checkBooks(rows: RowCounts, code: number): string[] {
  const { read, ...fates } = rows;
  const sum = Object.values(fates).reduce((total, count) => total + count, 0);
  const negative = Object.entries(fates).filter(([, count]) => count < 0);
  return [
    ...(sum === read ? [] : [`books: ${sum} fates for ${read} rows`]),
    ...negative.map(([fate, count]) => `books: ${count} rows ${fate}`),
    ...((code === 0 || code === 3) && rows.unsent + rows.unknown > 0
      ? [`exit ${code} with ${rows.unsent} unsent`]
      : []),
  ];
}

/** Two more programs after the faults stopped are enough, and they end like the undisturbed one. */
function checkEnd(plain: Plain, { changed }: Outcome, life: Life): string[] {
  const last = life.programs.at(-1);
  if (!life.finished && plain.ended.finished && !isExcused(life, changed)) {
    return [`D1: not finished two resumes after the faults stopped: exit ${life.code}: ${last?.err}`];
  }
  const [expected, got] = [plain.ended.report?.rows, life.report?.rows];
  return life.finished && expected && got ? checkFates(expected, got) : [];
}

/** Where the only new people of the first batch left before it was read back, the run rightly asks a person. */
function isExcused({ code, report }: Life, changed: ReadonlySet<string>): boolean {
  const named = report?.error?.message.match(/p\d+@example\.com/g) ?? [];
  return code === 8 && report?.error?.code === 'first_batch' && named.every((email) => changed.has(email));
}

/** Rows end as without the faults, but for those refused or suppressed by somebody else meanwhile. */
function checkFates(expected: RowCounts, got: RowCounts): string[] {
  const fixed = ['read', 'merged', 'skipped', 'rejected'] as const;
  const wrong = fixed.filter((fate) => expected[fate] !== got[fate]);
  const written = (rows: RowCounts) =>
    rows.created + rows.updated + rows.suppressed + rows.already_suppressed + rows.failed;
  return [
    ...wrong.map((fate) => `fates: ${got[fate]} rows ${fate} instead of ${expected[fate]}`),
    ...(written(expected) === written(got)
      ? []
      : [`fates: ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`]),
  ];
}

function checkState(plain: Plain, outcome: Outcome): string[] {
  if (outcome.finals.some((life) => life.finished !== plain.ended.finished)) {
    return [];
  }
  const failed = Math.max(...outcome.finals.map((life) => life.report?.rows.failed ?? 0));
  const found = differences(plain.state, outcome.state, outcome.changed);
  // Rows that a scripted refusal hit alone are reported as failed and are rightly not written.
  return found.length <= failed - (plain.ended.report?.rows.failed ?? 0) ? [] : found;
}

function checkAudiences({ creates }: Scenario, { audiences }: Outcome): string[] {
  return creates && audiences > 2 ? [`${audiences - 1} audiences were created`] : [];
}

/** Generous enough for every repeat that a rule asks for, and far from a loop. */
function checkRequests(scenario: Scenario, plain: Plain, outcome: Outcome): string[] {
  const strikes = scenario.faults.map((fault) => (fault.times ?? 1) * costOf(fault.kind));
  const allowed = 1.25 * plain.requests * outcome.programs + strikes.reduce((sum, cost) => sum + cost, 0);
  return outcome.requests > allowed ? [`${outcome.requests} requests, ${Math.round(allowed)} allowed`] : [];
}

function costOf(kind: string): number {
  return kind === 'in_flight' || kind === 'lost_claim' || kind === 'slow' ? 85 : kind === 'error' ? 64 : 10;
}
