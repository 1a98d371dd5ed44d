/** A plot is the undisturbed part of a simulation: a command, its list and an account. A scenario adds disturbances. */

import type { NewAutomation } from '../../../src/emulator/admin/automations.ts';
import type { SeedContact } from '../../../src/emulator/admin/contacts.ts';
import { VARIANTS } from '../../../src/emulator/context/variants.ts';
import { ENROLL_COMMAND } from '../../../src/enroll/draft/enroll-options.ts';
import type { ImportCommand } from '../../../src/run-lifecycle/data/run-options.ts';
import { LIMITS } from '../../../src/wire/limits.ts';
import { createRandom, type Random } from '../random.ts';
import { createList, type List } from './list.ts';

/** Everything that an undisturbed run depends on: the command, its list and the account. Several seeds share a plot. */
export interface Plot {
  readonly number: number;
  readonly command: ImportCommand | typeof ENROLL_COMMAND;
  readonly list: List;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly explicitStatus: boolean;
  readonly again: boolean;
  /** True if the run creates its audience. */
  readonly creates: boolean;
  /** For enrollments: contacts are written first. */
  readonly createContacts: boolean;
  /** True if an enrollment with an unknown outcome is never repeated. */
  readonly atMostOnce: boolean;
  readonly variants: Readonly<Record<string, string>>;
  readonly rateLimit: number;
  readonly prior: readonly SeedContact[];
  readonly suppressed: readonly string[];
  /** Number of people in another audience of the account. On the free plan the account is nearly full with them. */
  readonly otherContacts: number;
  /** Number of newer contacts in the audience. If there are many, svc does not read the pages with `prior`. */
  readonly newerContacts: number;
  /** The automation to enroll in. */
  readonly automation: NewAutomation;
}

export function createPlot(number: number): Plot {
  const random = createRandom(number * 2_654_435_761);
  const crowd = createRandom(number * 374_761_393);
  const command = random.pick(COMMANDS);
  const enrolls = command === ENROLL_COMMAND;
  const list = createList(random, enrolls ? 14 : 36);
  const createContacts = random.chance(0.3);
  const variants = random.chance(0.6) ? createVariants(random) : {};
  const manyKnown = (enrolls && !createContacts) || variants.omitted_status_existing === 'subscribed';
  const creates = command !== 'suppressions import' && !enrolls && random.chance(0.12);
  return {
    number,
    command,
    list,
    batchSize: random.int(2, 14),
    concurrency: random.int(1, 4),
    // Only imports have this flag.
    explicitStatus: random.chance(0.12) && !enrolls,
    again: random.chance(0.05),
    creates,
    createContacts,
    atMostOnce: random.chance(0.1),
    variants,
    rateLimit: random.pick([600, 600, 600, 60]),
    prior: createPrior(list, random, manyKnown ? 0.9 : random.pick([0, 0, 0.1, 0.6])),
    suppressed: random.chance(0.3) ? some(list.emails, random, 0.1) : [],
    otherContacts: !creates && random.chance(0.02) ? LIMITS.freePlanSubscribers - random.int(0, 20) : 0,
    newerContacts: !creates && crowd.chance(CROWDED) ? crowd.int(900, 1_010) : 0,
    automation: {
      name: 'Welcome',
      status: random.pick(['active', 'active', 'active', 'paused']),
      ...(random.chance(0.2) ? { entryFilter: { company: 'Before' } } : {}),
    },
  };
}

// Share of the plots with an audience of about ten pages, which take longer to play.
const CROWDED = 0.04;

const COMMANDS = [
  'migrate',
  'migrate',
  'migrate',
  'contacts import',
  'suppressions import',
  ENROLL_COMMAND,
  ENROLL_COMMAND,
] as const satisfies readonly Plot['command'][];

/** Variants for some open points. Those that decide about consent are more frequent. */
function createVariants(random: Random): Record<string, string> {
  const chosen = Array.from({ length: random.int(1, 5) }, () => random.pick<AnyVariant>(VARIANTS));
  const variants = random.chance(0.3) ? [...chosen, random.pick(CONSENT)] : chosen;
  return Object.fromEntries(variants.map(({ name, readings }) => [name, random.pick<string>(readings)]));
}

type AnyVariant = (typeof VARIANTS)[number];

const CONSENT: readonly AnyVariant[] = VARIANTS.filter(({ name }) =>
  ['omitted_status', 'omitted_status_existing'].includes(name),
);

/** Contacts that exist before: a share of the list, and other people. */
function createPrior(list: List, random: Random, share: number): SeedContact[] {
  if (share === 0) {
    return [];
  }
  const known = some(list.emails, random, share);
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
