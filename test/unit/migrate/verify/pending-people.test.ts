import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { csv, people } from '../../../support/lists.ts';
import { withTraffic } from '../../../support/traffic.ts';
import { createWorld } from '../../../support/world.ts';
import { addressOf, FLAGS, SIGNS_UP, statusesOf } from '../canary/support.ts';

// The first four people of the list whom svc would look up without a reason are others.
const PENDING = [7, 9, 12];

/** A service that signs people up. The list has people of this status, and the audience has the people of `others`. */
async function createPeople(status: string, others: readonly string[] = []) {
  const world = await createWorld({ variants: SIGNS_UP });
  const { admin } = world.emulator;
  admin.addContacts([...PENDING.map((index) => ({ email: addressOf(index), status })), ...others.map(toContact)]);
  await world.clock.advance(60_000);
  return { world, line: ['migrate', world.file('list.csv', people(20)), ...FLAGS] };
}

function toContact(email: string) {
  return { email };
}

/** A service whose counts leave out people who are pending or bounced. */
const COUNTS_CONFIRMED = withTraffic({
  of: /^GET .*audiences\/[^/]+$/,
  response: (body) => {
    const { subscribed, unsubscribed } = body.contact_counts;
    return { ...body, contact_counts: { subscribed, unsubscribed, total: subscribed + unsubscribed } };
  },
});

describe.each(['pending', 'bounced'])('an audience of %s people only, whom the counts leave out', (status) => {
  test('is read, and the run stops if the service signs them up (C1, L2)', async () => {
    const { world, line } = await createPeople(status);
    const { code, json } = await world.svc(line, COUNTS_CONFIRMED);
    expect([code, json.error?.code]).toEqual([8, 'first_batch']);
    expect(statusesOf(world, PENDING).includes('subscribed')).toBe(false);
  });

  test('gets no second contact under another spelling (C1, F8)', async () => {
    const world = await createWorld();
    world.emulator.admin.addContacts([{ email: 'zoë@xn--bcher-kva.test', status }]);
    await world.clock.advance(60_000);
    const list = csv('email,status', 1, () => 'zoë@bücher.test,subscribed');
    const { code } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS], COUNTS_CONFIRMED);
    const contacts = world.emulator.admin.contacts().map((contact) => [contact.email, contact.status]);
    expect([code, contacts]).toEqual([0, [['zoë@xn--bcher-kva.test', status]]]);
  });
});
