import { expect, test } from 'vitest';
import { csv } from '../support/lists.ts';
import { createWorld, type World } from '../support/world.ts';

const PEOPLE = 560;
const MINUTE = 60_000;
const NO_HEADERS = {
  kind: 'headers',
  headers: { 'ratelimit-limit': null, 'ratelimit-remaining': null, 'ratelimit-reset': null },
} as const;

test.each([
  ['one every half second, under a weighted window', { variants: { rate_window: 'weighted' } }, 1],
  ['one every half second, where refused requests count', { variants: { rate_counts_refused: 'yes' } }, 1],
  ['one every half second, without headers', { faults: [NO_HEADERS] }, 1],
  ['a minute’s share at once', {}, 120],
  ['a minute’s share at once, under a weighted window', { variants: { rate_window: 'weighted' } }, 120],
] as const)(
  'leaves room for another program with 120 requests a minute, %s (P4, P5)',
  { timeout: 120_000 },
  async (_, options, burst) => {
    const world = await createWorld(options);
    const { admin } = world.emulator;
    const list = csv('email', PEOPLE, (index) => `person${index}@example.com`);
    const flow = admin.createAutomation({});
    const file = world.file('list.csv', list);

    const stop = new AbortController();
    const bystander = standBy(world, burst, stop.signal);
    const { code, err, json } = await world.svc(`automations enroll ${flow} ${file} --json`);
    stop.abort();

    expect([code, json.rows.read], err).toEqual([0, PEOPLE]);
    const met = await bystander;
    expect([...new Set(met)]).toEqual([200]);
    // The other program sent so many requests that the window was full for a while. It met no 429, so svc waited.
    expect(met.length).toBeGreaterThanOrEqual(120);
  },
);

/** Another program with its own key. Returns the statuses of its requests. */
async function standBy({ emulator, clock }: World, burst: number, signal: AbortSignal): Promise<number[]> {
  const key = emulator.admin.createKey();
  const met: number[] = [];
  const ask = async () => {
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await emulator.handle({
      method: 'GET',
      path: '/v1/audiences',
      headers,
      body: Buffer.alloc(0),
    });
    met.push(status);
  };
  try {
    for (;;) {
      await Promise.all(Array.from({ length: burst }, ask));
      await clock.sleep((MINUTE / 120) * burst, signal);
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
    return met;
  }
}
