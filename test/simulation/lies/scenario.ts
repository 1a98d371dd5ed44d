import type { SeedContact } from '../../../src/emulator/admin/contacts.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { createRandom, type Random } from '../random.ts';
import { createFaults } from '../scenario/faults.ts';
import { createPlot, type Plot } from '../scenario/plot.ts';
import { type Lie, WAYS_TO_COUNT } from './service.ts';

/** A list, an audience with people who are not subscribed, and a service that does not behave as expected. */
export interface LiesScenario {
  readonly seed: number;
  readonly random: Random;
  readonly plot: Plot;
  readonly lie: Lie;
  readonly faults: readonly FaultRule[];
  /** The lists of the rounds before the calm ones. Most have the same people as the list of the plot. */
  readonly rounds: readonly Round[];
  /** The people whom the list opts out. */
  readonly optOuts: ReadonlySet<string>;
}

/** One program, and what happens before it. */
export interface Round {
  /** How many rows at the beginning of the list are missing. Without them it is another list. */
  readonly skipped: number;
  readonly killRate: number;
  readonly interruptRate: number;
  readonly pauseMs: number;
  /** Probability that a subscribed person leaves before the program, or that a person who left comes back. */
  readonly changeRate: number;
}

const NOT_SUBSCRIBED = ['unsubscribed', 'pending', 'bounced', 'cleaned'];

export function createLies(seed: number): LiesScenario {
  const random = createRandom(seed * 2_654_435_789);
  const emails = Array.from({ length: random.int(3, 40) }, (_, index) => `p${index}@example.com`);
  const optOutRate = random.pick([0, 0, 0.15]);
  const optOuts = new Set(emails.filter(() => random.chance(optOutRate)));
  const csv = csvOf(emails, optOuts);
  const prior = createPrior(emails, random);
  const plot: Plot = {
    ...createPlot(1),
    command: 'migrate',
    list: { bytes: Buffer.from(csv), csv, emails },
    batchSize: random.int(2, 14),
    concurrency: random.int(1, 4),
    explicitStatus: random.chance(0.2),
    again: random.chance(0.1),
    creates: false,
    variants: {},
    rateLimit: 600,
    prior,
    suppressed: random.chance(0.2) ? emails.filter(() => random.chance(0.1)) : [],
    otherContacts: 0,
    newerContacts: random.chance(0.08) ? random.int(900, 1_010) : 0,
  };
  const rounds = createRounds(random);
  const lie = createLie(random, rounds.length === 0 && plot.newerContacts === 0);
  const faults = random.chance(0.5) ? createFaults(random, { enrolls: false }) : [];
  const isAllShown = lie.hidden.length === 0 && plot.newerContacts === 0;
  const known = isAllShown ? plot : { ...plot, prior: prior.map(withKnownStatus) };
  return { seed, random, plot: known, lie, faults: faults.filter(isFair), rounds, optOuts };
}

/** The rows of a list. Each row names a person and their status. */
export function csvOf(emails: readonly string[], optOuts: ReadonlySet<string>): string {
  const rows = emails.map(
    (email, index) => `${email},Name ${index},${optOuts.has(email) ? 'unsubscribed' : 'subscribed'}`,
  );
  return `email,first_name,status\n${rows.join('\n')}\n`;
}

// svc finds silently dropped rows only in its samples. The other simulation plays them.
function isFair({ kind }: FaultRule): boolean {
  return kind !== 'drop_rows';
}

// svc can't prove what happens to people with a status that it does not know, if it has read none of these people.
function withKnownStatus(contact: SeedContact): SeedContact {
  return contact.status === 'cleaned' ? { ...contact, status: 'bounced' } : contact;
}

function createPrior(emails: readonly string[], random: Random): SeedContact[] {
  const statuses = NOT_SUBSCRIBED.filter(() => random.chance(0.6));
  const share = random.pick([0.3, 0.3, 0.9]);
  const hasNames = random.chance(0.5);
  const known = emails.flatMap((email, index) => {
    const status = statuses.length > 0 && random.chance(0.3) ? random.pick(statuses) : 'subscribed';
    return random.chance(share) ? [{ email, status, ...(hasNames && { first_name: `Name ${index}` }) }] : [];
  });
  const others = Array.from({ length: random.int(0, 3) }, (_, index) => ({
    email: `other${index}@example.com`,
    status: random.pick(['subscribed', 'unsubscribed']),
  }));
  return [...known, ...others];
}

/**
 * svc can't know of people whom neither the lists nor the counts show. So a service that hides people counts all of
 * them. A resume does not know who had opted out before the run, except the people of the canary. So effects come late
 * only if no program is stopped, and if svc reads all pages of the audience.
 */
function createLie(random: Random, knowsWhoLeft: boolean): Lie {
  const signsUp = NOT_SUBSCRIBED.filter(() => random.chance(0.5));
  const hides = random.chance(0.2);
  const hidden = NOT_SUBSCRIBED.filter(() => hides && random.chance(0.6));
  return {
    signsUp,
    newStatus: random.chance(0.25) ? 'pending' : 'subscribed',
    hidden,
    counts: hidden.length > 0 ? 'all people' : random.pick(WAYS_TO_COUNT),
    lag: knowsWhoLeft && random.chance(0.5) ? random.int(1, 3) : 0,
  };
}

const HOUR = 3_600_000;

function createRounds(random: Random): Round[] {
  return Array.from({ length: random.int(0, 3) }, (_, index) => ({
    skipped: index > 0 && random.chance(0.25) ? 1 : 0,
    killRate: random.pick([0, 0.5, 1]),
    interruptRate: random.pick([0, 0.3]),
    pauseMs: random.pick([1_000, 6 * 60_000, 2 * HOUR, 26 * HOUR]),
    changeRate: random.pick([0, 0, 0.1]),
  }));
}
