import { EXIT } from '../../../src/base/lib/errors.ts';
import { ENROLL_COMMAND } from '../../../src/enroll/draft/enroll-options.ts';
import type { RowCounts } from '../../../src/run-lifecycle/data/run-report.ts';
import type { Life } from '../life.ts';
import type { Outcome, UndisturbedRun } from '../outcome.ts';
import { droppedRows, type Scenario } from '../scenario/scenario.ts';
import { type Difference, differences, type ServiceState } from '../state.ts';

/**
 * The service must equal that of the undisturbed run, except for rows that are reported as failed, and rows that the
 * service lost.
 */
export function checkState(scenario: Scenario, plain: UndisturbedRun, outcome: Outcome): string[] {
  if (outcome.lastLives.some((life) => life.finished !== plain.ended.finished)) {
    return [];
  }
  const failed = failedRows(outcome.lastLives) - failedRows([plain.ended]);
  const canaries = peopleInOneCanary({ scenario, plain, outcome });
  const isDisturbed = scenario.faults.length + outcome.kills > 0;
  const mayProveOther = failed > 0 || outcome.changed.size > 0 || isDisturbed;
  const proofs = mayProveOther && scenario.plot.explicitStatus ? peopleOfAnotherProof(plain, outcome) : [];
  const except = new Set([...outcome.changed, ...canaries, ...proofs, ...optedOutByRun({ scenario, plain, outcome })]);
  const found = differences(plain.state, outcome.state, except);
  const stopMessages = found.map(({ what }) => what);
  // A failed row can be missing twice, as a contact and as a suppression. So people are counted, not differences.
  const people = countPeople(found);
  const excused = failed + differencesOfEarlierStop(found, { scenario, plain, outcome });
  if (people <= excused) {
    return [];
  }
  return people <= excused + droppedRows(scenario)
    ? checkNoticed(scenario, stopMessages, { plain, outcome })
    : stopMessages;
}

function failedRows(lives: readonly Life[]): number {
  return Math.max(...lives.map(({ report }) => report?.rows.failed ?? 0));
}

function createdRows(lives: readonly Life[]): number {
  return Math.max(...lives.map(({ report }) => (report?.rows as RowCounts | undefined)?.created ?? 0));
}

function countPeople(found: readonly Difference[]): number {
  return new Set(found.map(({ email }) => email)).size;
}

interface StoppedRuns {
  readonly scenario: Scenario;
  readonly plain: UndisturbedRun;
  readonly outcome: Outcome;
}

/**
 * svc sends batches one at a time until one shows how the service treats new people. Refusals and lost responses delay
 * this. With --explicit-status, svc proves `upsert: false` with one person; if this person leaves, that delays it too.
 * A lost row stops the run earlier. So the run may stop after more or fewer batches than the undisturbed one. Returns
 * how many differences this explains: the people of those batches whom one of the two runs left unchanged.
 */
function differencesOfEarlierStop(found: readonly Difference[], { scenario, plain, outcome }: StoppedRuns): number {
  const more = rowsAhead(plain, outcome);
  // The new run of --again finds the canary people of the earlier run as known contacts, so it gets further.
  const again = more > 0 && scenario.plot.again && outcome.runs > 1;
  const isEnrollment = scenario.plot.command === ENROLL_COMMAND;
  const hasLeft = scenario.plot.explicitStatus && outcome.changed.size > 0;
  const isDisturbed = scenario.faults.length + outcome.kills > 0 || hasLeft;
  const mayDiffer = again || ((isEnrollment || more > 0) && isDisturbed) || (more <= 0 && droppedRows(scenario) > 0);
  if (!mayDiffer || ![plain.ended, ...outcome.lastLives].every(wasStopped)) {
    return 0;
  }
  if (isEnrollment) {
    // The rows of an enrollment are no contacts, so they don't show how many contacts were sent.
    const wasSent = (email: string, state: ServiceState) => !isSame(plain.before, state, email);
    return countPeople(found.filter(({ email }) => !wasSent(email, plain.state) || !wasSent(email, outcome.state)));
  }
  const behind = more > 0 ? plain.state : outcome.state;
  const unsent = found.filter(({ email }) => isSame(plain.before, behind, email));
  return again ? countPeople(unsent) : Math.min(countPeople(unsent), Math.abs(more));
}

/**
 * A run that stops at its canary has written the people of the canary. svc chooses them by who is in the audience now.
 * So it chooses other people after a canary of another machine, after opt-outs, or for the new run of --again. A slow
 * run reads an audience of many pages again before its canary, so it knows more of the people who left. Returns the
 * people who are in only one of the two canaries, and whom the other run left unchanged.
 */
