import { expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { EXIT } from '../../../src/base/lib/errors.ts';
import type { RunOptions } from '../../support/world.ts';
import { addresses, bare, counts, createAutomationWorld } from './support.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A service that shows its time, or not. With a stopper the response to the second POST is lost and the run stops. */
function service(showsTime: boolean, stopper?: AbortController): RunOptions {
  let posts = 0;
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      posts += request.method === 'POST' ? 1 : 0;
      if (stopper && request.method === 'POST' && posts === 2) {
        stopper.abort();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      const { date: _, ...headers } = response.headers;
      return showsTime ? response : { ...response, headers };
    },
  });
  return { transport, ...(stopper && { signal: stopper.signal }) };
}

test.each<[string, readonly [boolean, boolean], number, number, string]>([
  ['shows no time, after a day and with the clock set back', [false, false], 25 * HOUR, -25 * HOUR, 'unknown'],
  ['shows no time, after a minute', [false, false], MINUTE, 0, 'unknown'],
  ['shows its time later only, with the clock set back', [false, true], 25 * HOUR, -25 * HOUR, 'unknown'],
  ['shows its time at first only, after a minute', [true, false], MINUTE, 0, 'unknown'],
  ['shows its time, after a day', [true, true], 25 * HOUR, 0, 'unknown'],
  ['shows its time, after a minute', [true, true], MINUTE, 0, 'enrolled'],
])(
  'repeats a request only when it is surely recent: service %s (I4, I6, P7)',
  async (_, [showsAtFirst, showsLater], after, jump, outcome) => {
    const world = await createAutomationWorld(addresses(4), { reentry: 'always' });
    const first = await world.enroll(
      bare(addresses(4)),
      ['--concurrency', '1'],
      service(showsAtFirst, new AbortController()),
    );
    await world.clock.advance(after);
    world.clock.set(world.clock.now() + jump);
    const resumed = await world.svc(['runs', 'resume', String(first.json.run), '--json'], service(showsLater));
    const isUnknown = outcome === 'unknown';
    expect([resumed.code, counts(resumed.json.rows)]).toEqual(
      isUnknown ? [EXIT.partial, { read: 4, enrolled: 3, unknown: 1 }] : [EXIT.ok, { read: 4, enrolled: 4 }],
    );
    expect(world.enrolled().toSorted()).toEqual(addresses(4));
  },
);

/** A cache before the service. It responds to each GET with a stored response. */
function cache(headers: () => Record<string, string>, stopper?: AbortController): RunOptions {
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      if (stopper && request.method === 'POST') {
        stopper.abort();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      return request.method === 'GET' ? { ...response, headers: { ...response.headers, ...headers() } } : response;
    },
  });
  return { transport, ...(stopper && { signal: stopper.signal }) };
}

test('repeats no request of 8 min ago when a cache sends an old Date (I4, P7)', async () => {
  const world = await createAutomationWorld(addresses(4), { reentry: 'always' });
  const first = await world.enroll(bare(addresses(4)), ['--concurrency', '1'], service(true, new AbortController()));
  await world.clock.advance(8 * MINUTE);
  const old = () => ({ date: new Date(world.clock.now() - 5 * MINUTE).toUTCString(), age: '300' });
  const resumed = await world.svc(['runs', 'resume', String(first.json.run), '--json'], cache(old));
  expect(counts(resumed.json.rows)).toEqual({ read: 4, enrolled: 3, unknown: 1 });
  expect(world.enrolled().toSorted()).toEqual(addresses(4));
});

test('repeats no request of 50 min ago when a cache sent its Date (I4, P7)', async () => {
  const world = await createAutomationWorld(addresses(1), { reentry: 'always' });
  const first = await world.enroll(
    bare(addresses(1)),
    [],
    cache(() => ({ age: '3000' }), new AbortController()),
  );
  await world.clock.advance(50 * MINUTE);
  const resumed = await world.svc(['runs', 'resume', String(first.json.run), '--json'], service(true));
  expect([counts(resumed.json.rows), world.enrolled()]).toEqual([{ read: 1, unknown: 1 }, addresses(1)]);
});
