import { describe, expect, test } from 'vitest';
import type { Context, Transport } from '../../../../../src/base/context.ts';
import { withHeartbeat } from '../../../../../src/commands/framework/output/heartbeat.ts';
import { createManualClock } from '../../../../support/manual-clock.ts';
import { createWorld, type World } from '../../../../support/world.ts';

/** Delays each response by this time. The test can change it. */
function slow(world: World, ms: number): (inner: Transport) => Transport {
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      await world.clock.sleep(ms, signal);
      return inner.send(request, signal);
    },
  });
}

/** The text without the times of lines, which exist without a terminal. */
const untimed = (text: string) => text.replace(/^2026-01-01T00:0\d:\d\dZ /gm, '');
const lines = (text: string) =>
  untimed(text)
    .split('\n')
    .filter((line) => line.startsWith('waiting'));

describe('a wait', () => {
  test.each([
    ['', ['30 s', '1 min', '1 min 30 s']],
    ['--json', ['30 s', '1 min', '1 min 30 s']],
    ['--quiet', []],
  ])('reports a slow response on stderr every 30 s, flags "%s"', async (flags, times) => {
    const world = await createWorld();
    const { code, err } = await world.svc(`audiences ls ${flags}`, { transport: slow(world, 100_000) });
    expect(code).toBe(0);
    expect(err.split('\n').slice(0, -1)).toEqual(
      times.map(
        (time, index) =>
          `2026-01-01T00:0${Math.floor((index + 1) / 2)}:${index % 2 === 0 ? 30 : '00'}Z waiting for the service: GET /v1/audiences, page 1, ${time}`,
      ),
    );
  });

  test('reports a wait with the page number when a command reads many pages', async () => {
    const world = await createWorld({
      seed: { contacts: Array.from({ length: 900 }, (_, index) => ({ email: `p${index}@example.com` })) },
    });
    const { err, json } = await world.svc('contacts ls --json', { transport: slow(world, 8_000) });
    expect(json).toHaveLength(900);
    const path = 'GET /v1/audiences/aud_[^/]+/contacts';
    expect(lines(err)).toEqual([
      expect.stringMatching(new RegExp(`^waiting for the service: ${path}, page 3, 22 s$`)),
      expect.stringMatching(new RegExp(`^waiting for the service: ${path}, page 7, 52 s$`)),
    ]);
  });

  test('reports a wait and its end when the rate limit is the reason', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ kind: 'rate_limited', retry_after: '70', times: 1 });
    const { err } = await world.svc('audiences ls --json');
    expect(lines(err)).toEqual([
      expect.stringMatching(/^waiting 4\d s for the service's rate limit \(until 00:01:1\d UTC\)$/),
      expect.stringMatching(/^waiting 1\d s for the service's rate limit \(until 00:01:1\d UTC\)$/),
    ]);
  });

  test('reports a wait at once when a connection fails', async () => {
    const world = await createWorld();
    let tries = 0;
    const { err, code } = await world.svc('audiences ls', {
      transport: (inner) => ({
        close: () => inner.close(),
        send: (request, signal) => {
          tries += 1;
          return tries < 3
            ? Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
            : inner.send(request, signal);
        },
      }),
    });
    expect([code, tries]).toEqual([0, 3]);
    expect(untimed(err)).toMatch(
      /^waiting 1 s before trying again: no answer from the service: ECONNREFUSED: connect\n$/,
    );
  });

  test('reports that svc waits for standard input', async () => {
    const world = await createWorld();
    const stdin = async function* () {
      await world.clock.sleep(61_000);
      yield Buffer.from('email\nana@example.com\n');
    };
    const { err } = await world.svc('contacts import - --dry-run --default-status subscribed --json', {
      stdin: stdin(),
    });
    expect(untimed(err).split('\n').slice(0, 2)).toEqual([
      'copy: 0 bytes; reading standard input, 30 s',
      'copy: 0 bytes; reading standard input, 1 min',
    ]);
  });

  test('stops reporting a read of standard input when standard input ends', async () => {
    const world = await createWorld();
    const seen: unknown[] = [];
    await world.svc('emails send --from me@example.com --to ana@example.com --subject Hi --text-file -', {
      stdin: 'Hello',
      onEvent: (event) => event.type === 'doing' && seen.push(event.what),
    });
    expect(seen).toEqual(['reading standard input', undefined]);
  });

  test('reports no wait while a question waits for its answer', async () => {
    const world = await createWorld();
    await world.svc('audiences create Second');
    const { err, code } = await world.svc('contacts ls', {
      answers: ['1'],
      answerAfterMs: 100_000,
    });
    expect(code).toBe(0);
    expect(lines(err)).toEqual([]);
  });

  test('reports no work while the questions of a run wait for their answers', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email,status\nana@example.com,subscribed\nben@example.com,odd\n');
    const { err, code } = await world.svc('migrate list.csv', {
      answers: ['1', 'no', 'yes'],
      answerAfterMs: 100_000,
    });
    expect([code, err.match(/at work for .*/g)]).toEqual([0, null]);
  });

  test('reports a wait that follows an answered question', async () => {
    const world = await createWorld();
    await world.svc('audiences create Second');
    const route = 'GET /v1/audiences/*/contacts';
    world.emulator.admin.addFault({ kind: 'slow', ms: 65_000, when: 'before', times: 1, match: { route } });
    const { err, code } = await world.svc('contacts ls', { answers: ['1'], answerAfterMs: 20_000 });
    const path = 'GET /v1/audiences/aud_[^/]+/contacts';
    expect([code, lines(err)]).toEqual([
      0,
      ['30 s', '1 min'].map((time) =>
        expect.stringMatching(new RegExp(`^waiting for the service: ${path}, page 1, ${time}$`)),
      ),
    ]);
  });

  test('does not count the time of a question as part of the wait after it', async () => {
    const world = await createWorld();
    await world.svc('audiences create Second');
    const route = 'GET /v1/audiences/*/contacts';
    world.emulator.admin.addFault({ kind: 'slow', ms: 25_000, when: 'before', times: 1, match: { route } });
    const { err, code } = await world.svc('contacts ls', { answers: ['1'], answerAfterMs: 100_000 });
    expect([code, lines(err)]).toEqual([0, []]);
  });
});

test('withHeartbeat() keeps each field of the context and does not open stdin', () => {
  const stderr = { write: () => undefined, isTTY: false, columns: undefined };
  const fields = { clock: createManualClock(), stderr, later: 1 };
  const outer = Object.defineProperty(fields, 'stdin', {
    enumerable: true,
    get: () => expect.unreachable('stdin was opened'),
  });
  const { context, stop } = withHeartbeat(outer as unknown as Context, true);
  stop();
  expect(Object.keys(context)).toEqual(expect.arrayContaining(['clock', 'stderr', 'later', 'stdin']));
});