function peopleInOneCanary({ scenario, plain, outcome }: StoppedRuns): string[] {
  const isSlow = scenario.plot.newerContacts > 0 && scenario.faults.length + outcome.kills > 0;
  const mayDiffer = scenario.second === 'other machine' || outcome.changedEarly || scenario.plot.again || isSlow;
  if (!mayDiffer || ![plain.ended, ...outcome.lastLives].every(wasStopped)) {
    return [];
  }
  const isUnsent = (email: string, state: ServiceState) => isSame(plain.before, state, email);
  return [
    ...[...plain.canary].filter((email) => !outcome.canary.has(email) && isUnsent(email, outcome.state)),
    ...[...outcome.canary].filter((email) => !plain.canary.has(email) && isUnsent(email, plain.state)),
  ];
}

/**
 * With --explicit-status, the proof of `upsert: false` writes a person of the canary again. If the service refused that
 * person, or the person left, the proof writes another person. The person may have left by the proof itself, whose
 * response was lost. Returns the people of the canary whom the undisturbed
 * run did not write, if both runs stopped.
 */
function peopleOfAnotherProof(plain: UndisturbedRun, outcome: Outcome): string[] {
  return [plain.ended, ...outcome.lastLives].every(wasStopped)
    ? [...outcome.canary].filter((email) => isSame(plain.before, plain.state, email))
    : [];
}

/**
 * A service that doesn't subscribe new people may still sign them up when svc writes them again. A run that was killed
 * after its canary can't tell whether such a person was new or had opted out. Nor can the new run of --again: it finds
 * that the person of the earlier canary is unsubscribed. So the run opts the person out, stops and names them.
 */
function optedOutByRun({ scenario, plain, outcome }: StoppedRuns): string[] {
  const stopMessages = outcome.lastLives.map(({ report }) => report?.error?.message ?? '');
  const again = scenario.plot.again && outcome.runs > 1;
  if ((outcome.kills === 0 && !again) || !outcome.lastLives.every(wasStopped)) {
    return [];
  }
  return [...plain.state.contacts].flatMap(([email, contact]) => {
    const isOptedOut = outcome.state.contacts.get(email)?.startsWith('["unsubscribed"') ?? false;
    const isNamed = stopMessages.some((message) => message.includes(email));
    return contact.startsWith('["undecided"') && isOptedOut && isNamed ? [email] : [];
  });
}

/**
 * By how many rows the run that got furthest is ahead of the undisturbed run. If no run got further: by how many rows
 * the run that stopped earliest is behind, as a negative number.
 */
function rowsAhead(plain: UndisturbedRun, outcome: Outcome): number {
  // A new run of --again may stop earlier than the run before it.
  const earlier = outcome.lastLives.flatMap(({ runs }) => runs.map(unsentRows));
  const last = outcome.lastLives.map(unsentRows);
  const ahead = unsentRows(plain.ended) - Math.min(...last, ...earlier);
  return ahead > 0 ? ahead : unsentRows(plain.ended) - Math.max(...last);
}

function unsentRows({ report }: Pick<Life, 'report'>): number {
  return report?.rows.unsent ?? 0;
}

/**
 * True if the first people or a batch that was sent alone stopped the run, or if --explicit-status stopped it before.
 */
function wasStopped({ report }: Life): boolean {
  const { code, exit_code: exit } = report?.error ?? {};
  return code === 'first_batch' || (code === 'in_doubt' && exit === EXIT.stopped);
}

function isSame(a: ServiceState, b: ServiceState, email: string): boolean {
  return a.contacts.get(email) === b.contacts.get(email) && a.suppressions.get(email) === b.suppressions.get(email);
}

/**
 * A run reports new people whom the service dropped without an error (rule L4). Counts are compared with ≥ (L2). If a
 * program died before it recorded people, or their response was lost, only the sample may show the loss. New people
 * whom the service refused are missing too, but the run does not count them as created.
 */
function checkNoticed(
  { plot, second, faults }: Scenario,
  found: readonly string[],
  { plain, outcome: { lives, programs } }: Pick<StoppedRuns, 'plain' | 'outcome'>,
): string[] {
  const refused = createdRows([plain.ended]) - createdRows(lives);
  const missing = found.filter((what) => what.startsWith('contact') && what.endsWith('none found'));
  // A program that was killed after it recorded its end printed no report. Its run can show it.
  const noticed = lives.some(
    ({ programs: each, report }) => report?.status === 'unverified' || each.some(({ code }) => code === 8),
  );
  const looked = second === 'none' && programs === 1 && plot.command !== ENROLL_COMMAND && !mayHideCreations(faults);
  return looked && missing.length > Math.max(0, refused) && !noticed
    ? missing.map((what) => `L4: svc did not notice: ${what}`)
    : [];
}

/**
 * True if people may be created by a request whose response svc never gets. Then the claim is lost, or the repeat is
 * refused before the service looks for its claim. svc then counts these people as updated, and as many others may be
 * missing.
 */
function mayHideCreations(faults: Scenario['faults']): boolean {
  const isLost = faults.some((fault) => fault.kind === 'lost_claim' && fault.effect);
  const isFailedAfter = faults.some((fault) => fault.kind === 'cut' || ('when' in fault && fault.when === 'after'));
  const isRefused = faults.some((fault) => fault.kind === 'error' && fault.status < 500 && fault.when === 'before');
  return isLost || (isFailedAfter && isRefused);
}
