import type { Transport } from '../../../src/base/context.ts';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import type { Trace } from '../machine/service.ts';
import { watchWire } from '../machine/watch.ts';
import type { Random } from '../random.ts';
import type { Kind, Scenario } from './scenario.ts';
import { watchWindow } from './window.ts';

/** A created object: an endpoint with its description, or an audience with its name. */
export interface CreatedObject {
  readonly id: string;
  /** The description of an endpoint, or the name of an audience. */
  readonly tag: string;
  readonly secret: string | undefined;
  /** All fields of the object, as the API shows it. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An emulated service in which objects are created, with its clock and an observed transport. */
export interface Service {
  readonly emulator: Emulator;
  readonly clock: ManualClock;
  readonly trace: Trace | undefined;
  /** Descriptions of broken rules of the protocol. */
  readonly broken: readonly string[];
  requests(): number;
  /** The transport of one program that can be killed. `skewed`: the clock of its machine is wrong. */
  open(skewed: boolean, death: AbortSignal): Transport;
  /** The objects that exist now, except those of the start. */
  things(): CreatedObject[];
  /** All objects that existed at any moment, as first seen. */
  seen(): CreatedObject[];
  /** Ends the faults, restores the plan, and deletes the objects of the start to make room. */
  restoreAccount(): void;
  /** Another person deletes or changes an object. */
  changeFromOutside(thing: CreatedObject): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** The URL of all endpoints of the simulation. */
export const URL_OF_ALL = 'https://hooks.example.com/in';
export const EVENTS = ['email.bounced', 'email.complained'];

/** Opens the service of a scenario with its initial objects and its events. */
export async function openService(scenario: Scenario, random: Random, trace: Trace | undefined): Promise<Service> {
  const { kind, faults, variants, rateLimit, seed } = scenario;
  const clock = createManualClock();
  const randomHex = (length: number) => random.hex(length);
  const emulator = await createEmulator({ clock, randomHex, variants, rateLimit, faults: { seed, rules: [] } });
  await fill(emulator, scenario, random);
  const before = new Set(thingsIn(emulator, kind).map(({ id }) => id));
  await clock.advance(DAY_MS);
  faults.forEach((fault) => emulator.admin.addFault(fault));

  const seen = new Map<string, CreatedObject>();
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
    restoreAccount: () => {
      emulator.admin.clearFaults();
      emulator.admin.setPlan('paid');
      if (kind === 'webhook') {
        before.forEach((id) => emulator.admin.deleteWebhook(id));
      }
    },
    changeFromOutside: (thing) => {
      // The effect of a request can come after its program was killed.
      notice();
      return changeFromOutside(emulator, { kind, random, trace }, thing);
    },
    close: () => emulator.close(),
  };
}

/** Adds the initial objects of other people. Some of them look like the wanted one. */
async function fill(emulator: Emulator, { kind, prior }: Scenario, random: Random): Promise<void> {
  for (let number = 0; number < prior; number += 1) {
    const tag = random.pick(['First 1', 'Other']);
    const url = random.pick([URL_OF_ALL, `${URL_OF_ALL}/${number}`]);
    await ask(emulator, `POST ${PATHS[kind]}`, { name: tag, description: tag, url, events: EVENTS });
  }
}

const PATHS: Readonly<Record<Kind, string>> = { webhook: '/v1/webhooks', audience: '/v1/audiences' };

function thingsIn({ admin }: Emulator, kind: Kind): CreatedObject[] {
  return kind === 'webhook'
    ? admin.webhooks().map(({ secret, ...fields }) => ({ id: fields.id, tag: fields.description, secret, fields }))
    : admin
        .audiences()
        .map((fields) => ({ id: fields.id, tag: fields.name, secret: undefined, fields: { ...fields } }));
}

interface ChangeContext {
  readonly kind: Kind;
  readonly random: Random;
  readonly trace: Trace | undefined;
}

async function changeFromOutside(
  emulator: Emulator,
  { kind, random, trace }: ChangeContext,
  { id }: CreatedObject,
): Promise<void> {
  const { admin } = emulator;
  if (random.chance(0.5)) {
    kind === 'webhook' ? admin.deleteWebhook(id) : admin.deleteAudience(id);
    trace?.(`another person deletes ${id}`);
    return;
  }
  await ask(emulator, `PATCH ${PATHS[kind]}/${id}`, { name: 'Renamed', events: ['email.sent'] });
  trace?.(`another person changes ${id}`);
}

/** Another person sends a request. Its result doesn't matter. */
async function ask({ admin, handle }: Emulator, route: string, body: object): Promise<void> {
  const [method = '', path = ''] = route.split(' ');
  const headers = { authorization: `Bearer ${admin.createKey()}`, 'content-type': 'application/json' };
  await handle({ method, path, headers, body: Buffer.from(JSON.stringify(body)) }).catch(() => undefined);
}
