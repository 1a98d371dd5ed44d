import { VARIANTS, type VariantName } from '../../../src/emulator/context/variants.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { createRandom, type Random } from '../random.ts';
import { begunInTime, createFaultsAt, finishedInTime } from '../scenario/faults.ts';

/** The object that a person wants once. */
export type Kind = 'webhook' | 'audience';

/** Everything that the seed of a creation decides in advance. */
export interface Scenario {
  readonly seed: number;
  readonly kind: Kind;
  /** True if the secret goes to the terminal, false for a file. */
  readonly terminal: boolean;
  /** Flags that change the output only. */
  readonly flags: readonly string[];
  readonly variants: Readonly<Record<string, string>>;
  readonly rateLimit: number;
  readonly faults: readonly FaultRule[];
  /** Probability that an invocation is killed, or is interrupted by a signal. */
  readonly killRate: number;
  readonly interruptRate: number;
  /** A second person: none, one who continues the same run in the same folder, or one with the same wish elsewhere. */
  readonly second: 'none' | 'same folder' | 'elsewhere';
  /** How many objects of the same kind exist before, and how many with the same URL or name. */
  readonly prior: number;
  /** True if the first key has the needed scope. */
  readonly scoped: boolean;
  /** Probability that another person deletes or changes the object while no program runs. */
  readonly outsideChanges: number;
  /** The error of the first clock, in milliseconds. */
  readonly skewMs: number;
  readonly random: Random;
}

/** The scenario of a seed. It has its own random source, so that the scenarios of imports stay the same. */
export function createScenario(seed: number): Scenario {
  return withinPromises(chooseScenario(seed, createRandom(seed * 2_246_822_519 + 1)));
}

/**
 * Leaves out cases without a promise. A service that delays a request, or its effect, beyond the claim makes two
 * objects of one key. At a terminal, a second person who asks in the same moment gets a second object (W1).
 */
function withinPromises(scenario: Scenario): Scenario {
  const { kind, terminal, second, faults } = scenario;
  const begun = faults.map(begunInTime);
  return {
    ...scenario,
    second: terminal && second === 'same folder' ? 'none' : second,
    faults: kind === 'webhook' ? finishedInTime(begun) : begun,
  };
}

function chooseScenario(seed: number, random: Random): Scenario {
  const kind = random.pick(['webhook', 'webhook', 'audience'] as const);
  const terminal = random.chance(0.3);
  return {
    seed,
    kind,
    terminal,
    flags: flagsOf(random, kind === 'webhook' && terminal),
    variants: random.chance(0.6) ? variantsOf(random) : {},
    rateLimit: random.pick([600, 600, 600, 20]),
    faults: random.chance(0.85) ? createFaultsAt(random, { enrolls: false, routes: ROUTES[kind], latest: 2 }) : [],
    killRate: random.pick([0, 0.5, 0.8]),
    interruptRate: random.pick([0, 0, 0.3]),
    second: random.pick(['none', 'none', 'none', 'same folder', 'elsewhere'] as const),
    prior: random.pick([0, 0, 1, 3, 9]),
    scoped: random.chance(0.9),
    outsideChanges: random.pick([0, 0, 0.4, 0.8]),
    skewMs: random.chance(0.15) ? random.int(-7_200_000, 7_200_000) : 0,
    random,
  };
}

const ROUTES: Readonly<Record<Kind, readonly string[]>> = {
  webhook: ['*', 'POST *', 'POST /v1/webhooks', 'POST /v1/webhooks', 'GET *', 'GET /v1/webhooks/*'],
  audience: ['*', 'POST *', 'POST /v1/audiences', 'POST /v1/audiences', 'GET *', 'GET /v1/audiences/*'],
};

/** With --json a terminal shows no secret. */
function flagsOf(random: Random, shows: boolean): string[] {
  const flags = [random.pick(['', '--json']), random.pick(['', '', '-v', '-q'])];
  return flags.filter((flag) => flag !== '' && !(shows && flag === '--json'));
}

// The open points of the document that matter for a creation.
const MET: readonly VariantName[] = [
  'stored_errors',
  'stored_scope_errors',
  'claim_owner',
  'rate_window',
  'rate_counts_refused',
];

function variantsOf(random: Random): Record<string, string> {
  const chosen = Array.from({ length: random.int(1, 4) }, () => random.pick(MET));
  const readings = new Map<string, readonly string[]>(VARIANTS.map((variant) => [variant.name, variant.readings]));
  return Object.fromEntries(chosen.map((name) => [name, random.pick(readings.get(name) ?? [])]));
}
