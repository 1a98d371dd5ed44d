import { describe, expect, test } from 'vitest';
import { startService } from '../../contract/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';

describe('the emulator', () => {
  test.each([
    { title: 'the same fields', change: {}, later: false },
    { title: 'no attributes', change: { attributes: {} }, later: false },
    {
      title: 'the same attributes in another order',
      change: { attributes: { city: 'Oslo', plan: 'pro' } },
      later: false,
    },
    { title: 'null for a key that isn’t there', change: { attributes: { size: null } }, later: false },
    { title: 'another name', change: { first_name: 'Bo' }, later: true },
    { title: 'another value', change: { attributes: { plan: 'max' } }, later: true },
    { title: 'null for a key that is there', change: { attributes: { plan: null } }, later: true },
    { title: 'another status', change: { status: 'unsubscribed' }, later: true },
  ])('counts one update when an upsert has $title; new updated_at: $later', async ({ change, later }) => {
    const { ask, audience, clock } = await startService();
    const path = `/v1/audiences/${audience}/contacts`;
    const first = { email: 'a@example.com', first_name: 'Ana', attributes: { plan: 'pro', city: 'Oslo' } };
    const send = (contact: object) => ask('POST', `${path}/batch`, { body: { upsert: true, contacts: [contact] } });
    await send(first);
    const before = (await ask('GET', `${path}/a@example.com`)).json;
    await clock.advance(1_000);
    expect((await send({ ...first, ...change })).json.summary).toEqual({ created: 0, updated: 1, failed: 0 });
    const after = (await ask('GET', `${path}/a@example.com`)).json;
    expect(after.updated_at !== before.updated_at).toBe(later);
    expect(JSON.stringify(after) === JSON.stringify(before)).toBe(!later);
  });

  test('sets unsubscribed_at to updated_at when the clock moves meanwhile', async () => {
    const clock = createManualClock();
    let reads = 0;
    const { ask, audience } = await startService({ clock: { ...clock, now: () => clock.now() + reads++ } });
    const path = `/v1/audiences/${audience}/contacts`;
    await ask('POST', path, { body: { email: 'a@example.com' } });
    await ask('POST', `${path}?upsert=true`, { body: { email: 'a@example.com', status: 'unsubscribed' } });
    const { unsubscribed_at, updated_at } = (await ask('GET', `${path}/a@example.com`)).json;
    expect(unsubscribed_at).toBe(updated_at);
  });
});
