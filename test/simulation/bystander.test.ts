import { expect, test } from 'vitest';
import { csv } from '../support/lists.ts';
import { everyNth } from '../support/sweep.ts';
import { createWorld, type World } from '../support/world.ts';

const PEOPLE = 560;
const MINUTE = 60_000;
const NO_HEADERS = {
  kind: 'headers',
  headers: { 'ratelimit-limit': null, 'ratelimit-remaining': null, 'ratelimit-reset': null },
} as const;

const BYSTANDERS = [
  ['one each half second, no rate headers', { faults: [NO_HEADERS] }, 1],
  ['one each half second, in a weighted window', { variants: { rate_window: 'weighted' } }, 1],
  ['all at once each minute, in a weighted window', { variants: { rate_window: 'weighted' } }, 120],
  ['all at once each minute', {}, 120],
  ['one each half second, refused requests count', { variants: { rate_counts_refused: 'yes' } }, 1],
] as const;

test.each(everyNth(BYSTANDERS, 2))(
  'svc leaves another program its 120 requests a minute: %s (P4, P5)',
  { timeout: 120_000 },
  async (_, options, burst) => {
    const world = await createWorld(options);
    const { admin } = world.emulator;
    const list = csv('email', PEOPLE, (index) => `person${index}@example.com`);
    const automation = admin.createAutomation({});
    const file = world.file('list.csv', list);

    const stop = new AbortController();
    const bystander = standBy(world, burst, stop.signal);
    const { code, err, json } = await world.svc(`automations enroll ${automation} ${file} --json`);
    stop.abort();

    expect([code, json.rows.read], err).toEqual([0, PEOPLE]);
    const met = await bystander;
    expect([...new Set(met)]).toEqual([200]);
    // The other program sent so many requests that the limit was reached for a while. It got no 429, so svc waited.
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
