/** A scenario adds disturbances to a plot: kills, faults, opt-outs, edits of the list, a second runner. */

import type { NewAutomation } from '../../../src/emulator/admin/automations.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { ENROLL_COMMAND } from '../../../src/enroll/draft/enroll-options.ts';
import { createRandom, type Random } from '../random.ts';
import { begunInTime, createFaults, createFirstRefusals, finishedInTime } from './faults.ts';
import { namesOtherState } from './list-file.ts';
import { createPlot, type Plot } from './plot.ts';

/** Everything that the seed of one disturbed run decides in advance. */
export interface Scenario {
  readonly seed: number;
  readonly plot: Plot;
  readonly faults: readonly FaultRule[];
  /** Probability that an invocation is killed, or is interrupted by a signal. */
  readonly killRate: number;
  readonly interruptRate: number;
  /** Probability that people opt out or are suppressed around a request. */
  readonly optOutRate: number;
  /** A second runner of the same list: none, on the same machine (one state folder), or on another. */
  readonly second: 'none' | 'same machine' | 'other machine';
  /** Who can enter the automation twice. `always`: only svc prevents a second enrollment. */
  readonly reentry: NonNullable<NewAutomation['reentry']>;
  /**
   * The request at which an automation changes, and its new status. It is the target automation, or one that starts for
   * imported people.
   */
  readonly automationChange: { readonly after: number; readonly status: string } | undefined;
  /** The errors of the runners' clocks, in milliseconds. */
  readonly skews: readonly number[];
  /** Probability that the list is edited while a program runs, and a random source for the edits. */
  readonly editRate: number;
  readonly editor: Random;
  /** Decides when the user restores an older copy of the run folders. Undefined: never. */
  readonly restorer: Random | undefined;
  /** Decides who comes back in a pause, after the first requests were refused. Undefined: no person. */
  readonly returner: Random | undefined;
  /** Random source for all events of the run. */
  readonly random: Random;
}

// All seeds of a plot share its undisturbed run.
const SEEDS_PER_PLOT = 8;

export function createScenario(seed: number, plotOf = createPlot): Scenario {
  return withinPromises(chooseScenario(seed, plotOf(Math.ceil(seed / SEEDS_PER_PLOT))));
}

/**
 * Leaves out cases without a promise. The canary needs people who are new or opted out, to show how the service treats
 * them. So services that subscribe such people get no second runner and no later opt-outs. People are not rolled back a
 * second time after an effect that comes long after its claim ended. A request that creates an audience is not delayed
 * until its claim expires. Names of audiences are not unique: two machines may each create one (rule L3). After 24
 * hours, two machines know nothing of each other's enrollments. Run folders are restored for enrollments without
 * contacts, because only these have a ledger that outweighs an older run. The list is not edited then, because no run
 * shows which versions were used. If a person comes back, no program is killed: it would not know that its requests
 * were refused.
 */
function withinPromises(scenario: Scenario): Scenario {
  const { plot, second } = scenario;
  const { variants, explicitStatus, creates } = plot;
  const signsUp = variants.omitted_status_existing === 'subscribed';
  const isUnusual = signsUp || (!explicitStatus && (variants.omitted_status ?? 'subscribed') !== 'subscribed');
  const alone = isUnusual || (creates && second === 'other machine');
  const onOtherMachine = plot.command === ENROLL_COMMAND && second === 'other machine';
  const faults = creates ? scenario.faults.map(begunInTime) : scenario.faults;
  const onlyEnrolls = plot.command === ENROLL_COMMAND && !plot.createContacts;
  const returner =
    second === 'none' && !isUnusual && !onlyEnrolls && findReturners(plot).length > 0 ? scenario.returner : undefined;
  const restorer = onlyEnrolls && second === 'none' ? scenario.restorer : undefined;
  return {
    ...scenario,
    faults: [...(returner ? createFirstRefusals(returner) : []), ...(signsUp ? finishedInTime(faults) : faults)],
    killRate: returner ? 0 : scenario.killRate,
    returner,
    optOutRate: isUnusual ? 0 : scenario.optOutRate,
    second: alone ? 'none' : second,
    restorer,
    editRate: restorer ? 0 : scenario.editRate,
    reentry: onOtherMachine ? 'once' : scenario.reentry,
  };
}

/** People who had opted out before, and whom the list names as subscribed. */
export function findReturners({ command, creates, prior, list }: Plot): string[] {
  const writes = command !== 'suppressions import' && !creates;
  return prior
    .filter(({ status, email }) => writes && status === 'unsubscribed' && list.emails.includes(email))
    .flatMap(({ email }) => (namesOtherState(list.csv, email) ? [] : [email]));
}

function chooseScenario(seed: number, plot: Plot): Scenario {
  const random = createRandom(seed * 1_597_334_677);
  const editor = createRandom(seed * 2_246_822_519);
  const restorer = createRandom(seed * 3_266_489_917);
  const returner = createRandom(seed * 668_265_263);
  const faulty = random.chance(0.85);
  return {
    seed,
    plot,
    faults: faulty ? createFaults(random, { enrolls: plot.command === ENROLL_COMMAND }) : [],
    killRate: random.pick([0, 0.4, 0.7]),
    interruptRate: random.pick([0, 0, 0.3]),
    optOutRate: random.pick([0, 0, 0.03, 0.08]),
    second: random.pick(SECONDS),
    reentry: random.pick(['always', 'always', 'finished', 'once'] as const),
    automationChange: random.chance(0.08) ? createAutomationChange(random) : undefined,
    skews: random.chance(0.15) ? [random.int(-7_200_000, 7_200_000), random.int(-300_000, 300_000)] : [0, 0],
    editRate: editor.pick([0, 0, 0.4, 0.8]),
    editor,
    restorer: restorer.chance(0.3) ? restorer : undefined,
    returner: returner.chance(0.4) ? returner : undefined,
    random,
  };
}

const SECONDS = ['none', 'none', 'none', 'none', 'none', 'none', 'same machine', 'other machine'] as const;

/** The highest number of rows that the service drops although it reports them as written. */
export function droppedRows({ faults }: Scenario): number {
  return faults.reduce((sum, fault) => sum + (fault.kind === 'drop_rows' ? fault.rows * (fault.times ?? 1) : 0), 0);
}

function createAutomationChange(random: Random) {
  return { after: random.int(0, 25), status: random.pick(['active', 'paused', 'draft', 'archived']) };
}
