/** The emulated service of a simulation, with its people and the events around a run. */

import type { Transport } from '../../../src/base/context.ts';
import type { SeedContact } from '../../../src/emulator/admin/contacts.ts';
import { createIds } from '../../../src/emulator/context/formats.ts';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { ENROLL_COMMAND } from '../../../src/enroll/draft/enroll-options.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import type { Random } from '../random.ts';
import type { Plot } from '../scenario/plot.ts';
import { findReturners, type Scenario } from '../scenario/scenario.ts';
import { type Observer, watchWire } from './watch.ts';

/** An emulated service with the people of a scenario, its clock, and an observed transport. */
export interface Service {
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  readonly watch: Observer;
  /** Addresses that were unsubscribed or suppressed at any moment so far. */
  readonly optedOut: ReadonlySet<string>;
  /** Addresses that another program changed meanwhile. */
  readonly changed: ReadonlySet<string>;
  /** Addresses of people who came back before any request with them may have had an effect. */
  readonly returned: ReadonlySet<string>;
  /**
   * True if another program changed people before the first canary was sent. The canary then has other people than in
   * an undisturbed run.
   */
  readonly changedEarly: boolean;
  /**
   * True for a person without a status if the service treats new and known people differently. Then the state depends
   * on the number of writes.
   */
  readonly isUndecided: (email: string) => boolean;
  /** The automation of the plot, if it has one. */
  readonly automationId: string | undefined;
  /** The target audience; undefined until the run creates it. */
  audienceId(): string | undefined;
  /** A person who had opted out comes back, in a pause between two programs. */
  comeBack(random: Random): void;
  close(): Promise<void>;
  /** Receives each step as a line, to compare two runs of a seed. */
  readonly trace?: Trace | undefined;
}

export type Trace = (line: string) => void;

const CROWD = 'crowd';

export const NEW_AUDIENCE = 'Simulated';

/** The events around a run, and their receiver. */
export interface Events {
  readonly random: Random;
  readonly seed: number;
  readonly faults: readonly FaultRule[];
  /** Probability that a person opts out around a request. */
  readonly optOutRate: number;
  readonly reentry: Scenario['reentry'];
  readonly automationChange: Scenario['automationChange'];
  readonly trace?: Trace | undefined;
  /** Makes another service of the emulated one. Default: it stays as it is. */
  readonly disguise?: (emulator: Emulator, inner: Transport) => Transport;
}

/** Opens the service of a plot. `events` hold its faults and the opt-outs of its people. */
export async function openService(plot: Plot, events: Events): Promise<Service> {
  const { random, faults, optOutRate, trace, seed, disguise = (_, inner) => inner } = events;
  const clock = createManualClock();
  const emulator = await createEmulator({
    clock,
    randomHex: (length) => random.hex(length),
    variants: plot.variants,
    rateLimit: plot.rateLimit,
    faults: { seed, rules: faults },
  });
  const automationId = fill(emulator, plot, events);
  const optedOut = new Set<string>();
  const changed = new Set<string>();
  const returned = new Set<string>();
  let changedEarly = false;
  const audienceId = () => (plot.creates ? createdId(emulator) : emulator.audienceId);
  // The people of the start are in another audience than a created one.
  const decided = new Set(plot.creates ? [] : plot.prior.map(({ email }) => email));
  const isUndecided = (email: string) => treatsNewPeopleApart(plot) && !decided.has(email) && !changed.has(email);
  const notice = () => {
    for (const email of peopleWhoLeft(emulator, audienceId(), isUndecided)) {
      optedOut.add(email);
    }
  };
  const meanwhile = () => {
    if (optOutRate > 0 && random.chance(optOutRate)) {
      optSomeoneOut({ emulator, random, changed, returned, trace }, audienceId());
      changedEarly ||= changed.size > 0 && watch.canary.size === 0;
      notice();
    }
  };
  notice();
  const optsOut = (email: string) => decided.add(email);
  const inner = disguise(emulator, emulator.transport());
  const watch = watchWire({ clock, random, inner, meanwhile, notice, optsOut, trace });
  const close = () => emulator.close();
  const comeBack = (random: Random) => {
    const isOptedOut = (email: string) => emulator.admin.contact(email, audienceId())?.status === 'unsubscribed';
    const isPlain = (email: string) => !watch.maybeWritten.has(email) && !plot.suppressed.includes(email);
    const [email] = findReturners(plot).filter((one) => isOptedOut(one) && isPlain(one) && random.chance(0.6));
    if (email !== undefined) {
      emulator.admin.setStatus(email, 'subscribed', audienceId());
      trace?.(`${email} comes back`);
      optedOut.delete(email);
      changed.add(email);
      returned.add(email);
      changedEarly ||= watch.canary.size === 0;
    }
  };
  return {
    emulator,
    clock,
    watch,
    trace,
    optedOut,
    changed,
    returned,
    get changedEarly() {
      return changedEarly;
    },
    isUndecided,
    audienceId,
    automationId,
    comeBack,
    close,
  };
}

