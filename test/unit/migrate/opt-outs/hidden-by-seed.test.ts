import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../../simulation/random.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { csv } from '../../../support/lists.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { everyNth } from '../../../support/sweep.ts';
import { BATCH, type RunOptions, type World } from '../../../support/world.ts';
import {
  addressOf,
  createAudience,
  FLAGS,
  REFUSED,
  SIGNS_UP,
  setStatuses,
  statusesOf,
  stoppedAtBatches,
} from './support.ts';

const BAD = { kind: 'error', status: 400, code: 'invalid_request', when: 'before', times: 1 } as const;
const FAULTS = [
  BAD,
  BAD,
  REFUSED,
  REFUSED,
  { kind: 'reset', when: 'after', times: 1 },
  { kind: 'reset', when: 'before', times: 1 },
  { kind: 'rate_limited', retry_after: '900', times: 1 },
  { kind: 'error', status: 500, code: 'internal_error', when: 'after', times: 1 },
] as const;

function addFaults({ emulator: { admin } }: World, random: Random): void {
  admin.clearFaults();
  for (let left = random.int(0, 2); left > 0; left -= 1) {
    admin.addFault({ ...random.pick(FAULTS), after: random.int(0, 6), match: { route: BATCH } });
  }
}

function anyStop(random: Random): RunOptions {
  const stops = [
    () => stoppedAtBatches(),
    () => stoppedAfterPost(random.int(1, 6)),
    () => stoppedAt('response lost'),
    () => stoppedAt('never arrives'),
    () => ({}),
  ];
  return random.pick(stops)();
}

/** A list that opts out each person whose number is a multiple of `step`, counted from the end. */
function withOptOuts(count: number, step: number): string {
  const status = (index: number) => ((count - 1 - index) % step === 0 ? 'unsubscribed' : 'subscribed');
  return csv('email,first_name,status', count, (index) => `${addressOf(index)},Name ${index},${status(index)}`);
}

const SEEDS = Array.from({ length: 240 }, (_, index) => index + 1);
// The error codes of a run that ended: none, a sign-up was found, or `upsert: false` is not proven.
const ENDS = [undefined, 'first_batch', 'in_doubt'];

// The newest 1,000 contacts of the audience are not in the list. So svc sees only later who of the list left. The
// service signs up each person whom svc sends without a status.
test.each(everyNth(SEEDS, 20, 4))('leaves no hidden opted-out person signed up: seed %i (C1, L2)', async (seed) => {
  const random = createRandom(seed);
  const count = random.pick([12, 40, 600, 900, 1_300]);
  const world = await createAudience(count, SIGNS_UP);
  const optOuts = random.pick([0, 0, 0, 1, 3, 60]);
  const step = Math.max(1, Math.floor(count / Math.max(1, optOuts)));
  const list = optOuts > 0 ? world.file('mixed.csv', withOptOuts(count, step)) : world.list;
  const { admin } = world.emulator;
  const absent = Array.from({ length: random.int(0, 4) }, () => random.int(0, count - 1));
  ['old@example.com', ...absent.map(addressOf)].forEach((email) => admin.deleteContact(email));
  const anyone = () => random.pick([0, 1, count >> 2, count >> 1, count - 2, count - 1, random.int(0, count - 1)]);
  addFaults(world, random);
  const flags = ['--explicit-status', '--no-verify'].filter(() => random.chance(0.5));
  let { json } = await world.svc(['migrate', list, ...FLAGS, ...flags], anyStop(random));
  const optedOut = [anyone(), anyone(), anyone()].filter((number) => admin.contact(addressOf(number)) !== undefined);
  await setStatuses(world, optedOut, 'unsubscribed');
  addFaults(world, random);
  const options = anyStop(random);
  for (let tries = 0; tries < 4 && !ENDS.includes(json.error?.code); tries += 1) {
    ({ json } = await world.svc('runs resume --json', tries === 0 ? options : {}));
    admin.clearFaults();
    await world.clock.advance(60 * 60_000);
  }
  const signedUp = optedOut.filter((number) => statusesOf(world, [number])[0] !== 'unsubscribed');
  expect([ENDS.includes(json.error?.code), signedUp]).toEqual([true, []]);
});
