import type { SeedContact } from '../../src/emulator/admin/types.ts';
import type { FaultRule } from '../../src/emulator/faults.ts';
import { QUIRKS } from '../../src/emulator/quirks.ts';
import type { ImportCommand } from '../../src/migrate/options.ts';
import { createFaults } from './faults.ts';
import { createList, type List } from './list.ts';
import { createRandom, type Random } from './random.ts';

/** Everything about one simulated migration that its seed decides beforehand. */
export interface Scenario {
  readonly seed: number;
  readonly command: ImportCommand;
  readonly list: List;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly explicitStatus: boolean;
  readonly again: boolean;
  /** Into an audience that the run creates, rather than one that is there. */
  readonly creates: boolean;
  readonly quirks: Readonly<Record<string, string>>;
  readonly rateLimit: number;
  readonly prior: readonly SeedContact[];
  readonly suppressed: readonly string[];
  readonly faults: readonly FaultRule[];
  /** Probability that an invocation is killed, or is interrupted by a signal. */
  readonly killing: number;
  readonly interrupting: number;
  /** Probability that people opt out or are suppressed around a request. */
  readonly leaving: number;
  /** A second runner of the same list: none, on the same machine (one state folder), or on another. */
  readonly second: 'none' | 'same machine' | 'other machine';
  /** How far the runners' clocks are off, in milliseconds. */
  readonly skews: readonly number[];
  /** Dice for everything that happens on the way. */
  readonly random: Random;
}

/** The scenario of a seed. */
export function createScenario(seed: number): Scenario {
  return withinPromises(chooseScenario(seed));
}

/**
 * Leaves out what nobody promises. A service that doesn't subscribe by omission, or signs people up by it, is found out by
 * the first batch from people who were new, or had left, before it: not by a second runner after the batch was written,
 * nor from people who leave only later. Names of audiences are not unique: two machines may each create one (rule L3).
 */
function withinPromises(scenario: Scenario): Scenario {
  const { quirks, explicitStatus, creates, second } = scenario;
  const odd =
    quirks.omitted_status_existing === 'subscribed' ||
    (!explicitStatus && (quirks.omitted_status ?? 'subscribed') !== 'subscribed');
  const alone = odd || (creates && second === 'other machine');
  return { ...scenario, leaving: odd ? 0 : scenario.leaving, second: alone ? 'none' : second };
}

function chooseScenario(seed: number): Scenario {
  const random = createRandom(seed * 2_654_435_761);
  const command = random.pick(['migrate', 'migrate', 'migrate', 'contacts import', 'suppressions import'] as const);
  const list = createList(random);
  const faulty = random.chance(0.85);
  return {
    seed,
    command,
    list,
    batchSize: random.int(2, 14),
    concurrency: random.int(1, 4),
    explicitStatus: random.chance(0.12),
    again: random.chance(0.05),
    creates: command !== 'suppressions import' && random.chance(0.12),
    quirks: random.chance(0.6) ? createQuirks(random) : {},
    rateLimit: random.pick([600, 600, 600, 60]),
    prior: createPrior(list, random),
    suppressed: random.chance(0.3) ? some(list.emails, random, 0.1) : [],
    faults: faulty ? createFaults(random) : [],
    killing: random.pick([0, 0.4, 0.7]),
    interrupting: random.pick([0, 0, 0.3]),
    leaving: random.pick([0, 0, 0.03, 0.08]),
    second: random.pick(['none', 'none', 'none', 'none', 'same machine', 'other machine'] as const),
    skews: random.chance(0.15) ? [random.int(-7_200_000, 7_200_000), random.int(-300_000, 300_000)] : [0, 0],
    random,
  };
}

function createQuirks(random: Random): Record<string, string> {
  const count = random.int(1, 5);
  return Object.fromEntries(
    Array.from({ length: count }, () => {
      const quirk = random.pick<(typeof QUIRKS)[number]>(QUIRKS);
      return [quirk.name, random.pick<string>(quirk.readings)];
    }),
  );
}

function createPrior(list: List, random: Random): SeedContact[] {
  if (random.chance(0.4)) {
    return [];
  }
  const known = some(list.emails, random, random.pick([0.1, 0.6]));
  const others = Array.from({ length: random.int(0, 20) }, (_, index) => `other${index}@example.com`);
  return [...known, ...others].map((email) => ({ email, ...priorState(random) }));
}

function priorState(random: Random): Partial<SeedContact> {
  return random.chance(0.25)
    ? { status: 'unsubscribed', unsubscribed_at: Date.UTC(2025, random.int(0, 11), 3) }
    : { first_name: 'Before', attributes: { company: 'Before', seen: 'yes' } };
}

function some<T>(items: readonly T[], random: Random, share: number): T[] {
  return items.filter(() => random.chance(share));
}
