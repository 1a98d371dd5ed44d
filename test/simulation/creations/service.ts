import { createManualClock, type ManualClock } from '../../../src/base/lib/manual-clock.ts';
import type { Transport } from '../../../src/base/transport.ts';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import type { Random } from '../random.ts';
import type { Trace } from '../service.ts';
import { watchWire } from '../watch.ts';
import type { Kind, Scenario } from './scenario.ts';
import { watchWindow } from './window.ts';

/** Something that was created: an endpoint, known by its description, or an audience, known by its name. */
export interface Thing {
  readonly id: string;
  /** Description or name. */
  readonly tag: string;
  readonly secret: string | undefined;
  /** Its fields as a retrieval shows them. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An emulated service in which things are created, its clock, and a watch on its wire. */
export interface Service {
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  readonly trace: Trace | undefined;
  /** Broken rules of the wire, in words. */
  readonly broken: readonly string[];
  requests(): number;
  /** A wire for one program that may die, on a machine whose clock may be wrong. */
  open(skewed: boolean, death: AbortSignal): Transport;
  /** What there is now, less what was there before. */
  things(): Thing[];
  /** What there was at any moment, as it was first seen. */
  seen(): Thing[];
  /** The account is put in order: faults stop, the plan is as it was, and what was there before makes room. */
  settle(): void;
  /** Somebody deletes or changes a thing. */
  meddle(thing: Thing): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Where all endpoints of a simulation are. */
export const URL_OF_ALL = 'https://hooks.example.com/in';
export const EVENTS = ['email.bounced', 'email.complained'];

/** Opens the service of a scenario, with what is there before and what is going to happen. */
export async function openService(scenario: Scenario, random: Random, trace: Trace | undefined): Promise<Service> {
  const { kind, faults, variants, rateLimit, seed } = scenario;
  const clock = createManualClock();
  const randomHex = (length: number) => random.hex(length);
  const emulator = await createEmulator({ clock, randomHex, variants, rateLimit, faults: { seed, rules: [] } });
  await fill(emulator, scenario, random);
  const before = new Set(thingsIn(emulator, kind).map(({ id }) => id));
  await clock.advance(DAY_MS);
  faults.forEach((fault) => emulator.admin.addFault(fault));

  const seen = new Map<string, Thing>();
  const things = () => thingsIn(emulator, kind).filter(({ id }) => !before.has(id));
  const notice = () =>
    things()
      .filter(({ id }) => !seen.has(id))
      .forEach((thing) => seen.set(thing.id, thing));
  const idle = () => undefined;
  const wire = watchWire({ clock, random, inner: emulator.transport(), meanwhile: idle, optsOut: idle, notice, trace });
  const window = watchWindow(clock);
  return {
    emulator,
    clock,
    trace,
    get broken() {
      return [...wire.broken, ...window.broken];
    },
    requests: () => wire.requests.length,
    open: (skewed, death) => window.open(wire.open(), skewed, death),
    things,
    seen: () => {
      notice();
      return [...seen.values()];
    },
    settle: () => {
      emulator.admin.clearFaults();
      emulator.admin.setPlan('paid');
      if (kind === 'webhook') {
        before.forEach((id) => emulator.admin.deleteWebhook(id));
      }
    },
    meddle: (thing) => {
      // An effect may have come after the program that asked for it was killed.
      notice();
      return meddle(emulator, { kind, random, trace }, thing);
    },
    close: () => emulator.close(),
  };
}

/** What is there before: things of other people, some of which look the same. */
async function fill(emulator: Emulator, { kind, prior }: Scenario, random: Random): Promise<void> {
  for (let number = 0; number < prior; number += 1) {
    const tag = random.pick(['First 1', 'Other']);
    const url = random.pick([URL_OF_ALL, `${URL_OF_ALL}/${number}`]);
    await ask(emulator, `POST ${PATHS[kind]}`, { name: tag, description: tag, url, events: EVENTS });
  }
}

const PATHS: Readonly<Record<Kind, string>> = { webhook: '/v1/webhooks', audience: '/v1/audiences' };

function thingsIn({ admin }: Emulator, kind: Kind): Thing[] {
  return kind === 'webhook'
    ? admin.webhooks().map(({ secret, ...fields }) => ({ id: fields.id, tag: fields.description, secret, fields }))
    : admin
        .audiences()
        .map((fields) => ({ id: fields.id, tag: fields.name, secret: undefined, fields: { ...fields } }));
}

interface Meddling {
  readonly kind: Kind;
  readonly random: Random;
  readonly trace: Trace | undefined;
}

async function meddle(emulator: Emulator, { kind, random, trace }: Meddling, { id }: Thing): Promise<void> {
  const { admin } = emulator;
  if (random.chance(0.5)) {
    kind === 'webhook' ? admin.deleteWebhook(id) : admin.deleteAudience(id);
    trace?.(`somebody deletes ${id}`);
    return;
  }
  await ask(emulator, `PATCH ${PATHS[kind]}/${id}`, { name: 'Renamed', events: ['email.sent'] });
  trace?.(`somebody changes ${id}`);
}

/** Somebody else asks the service for something. Whether it does it is its own affair. */
async function ask({ admin, handle }: Emulator, route: string, body: object): Promise<void> {
  const [method = '', path = ''] = route.split(' ');
  const headers = { authorization: `Bearer ${admin.createKey()}`, 'content-type': 'application/json' };
  await handle({ method, path, headers, body: Buffer.from(JSON.stringify(body)) }).catch(() => undefined);
}