/** True for a service that subscribes known people without a status, but not new ones. */
function treatsNewPeopleApart({ variants, explicitStatus }: Plot): boolean {
  const { omitted_status: created = 'subscribed', omitted_status_existing: updated } = variants;
  return !explicitStatus && created !== 'subscribed' && updated === 'subscribed';
}

/** Adds the initial people and the automation: the target, or one that may start for imported people. */
function fill({ admin, audienceId }: Emulator, plot: Plot, { reentry, automationChange }: Events): string | undefined {
  admin.addContacts(plot.prior);
  admin.suppress(plot.suppressed, 'bounced');
  if (plot.newerContacts > 0) {
    admin.addContacts(createCrowd(plot.newerContacts));
  }
  if (plot.otherContacts > 0) {
    admin.addContacts(createCrowd(plot.otherContacts), admin.createAudience('Crowd'));
  }
  const enrolls = plot.command === ENROLL_COMMAND;
  if (!enrolls && !automationChange) {
    return undefined;
  }
  const automation = enrolls
    ? { ...plot.automation, reentry }
    : { name: 'Greeting', trigger: 'audience_join', status: 'draft' };
  const id = admin.createAutomation({ ...automation, audienceId });
  if (automationChange) {
    const { after, status } = automationChange;
    admin.addFault({ kind: 'change', automation: { id, status }, when: 'before', after, times: 1 });
  }
  return id;
}

function createCrowd(length: number): SeedContact[] {
  return Array.from({ length }, (_, index) => ({ email: `${CROWD}${index}@example.com` }));
}

// Ids of audiences are numbered. The first audience exists from the start, so the second is the created one.
function createdId({ admin, storeId }: Emulator): string | undefined {
  return admin.state().audiences > 1 ? createIds(storeId.slice(0, 8)).make('audience', 2) : undefined;
}

function peopleWhoLeft(
  { admin }: Emulator,
  audienceId: string | undefined,
  isUndecided: Service['isUndecided'],
): string[] {
  const contacts = audienceId === undefined ? [] : admin.contacts(audienceId);
  const unsubscribed = contacts.filter(({ status, email }) => status === 'unsubscribed' && !isUndecided(email));
  return [...unsubscribed, ...admin.suppressions()].map(({ email }) => email);
}

interface OptOutContext {
  readonly emulator: Emulator;
  readonly random: Random;
  readonly changed: Set<string>;
  readonly returned: Set<string>;
  readonly trace: Trace | undefined;
}

/** A person of the audience unsubscribes, or complains and is suppressed. */
function optSomeoneOut(
  { emulator, random, changed, returned, trace }: OptOutContext,
  audienceId: string | undefined,
): void {
  const { admin } = emulator;
  if (audienceId === undefined) {
    return;
  }
  const there = admin
    .contacts(audienceId)
    .filter(({ status, email }) => status === 'subscribed' && !email.startsWith(CROWD));
  if (there.length === 0) {
    return;
  }
  const { email } = random.pick(there);
  if (random.chance(0.7)) {
    admin.setStatus(email, 'unsubscribed', audienceId);
  } else {
    admin.suppress([email], 'complained');
  }
  trace?.(`${email} leaves`);
  changed.add(email);
  returned.delete(email);
}
