import { expect, test } from 'vitest';
import type { Transport, WireRequest } from '../../../../src/base/context.ts';
import { afterResponse, stoppedAfterPost } from '../../../support/after-post.ts';
import { csv, people } from '../../../support/lists.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { createWorld, type RunOptions } from '../../../support/world.ts';
import {
  addressOf,
  createAudience,
  FLAGS,
  SIGNS_UP,
  setStatuses,
  statusesOf,
  withoutListedOptOuts,
  withoutShownOptOuts,
} from './support.ts';

/** A list of the people with these numbers, of whom it opts some out. */
function listOf(from: number, to: number, optedOut: readonly number[] = []): string {
  const status = (number: number) => (optedOut.includes(number) ? 'unsubscribed' : 'subscribed');
  return csv('email,first_name,status', to - from, (index) => {
    const number = from + index;
    return `${addressOf(number)},Name ${number},${status(number)}`;
  });
}

/** Calls `act` before each contact batch, with its people. The batch is not sent if `act` throws. */
function beforeBatches(act: (emails: readonly string[]) => void): Required<Pick<RunOptions, 'transport'>> {
  const isBatch = ({ method, url }: WireRequest) => method === 'POST' && url.pathname.endsWith('/batch');
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      if (isBatch(request)) {
        act(JSON.parse(String(request.body)).contacts.map(({ email }: { readonly email: string }) => email));
      }
      return inner.send(request, signal);
    },
  });
  return { transport };
}

// The service signs up each person whom svc sends without a status. svc does not read the pages of the audience that
// have the people of the list.
test.each([[[10]], [[10, 1_250]]])(
  'opts a person out again when 400 people joined, list opt-outs: %j (C1)',
  async (optedOut) => {
    const world = await createAudience(1_300, SIGNS_UP);
    const { admin } = world.emulator;
    const joining = Array.from({ length: 400 }, (_, index) => addressOf(100 + index));
    joining.forEach((email) => admin.deleteContact(email));
    const stopper = new AbortController();
    const options = beforeBatches((emails) => {
      if (emails.length > 50) {
        admin.addContacts(joining.filter((email) => !admin.contact(email)).map((email) => ({ email })));
      }
      if (emails.includes(addressOf(1_200))) {
        stopper.abort();
        throw Object.assign(new Error('no route'), { code: 'ECONNREFUSED' });
      }
    });
    const list = world.file('list.csv', listOf(0, 1_300, optedOut));
    const line = ['migrate', list, ...FLAGS, '--explicit-status', '--concurrency', '1'];
    await world.svc(line, { ...options, signal: stopper.signal });
    await setStatuses(world, [1_299], 'unsubscribed');
    const { code, json } = await world.svc('runs resume --json');
    expect([code, json.error?.message]).toEqual([8, expect.stringContaining(addressOf(1_299))]);
    expect(statusesOf(world, [1_299])).toEqual(['unsubscribed']);
  },
);

test('compares counts when the service shows no opted-out people (C1, L2)', async () => {
  const world = await createWorld({ variants: SIGNS_UP });
  world.emulator.admin.addContacts(Array.from({ length: 40 }, (_, index) => ({ email: addressOf(index) })));
  // None of these five is among the first people, who are read back one by one.
  await setStatuses(world, [8, 9, 11, 12, 13], 'unsubscribed');
  const line = ['migrate', world.file('list.csv', listOf(0, 40)), ...FLAGS];
  const { code, json } = await world.svc(line, withoutShownOptOuts());
  expect([code, json.error.message]).toEqual([
    8,
    expect.stringContaining('the audience has at least 5 unsubscribed people fewer than before'),
  ]);
});

test.each([40, 3_100])('finds opted-out people of %i by look-ups when no page shows them (C1)', async (people) => {
  const world = await createWorld({ variants: SIGNS_UP });
  world.emulator.admin.addContacts(Array.from({ length: people }, (_, index) => ({ email: addressOf(index) })));
  const left = [8, 9, 10, 11, 12, 13];
  await setStatuses(world, left, 'unsubscribed');
  const line = ['migrate', world.file('list.csv', listOf(0, people)), ...FLAGS];
  const { code, json } = await world.svc(line, withoutListedOptOuts());
  expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', people - 4]);
  expect(statusesOf(world, left)).toEqual(left.map(() => 'unsubscribed'));
  // Of a list with more than 3,000 people, svc looks up only some.
  const lookUps = world.requests().filter(({ path }) => /contacts\/person/.test(path));
  expect(lookUps.length).toBeLessThan(3_000 + 20);
});

test('compares no opt-out counts when a contact is deleted meanwhile (C1, L2)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  admin.addContacts(Array.from({ length: 150 }, (_, index) => ({ email: addressOf(index) })));
  admin.setStatus(addressOf(45), 'unsubscribed');
  const options = afterResponse(
    1,
    ({ url }) => /\/contacts$/.test(url.pathname),
    () => admin.deleteContact(addressOf(45)),
  );
  const { code, json } = await world.svc(['migrate', world.file('list.csv', listOf(0, 40)), ...FLAGS], options);
  const counted = json.verification.checks.filter(({ check }: { readonly check: string }) => check === 'opt_outs');
  expect([code, counted]).toEqual([0, []]);
});

test('compares no opt-out counts when svc read every status (C1, L2)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts(Array.from({ length: 30 }, (_, index) => ({ email: addressOf(index) })));
  let batches = 0;
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      batches += request.method === 'POST' ? 1 : 0;
      const response = await inner.send(request, signal);
      const body = JSON.parse(String(response.body));
      // Until the first regular batch, the service returns older counts, with one opt-out more.
      if (!body.contact_counts || batches > 1) {
        return response;
      }
      body.contact_counts.unsubscribed += 1;
      body.contact_counts.subscribed -= 1;
      return { ...response, body: Buffer.from(JSON.stringify(body)) };
    },
  });
  const { code, json } = await world.svc(['migrate', world.file('list.csv', listOf(0, 40)), ...FLAGS], { transport });
  const counted = json.verification.checks.filter(({ check }: { readonly check: string }) => check === 'opt_outs');
  expect([code, json.rows.created, json.rows.updated, counted]).toEqual([0, 10, 30, []]);
});

// An enrollment reads the people of an interrupted run back, but does not overtake the run. So the run may continue.
test('the next import reads back a canary resent after an enrollment (C1)', async () => {
  const world = await createAudience(20, SIGNS_UP, 50);
  await setStatuses(world, [10], 'unsubscribed');
  const list = world.file('list.csv', listOf(0, 20));
  const { json } = await world.svc(['migrate', list, ...FLAGS], stoppedAt('never arrives'));
  const id = world.emulator.admin.createAutomation({ name: 'Welcome' });
  const fresh = world.file(
    'fresh.csv',
    csv('email,status', 3, (index) => `fresh${index}@example.com,subscribed`),
  );
  await world.svc(['automations', 'enroll', id, fresh, '--create-contacts', ...FLAGS]);
  await world.svc(`runs resume ${json.run} --json`, stoppedAfterPost(1));
  expect(statusesOf(world, [10])).toEqual(['subscribed']);
  const { code } = await world.svc(['migrate', world.file('other.csv', people(10, 5_000)), ...FLAGS]);
  expect([code, ...statusesOf(world, [10])]).toEqual([8, 'unsubscribed']);
});
