import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { LIMITS } from '../../../src/wire/limits.ts';
import { readSecret } from './check-output.ts';
import type { Scenario } from './scenario.ts';
import type { CreatedObject, Service } from './service.ts';
import { type Person, tagOf, type WantedObject } from './wanted.ts';

/** Describes every broken promise after the faults and two more attempts of each person. */
export function check(scenario: Scenario, service: Service, people: readonly Person[]): string[] {
  const wantedObjects = [...new Set(people.map(({ wanted }) => wanted))];
  return [
    ...service.broken,
    ...wantedObjects.flatMap(({ problems }) => problems),
    ...people.flatMap(checkWanted),
    ...checkRequests(scenario, service, wantedObjects),
  ];
}

function checkWanted(person: Person): string[] {
  const { wanted, service } = person;
  const last = wanted.results.at(-1)?.ended;
  const tags = Array.from({ length: wanted.attempt }, (_, index) => tagOf({ ...wanted, attempt: index + 1 }));
  const named = namedIn(wanted);
  const made = service.seen().filter(({ tag }) => tags.includes(tag));
  const strangers = [...named].filter((id) => !made.some((thing) => thing.id === id));
  return [
    ...(wanted.done ? [] : [`D1: not done two programs after the faults stopped: exit ${last?.code}: ${last?.err}`]),
    ...strangers.map((id) => `W1: ${id} was named as orphaned, but svc did not create it`),
    ...tags.flatMap((tag) => checkTag(person, { tag, named, made: made.filter((thing) => thing.tag === tag) })),
  ];
}

/** Endpoints that a run named as orphaned: their secret was lost. */
function namedIn({ results }: WantedObject): ReadonlySet<string> {
  const matches = results.flatMap(({ ended }) => [...ended.err.matchAll(/svc webhooks delete (whe_\w+)/g)]);
  return new Set(matches.map(([, id = '']) => id));
}

interface TagObjects {
  readonly tag: string;
  readonly named: ReadonlySet<string>;
  readonly made: readonly CreatedObject[];
}

/**
 * Checks that one object exists at most, and that its secret is kept. Objects that were deleted, or named as orphaned,
 * do not count. A user whom svc asked to look for the object finds all of them.
 */
function checkTag({ home, wanted, service }: Person, { tag, named, made }: TagObjects): string[] {
  const there = new Set(service.things().map(({ id }) => id));
  const counted = made.filter(({ id }) => there.has(id) && !named.has(id));
  const held = readSecret(home, tag) + wanted.results.map(({ ended }) => ended.out).join('\n');
  const holds = ({ secret }: CreatedObject) => secret !== undefined && held.includes(secret);
  const lost = counted.filter((thing) => thing.secret !== undefined && !holds(thing));
  const gone = made.filter((thing) => !there.has(thing.id) && readSecret(home, tag) === thing.secret);
  const unlooked = [
    ...(counted.length > 1 ? [`I4: ${counted.length} of ${tag}: ${counted.map(({ id }) => id).join(', ')}`] : []),
    ...lost.map(({ id }) => `W1: no person holds the secret of ${id}`),
    ...gone.map(({ id }) => `W1: the secret of ${id}, which is gone, is kept`),
  ];
  return [
    ...checkApart(made),
    ...(wanted.unknown.has(tag) ? [] : unlooked),
    // A kill can come right after the secret was shown.
    ...made
      .filter((thing) => !home.terminal && named.has(thing.id) && holds(thing))
      .map(({ id }) => `W1: ${id} was named as orphaned, but its secret is kept`),
  ];
}

/**
 * A second object is allowed only after the service gave up the claim of the key or forgot the key. So two objects of
 * one invocation are at least as far apart as a claim lasts.
 */
function checkApart(made: readonly CreatedObject[]): string[] {
  const times = made.map(({ fields }) => Date.parse(String(fields.created_at))).sort((a, b) => a - b);
  const close = times.filter((time, index) => time - (times[index - 1] ?? 0) < LIMITS.idempotencyClaimMs);
  return close.map((time) => `I9: two of one invocation within ${LIMITS.idempotencyClaimMs} ms, at ${time}`);
}

/**
 * Limits the number of requests. Each program needs three, with the search for existing objects and the read-back. A
 * quarter more is allowed, and for each fault what its rule allows.
 */
function checkRequests({ faults }: Scenario, service: Service, wantedObjects: readonly WantedObject[]): string[] {
  const programs = wantedObjects.reduce((sum, { results }) => sum + results.length, 0);
  const strikes = faults.reduce((sum, fault) => sum + (fault.times ?? 1) * costOf(fault), 0);
  const allowed = 1.25 * UNDISTURBED * programs + strikes;
  const sent = service.requests();
  return sent > allowed ? [`requests: ${sent}, ${allowed} allowed for ${programs} programs`] : [];
}

// For an audience, svc sends four: for the time of the service, the creation, its read-back, and the names of all
// audiences.
const UNDISTURBED = 4;
const CONFLICT = 85;
const OTHER = 10;

function costOf({ kind }: FaultRule): number {
  return kind === 'in_flight' || kind === 'lost_claim' || kind === 'slow' ? CONFLICT : OTHER;
}
