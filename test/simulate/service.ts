import { createManualClock, type ManualClock } from '../../src/base/manual-clock.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { FaultRule } from '../../src/emulator/faults.ts';
import { createIds } from '../../src/emulator/ids.ts';
import type { Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { type Watch, watchWire } from './watch.ts';

/** An emulated service with the people of a scenario in it, its clock, and a watch on its wire. */
export interface Service {
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  readonly watch: Watch;
  /** Addresses that were unsubscribed or suppressed at any moment so far. */
  readonly left: ReadonlySet<string>;
  /** Addresses that somebody else changed on the way. */
  readonly changed: ReadonlySet<string>;
  /** Audience that the run is aimed at; undefined before the run created it. */
  audienceId(): string | undefined;
  close(): Promise<void>;
  /** Told what happens, for whoever replays a seed. */
  readonly trace?: Trace | undefined;
}

export type Trace = (line: string) => void;

export const NEW_AUDIENCE = 'Simulated';

/** What happens around a run, and who is told. */
export interface Events {
  readonly faults: readonly FaultRule[];
  readonly leaving: number;
  readonly trace?: Trace | undefined;
}

/** Opens the service of a scenario; `leaving` is how often somebody leaves around a request. */
export async function openService(
  scenario: Scenario,
  random: Random,
  { faults, leaving, trace }: Events,
): Promise<Service> {
  const clock = createManualClock();
  const emulator = await createEmulator({
    clock,
    randomHex: (length) => random.hex(length),
    quirks: scenario.quirks,
    rateLimit: scenario.rateLimit,
    faults: { seed: scenario.seed, rules: faults },
  });
  const { admin } = emulator;
  admin.addContacts(scenario.prior);
  admin.suppress(scenario.suppressed, 'bounced');
  const left = new Set<string>();
  const changed = new Set<string>();
  const audienceId = () => (scenario.creates ? createdId(emulator) : emulator.audienceId);
  const notice = () => {
    for (const email of peopleWhoLeft(emulator, audienceId())) {
      left.add(email);
    }
  };
  const meanwhile = () => {
    if (leaving > 0 && random.chance(leaving)) {
      somebodyLeaves({ emulator, random, changed, trace }, audienceId());
      notice();
    }
  };
  notice();
  const watch = watchWire({ clock, random, inner: emulator.transport(), meanwhile, notice, trace });
  return { emulator, clock, watch, trace, left, changed, audienceId, close: () => emulator.close() };
}

// The store numbers its audiences; the first is there from the start, so the second is the one that the run created.
function createdId({ admin, storeId }: Emulator): string | undefined {
  return admin.state().audiences > 1 ? createIds(storeId.slice(0, 8)).make('audience', 2) : undefined;
}

function peopleWhoLeft({ admin }: Emulator, audienceId: string | undefined): string[] {
  const contacts = audienceId === undefined ? [] : admin.contacts(audienceId);
  const unsubscribed = contacts.filter(({ status }) => status === 'unsubscribed');
  return [...unsubscribed, ...admin.suppressions()].map(({ email }) => email);
}

interface Leaving {
  readonly emulator: Emulator;
  readonly random: Random;
  readonly changed: Set<string>;
  readonly trace: Trace | undefined;
}

/** Somebody who is in the audience unsubscribes, or complains and is suppressed. */
function somebodyLeaves({ emulator, random, changed, trace }: Leaving, audienceId: string | undefined): void {
  const { admin } = emulator;
  if (audienceId === undefined) {
    return;
  }
  const there = admin.contacts(audienceId).filter(({ status }) => status === 'subscribed');
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
}
