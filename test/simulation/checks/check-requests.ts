import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { ENROLL_COMMAND } from '../../../src/enroll/draft/enroll-options.ts';
import { ENROLLMENT_OUTCOMES } from '../../../src/wire/service-words.ts';
import type { Outcome, UndisturbedRun, UndisturbedRuns } from '../outcome.ts';
import type { Scenario } from '../scenario/scenario.ts';

/**
 * Limits the number of requests: for each runner a quarter more than the undisturbed run, and for each fault what its
 * rule allows. A kill or stop is a fault too: the next program fetches the account and the requests in flight again.
 */
export function checkRequests(scenario: Scenario, plains: UndisturbedRuns, outcome: Outcome): string[] {
  const lists =
    outcome.usedVersions.length > 0 ? outcome.usedVersions.map(({ sha256 }) => plains.of(sha256)) : [plains.first];
  const undisturbed = lists.reduce((sum, plain) => sum + plain.requests, 0);
  const runners = scenario.second === 'none' ? 1 : 2;
  const restarts = Math.max(0, outcome.programs - runners);
  const strikes = scenario.faults.reduce((sum, fault) => sum + (fault.times ?? 1) * costOf(fault, scenario), 0);
  // One of two machines may get an outdated replay. It reads the account and sends the canary once more (I7).
  const secondRounds = runners - 1;
  const allowed =
    1.25 * undisturbed * runners +
    (RESTART + READS * Math.ceil(scenario.plot.newerContacts / PAGE)) * (restarts + secondRounds) +
    strikes +
    lookUps(scenario, lists.length) +
    hiddenPeople(scenario, outcome) +
    lists.reduce((sum, plain) => sum + nextKeys(plain, outcome), 0);
  return outcome.requests > allowed
    ? [`requests: ${outcome.requests}, ${Math.round(allowed)} allowed, ${undisturbed} undisturbed`]
    : [];
}

/**
 * The requests that are allowed for people who opted out. Each batch may hold some of them, and the run must prove that
 * they stay opted out.
 */
function lookUps({ plot, optOutRate, second }: Scenario, lists: number): number {
  const batches = plot.command === ENROLL_COMMAND ? plot.createContacts : plot.command !== 'suppressions import';
  const leftBefore = batches && second !== 'none' && plot.prior.some(({ status }) => status === 'unsubscribed');
  return optOutRate > 0 || leftBefore || lists > 1
    ? 8 * lists * Math.ceil(plot.list.emails.length / plot.batchSize)
    : 0;
}

/** The look-ups of a service that lists only subscribed people. Each program looks up all people, perhaps twice. */
function hiddenPeople({ plot }: Scenario, { programs }: Outcome): number {
  return plot.variants.contact_list === 'subscribed' ? 2 * plot.list.emails.length * programs : 0;
}

/**
 * The requests under further keys. The service replays the responses of earlier runs, so each run needs one key more
 * for a person who wasn't enrolled (rule I1).
 */
function nextKeys({ ended }: UndisturbedRun, { runs }: Outcome): number {
  const rows: Readonly<Record<string, number>> = { ...ended.report?.rows };
  const idle = NOT_STARTED.reduce((sum, outcome) => sum + (rows[outcome] ?? 0), 0);
  return (idle * runs * (runs - 1)) / 2;
}

const NOT_STARTED = ENROLLMENT_OUTCOMES.filter((outcome) => outcome !== 'enrolled' && outcome !== 'already_enrolled');

// A program that starts again sends about a dozen reads for account and canary, and six for the verification.
const RESTART = 20;
// A program reads the pages of the audience for its plan, after a wait, and for all opt-outs.
const READS = 3;
const PAGE = 100;
const CONFLICT = 85;
const REFUSED_BATCH = 64;
const OTHER = 10;

// With --explicit-status, svc looks up the new people of the canary before each attempt: at most three.
const LOOKED_UP = 3;

function costOf({ kind }: FaultRule, { plot }: Scenario): number {
  switch (kind) {
    case 'in_flight':
    case 'lost_claim':
    case 'slow':
      return plot.explicitStatus ? (1 + LOOKED_UP) * CONFLICT : CONFLICT;
    case 'error':
      return REFUSED_BATCH;
    default:
      return OTHER;
  }
}
