import type { OutcomeCounts } from '../../../src/run-lifecycle/data/run-report.ts';
import type { Outcome, UndisturbedRun, UndisturbedRuns } from '../outcome.ts';
import { droppedRows, type Scenario } from '../scenario/scenario.ts';

/**
 * Checks that no person is enrolled twice or against the undisturbed run. A missing person must be unknown, failed,
 * suppressed or opted out.
 */
export function checkEnrollments(scenario: Scenario, plains: UndisturbedRuns, outcome: Outcome): string[] {
  const { first: plain } = plains;
  const lists = outcome.usedVersions.map(({ sha256 }) => plains.of(sha256));
  const expected = new Set((lists.length > 0 ? lists : [plain]).flatMap(({ state }) => [...state.enrollments.keys()]));
  const got = outcome.state.enrollments;
  const twice = [...got].filter(([, times]) => times > 1);
  const unrecognized = [...got.keys()].filter((email) => !expected.has(email) && !outcome.changed.has(email));
  const lost = unrecognized.filter((email) => isAsBefore(email, plain, outcome));
  const excused = scenario.plot.createContacts && lost.length <= droppedRows(scenario) ? lost : [];
  const members = unrecognized.filter((email) => isUnstopped(email, scenario, plain, outcome));
  return [
    ...twice.map(([email, times]) => `M5: ${email} was enrolled ${times} times`),
    ...unrecognized
      .filter((email) => !excused.includes(email) && !members.includes(email))
      .map((email) => `M1: ${email} was enrolled and should not be`),
    ...(scenario.second === 'none' && !scenario.restorer && lists.every((list) => list === plain)
      ? checkMissing(scenario, plain, outcome)
      : []),
  ];
}

/**
 * True if the disturbed run may enroll this member although the undisturbed run stopped because of a new person. A
 * program that was killed before the response doesn't know who was new, and a later list may have no new person. If a
 * fault refuses the new person, the canary shows nothing wrong. It shows nothing wrong either if svc wrote a new person
 * twice because the first response was lost, and the service subscribes known people only.
 */
function isUnstopped(
  email: string,
  { faults }: Scenario,
  { ended, before }: UndisturbedRun,
  { kills, usedVersions, state }: Outcome,
): boolean {
  if (ended.report?.error?.code !== 'first_batch') {
    return false;
  }
  const isOther = kills > 0 || usedVersions.length > 1 || faults.some(({ kind }) => kind === 'error');
  const isMember = before.contacts.get(email)?.startsWith('["subscribed"') === true;
  const isWrittenTwice = state.contacts.get(email)?.startsWith('["undecided"') === true;
  const mayBeLost = kills > 0 || faults.some(({ kind }) => LOSING_FAULTS.includes(kind));
  return (isOther && isMember) || (mayBeLost && isWrittenTwice);
}

// The faults after which svc may send a request twice because it got no response.
const LOSING_FAULTS: readonly string[] = ['reset', 'fin', 'cut', 'html', 'lost_claim', 'error'];

/** True if the contact was not written. It may then match an entry filter that the sent contact would not match. */
function isAsBefore(email: string, { before }: UndisturbedRun, { state }: Outcome): boolean {
  return before.contacts.get(email) === state.contacts.get(email);
}

/**
 * The counts of the only runner agree with the service. A person whose contact was dropped in silence is not
 * subscribed.
 */
function checkMissing(scenario: Scenario, plain: UndisturbedRun, { state, lastLives, changed }: Outcome): string[] {
  const rows = lastLives[0]?.finished ? countsOf(lastLives[0].report?.rows) : undefined;
  const expected = countsOf(plain.ended.report?.rows);
  if (rows?.enrolled === undefined || expected?.enrolled === undefined) {
    return [];
  }
  const enrolled = [...state.enrollments.values()].reduce((sum, times) => sum + times, 0);
  const missing = [...plain.state.enrollments.keys()].filter(
    (email) => !state.enrollments.has(email) && !changed.has(email),
  );
  const { unknown = 0, failed = 0 } = rows;
  const dropped = scenario.plot.createContacts ? droppedRows(scenario) : 0;
  const unexplained = missing.length - unknown - dropped - (failed - (expected.failed ?? 0));
  return [
    ...(rows.enrolled <= enrolled && enrolled <= rows.enrolled + unknown
      ? []
      : [`outcomes: ${rows.enrolled} enrolled and ${unknown} unknown, ${enrolled} in the service`]),
    ...(unexplained > 0 ? [`outcomes: no report says why these are not enrolled: ${missing.join(', ')}`] : []),
  ];
}

/** The counts of an enrollment report. It has one for every outcome. */
function countsOf(rows: OutcomeCounts | undefined): Readonly<Record<string, number>> | undefined {
  return rows && { ...rows };
}
