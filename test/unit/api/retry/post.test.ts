import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WireResponse } from '../../../../src/base/context.ts';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { LIMITS } from '../../../../src/wire/limits.ts';
import {
  hang,
  html,
  inTurn,
  json,
  keysOf,
  play,
  REPLAYED,
  refusal,
  refused,
  reset,
  START,
  turn,
  writeRequest,
} from '../service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ok = (headers = {}) => json(200, { ok: 1 }, headers);
const accepted = (more: object = {}) => ({
  kind: 'accepted',
  value: { ok: 1 },
  status: 200,
  replayed: false,
  keyVersion: 0,
  ...more,
});
const policies = ['repeatable', 'once', 'email'] as const;

describe('keys and the journal (I9)', () => {
  test.each(policies)('records the key of a POST before the first byte, retry policy %s', async (policy) => {
    const order: string[] = [];
    const { client, seen, run } = play(() => {
      order.push('sent');
      return ok();
    });
    const post = writeRequest(policy, { beforeNewKey: ({ key }) => order.push(`journaled ${key}`) });
    expect(await run(client.post(post))).toEqual(accepted());
    expect(order).toEqual(['journaled k0', 'sent']);
    expect(seen[0]?.request).toMatchObject({
      method: 'POST',
      headers: { 'idempotency-key': 'k0', 'content-type': 'application/json' },
      body: Buffer.from('{"a":1}'),
    });
  });

  test('sends nothing when the journal cannot record the key (D2)', async () => {
    const { client, seen, run } = play(() => ok());
    const full = new Error('disk full');
    const post = writeRequest('repeatable', {
      beforeNewKey: () => {
        throw full;
      },
    });
    await expect(run(client.post(post))).rejects.toBe(full);
    expect(seen).toEqual([]);
    expect(await run(client.post(writeRequest('repeatable')))).toEqual(accepted());
  });

  test('sends the attempts of a POST one by one, with the same key and body (I5)', async () => {
    const { client, seen, most, run } = play(
      inTurn(
        reset,
        hang,
        () => refusal(503, 'x'),
        () => html(502),
        () => ok(),
      ),
    );
    const post = writeRequest('repeatable');
    expect(await run(client.post(post))).toEqual(accepted({ afterLostResponse: true }));
    expect(keysOf(seen)).toEqual(['k0', 'k0', 'k0', 'k0', 'k0']);
    expect(new Set(seen.map(({ request }) => request.body?.toString('hex'))).size).toBe(1);
    expect(most()).toBe(1);
    expect(post.journal).toEqual(['k0 g0 at 0']);
  });
});

describe('a replayed refusal, and the next version of the key (I1)', () => {
  test.each([
    [401, 'revoked_api_key'],
    [403, 'plan_limit_reached'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [409, 'invalid_request'],
  ])('uses the next key version after a replayed %i %s, and records it first', async (status, code) => {
    const { client, seen, run } = play(
      inTurn(
        () => refusal(status, code, REPLAYED),
        () => ok(),
      ),
    );
    const post = writeRequest('once');
    expect(await run(client.post(post))).toEqual(accepted({ keyVersion: 1 }));
    expect(keysOf(seen)).toEqual(['k0', 'k1']);
    expect(post.journal).toEqual(['k0 g0 at 0', 'k1 g1 at 0']);
  });

  test('uses the next key version after a replayed 429, and waits before it', async () => {
    const { client, seen, run } = play(
      inTurn(
        () => refusal(429, 'rate_limit_exceeded', { ...REPLAYED, 'retry-after': '60' }),
        () => ok(),
      ),
    );
    const post = writeRequest('once');
    expect(await run(client.post(post))).toEqual(accepted({ keyVersion: 1 }));
    expect(keysOf(seen)).toEqual(['k0', 'k1']);
    expect(post.journal[1]).toMatch(/^k1 g1 at 6\d{4}$/);
  });

  test('ends a POST at the first refusal that is not replayed', async () => {
    const stale = () => refusal(403, 'plan_limit_reached', REPLAYED);
    const { client, seen, run } = play(inTurn(stale, stale, () => refusal(403, 'plan_limit_reached')));
    const end = await run(client.post(writeRequest('repeatable')));
    expect(end).toMatchObject({ kind: 'refused', replayed: false, keyVersion: 2, error: { exit: EXIT.stopped } });
    expect(keysOf(seen)).toEqual(['k0', 'k1', 'k2']);
  });

  test('gives up a POST at key version 9 when every refusal is a replay', async () => {
    const { client, seen, run } = play(() => refusal(403, 'forbidden', REPLAYED));
    expect(await run(client.post(writeRequest('repeatable', { keyVersion: 7 })))).toMatchObject({
      kind: 'refused',
      replayed: true,
      keyVersion: 9,
    });
    expect(keysOf(seen)).toEqual(['k7', 'k8', 'k9']);
  });

  test.each([
    [400, 'invalid_request'],
    [400, 'email_suppressed'],
    [409, 'email_suppressed'],
    [409, 'contact_already_exists'],
    [422, 'immutable_field'],
    [418, 'a_code_of_tomorrow'],
  ])('gives up when the service replays the refusal %i %s', async (status, code) => {
    const { client, seen, run } = play(() => refusal(status, code, REPLAYED));
    expect(await run(client.post(writeRequest('repeatable')))).toMatchObject({
      kind: 'refused',
      replayed: true,
      error: { code },
    });
    expect(seen.length).toBe(1);
  });
});

describe('a POST with an unknown outcome (I2, O3, O4)', () => {
  const unknown: [string, () => WireResponse | Promise<WireResponse>][] = [
    ['no response', reset],
    ['a timeout', hang],
    ['a 500', () => refusal(500, 'internal_error')],
    ['a 503 without an envelope', () => json(503, {})],
    ['HTML with status 200', () => html(200)],
    ['HTML with status 403', () => html(403)],
    ['an empty body', () => ({ status: 200, headers: {}, body: Buffer.alloc(0) })],
    ['a cut body', () => ({ status: 200, headers: {}, body: Buffer.from('{"ok":') })],
    ['JSON under a foreign type', () => json(200, { ok: 1 }, { 'content-type': 'text/plain' })],
    ['a 2xx without documented fields', () => json(200, { summary: {} })],
    ['a 2xx that is a list', () => json(200, [])],
    ['a 408', () => refusal(408, 'request_timeout')],
    ['a 425', () => html(425)],
  ];

  test.each(unknown)('repeats a POST with the same idempotency key after %s', async (_, response) => {
    const { client, seen, run } = play(inTurn(response, () => ok(REPLAYED)));
    expect(await run(client.post(writeRequest('once')))).toEqual(accepted({ replayed: true, afterLostResponse: true }));
    expect(keysOf(seen)).toEqual(['k0', 'k0']);
  });

  test.each(unknown)('keeps the idempotency key when a replayed refusal follows %s (I2)', async (_, response) => {
    const { client, seen, run } = play(inTurn(response, () => refusal(403, 'forbidden', REPLAYED)));
    expect(await run(client.post(writeRequest('repeatable')))).toMatchObject({
      kind: 'refused',
      replayed: true,
      keyVersion: 0,
    });
    expect(keysOf(seen)).toEqual(['k0', 'k0']);
  });

  test('repeats a repeatable write when its stored time is in the future (I6)', async () => {
    const { client, seen, run } = play(() => ok());
    const post = writeRequest('repeatable', { outcomeUnknown: true, firstSentAt: START + 33 * MINUTE, keyVersion: 3 });
    expect(await run(client.post(post))).toMatchObject({ kind: 'accepted', keyVersion: 3 });
    expect(keysOf(seen)).toEqual(['k3']);
  });

  test('keeps the idempotency key when an earlier process got no response', async () => {
    const { client, seen, run } = play(() => refusal(403, 'forbidden', REPLAYED));
    const post = writeRequest('repeatable', { outcomeUnknown: true, firstSentAt: START - MINUTE, keyVersion: 3 });
    expect(await run(client.post(post))).toMatchObject({ kind: 'refused', keyVersion: 3 });
    expect(keysOf(seen)).toEqual(['k3']);
  });

  test('uses the next key version when a repeatable write gets a replayed 500', async () => {
    const { client, seen, run } = play(
      inTurn(
        () => refusal(500, 'internal_error'),
        () => refusal(500, 'internal_error', REPLAYED),
        () => ok(),
      ),
    );
    expect(await run(client.post(writeRequest('repeatable')))).toEqual(
      accepted({ keyVersion: 1, afterLostResponse: true }),
    );
    expect(keysOf(seen)).toEqual(['k0', 'k0', 'k1']);
  });

  test.each(['once', 'email'] as const)(
    'reports an unknown outcome at once when a 500 is replayed, policy %s',
    async (policy) => {
      const { client, seen, run } = play(() => refusal(500, 'internal_error', REPLAYED));
      expect(await run(client.post(writeRequest(policy)))).toMatchObject({
        kind: 'gave_up',
        outcomeUnknown: true,
        cause: { exit: 1 },
      });
      expect(seen.length).toBe(1);
    },
  );

  test('treats a redirect as an unknown outcome and does not repeat it (K3)', async () => {
    const { client, seen, run } = play(() => ({ ...html(307), headers: { location: 'https://elsewhere.test/' } }));
    expect(await run(client.post(writeRequest('repeatable')))).toMatchObject({
      kind: 'gave_up',
      cause: { code: 'redirected' },
    });
    expect(seen.length).toBe(1);
  });

  test('reports that nothing was written when no attempt reached the service', async () => {
    const { client, seen, run } = play(() => refused());
    expect(await run(client.post(writeRequest('once')))).toMatchObject({ kind: 'gave_up', outcomeUnknown: false });
    expect(seen.length).toBe(6);
  });
});

describe('a refusal after an attempt with an unknown outcome', () => {
  test.each([
    [401, 'revoked_api_key'],
    [403, 'insufficient_scope'],
    [403, 'forbidden'],
  ])('keeps the outcome unknown, with exit 4, when a repeat gets %i %s', async (status, code) => {
    const { client, run } = play(inTurn(reset, () => refusal(status, code)));
    expect(await run(client.post(writeRequest('once')))).toMatchObject({
      kind: 'gave_up',
      outcomeUnknown: true,
      cause: { code, exit: EXIT.auth },
    });
  });

  test('keeps an outcome unknown when a refusal follows a conflict (I4)', async () => {
    const responses = inTurn(
      reset,
      () => refusal(409, 'idempotency_conflict'),
      () => refusal(403, 'plan_limit_reached'),
    );
    const { client, run } = play(responses);
    expect(await run(client.post(writeRequest('once')))).toMatchObject({
      kind: 'gave_up',
      outcomeUnknown: true,
      cause: { code: 'plan_limit_reached' },
    });
  });

  test.each([
    [400, 'invalid_email'],
    [403, 'plan_limit_reached'],
    [404, 'not_found'],
  ])('trusts %i %s after a lost response only for repeatable writes (I2, I4)', async (status, code) => {
    const end = async (policy: 'repeatable' | 'once' | 'email') => {
      const { client, run } = play(inTurn(reset, () => refusal(status, code)));
      return run(client.post(writeRequest(policy)));
    };
    expect(await end('repeatable')).toMatchObject({ kind: 'refused', error: { code } });
    const unknown = { kind: 'gave_up', outcomeUnknown: true, cause: { code } };
    expect([await end('once'), await end('email')]).toMatchObject([unknown, unknown]);
  });
});

describe('refusals (O1, O2)', () => {
  test.each([
    [400, 'invalid_request', EXIT.stopped],
    [401, 'invalid_api_key', EXIT.auth],
    [401, 'a_code_of_tomorrow', EXIT.auth],
    [403, 'insufficient_scope', EXIT.auth],
    [403, 'test_keys_not_supported', EXIT.auth],
    [403, 'forbidden', EXIT.auth],
    [403, 'plan_limit_reached', EXIT.stopped],
    [403, 'sending_disabled', EXIT.stopped],
    [404, 'not_found', EXIT.stopped],
    [409, 'invalid_request', EXIT.stopped],
    [409, 'email_suppressed', EXIT.stopped],
    [418, 'a_code_of_tomorrow', EXIT.stopped],
  ])('gives up a POST after one request when the response is %i %s', async (status, code, exit) => {
    const { client, seen, run } = play(() => refusal(status, code));
    expect(await run(client.post(writeRequest('repeatable')))).toMatchObject({
      kind: 'refused',
      replayed: false,
      error: { status, code, exit, requestId: 'req_1' },
    });
    expect(seen.length).toBe(1);
  });
});

describe('a key that another request uses at this time (I3, I11)', () => {
  const conflict = () => refusal(409, 'idempotency_conflict');

  test('polls with the same key every 5 to 15 s when the key is in use', async () => {
    const { client, seen, run } = play(inTurn(conflict, conflict, conflict, () => ok(REPLAYED)));
    expect(await run(client.post(writeRequest('repeatable')))).toEqual(
      accepted({ replayed: true, afterConflict: true }),
    );
    expect(seen.map(({ at }) => at)).toEqual([0, 10_000, 20_000, 30_000]);
    expect(new Set(keysOf(seen))).toEqual(new Set(['k0']));
  });

  test.each([
    ['shortest', 0, 5_000],
    ['longest', 0.999_999, 15_000],
  ])('waits 5 to 15 s between two polls of a key in use: %s wait', async (_, random, ms) => {
    const { client, seen, run } = play(
      inTurn(conflict, () => ok()),
      { random: () => random },
    );
    await run(client.post(writeRequest('once')));
    expect(Math.round(seen[1]?.at ?? 0)).toBe(ms);
  });

  test.each(['repeatable', 'email'] as const)(
    'polls a key in use for 7 min, past the take-over at 5 min, policy %s',
    async (policy) => {
      const { client, seen, run } = play(conflict);
      expect(await run(client.post(writeRequest(policy)))).toMatchObject({
        kind: 'gave_up',
        outcomeUnknown: true,
        cause: { code: 'idempotency_conflict' },
      });
      expect(seen.at(-1)?.at).toBe(7 * MINUTE);
    },
  );

  test('polls the key of a once-only write for up to 4 min 30 s', async () => {
    const { client, seen, run } = play(conflict);
    expect(await run(client.post(writeRequest('once')))).toMatchObject({ kind: 'gave_up', outcomeUnknown: true });
    expect(seen.at(-1)?.at).toBe(4.5 * MINUTE);
  });

  test('polls a key in use for 30 s when another machine sent it (I4)', async () => {
    const reportedAt: number[] = [];
    const { client, seen, clock, run } = play(conflict);
    const request = writeRequest('once', { noteSentByOtherMachine: () => reportedAt.push(clock.now()) });
    expect(await run(client.post(request))).toMatchObject({ kind: 'gave_up', outcomeUnknown: true });
    expect(seen.map(({ at }) => at)).toEqual([0, 10_000, 20_000, 30_000]);
    expect(reportedAt).toEqual([START]);
  });

  test('polls a key in use for over 4 min when svc lost its response (I4)', async () => {
    const { client, seen, run } = play(inTurn(reset, conflict));
    const unexpected = () => expect.unreachable();
    expect(await run(client.post(writeRequest('once', { noteSentByOtherMachine: unexpected })))).toMatchObject({
      kind: 'gave_up',
    });
    expect(seen.at(-1)?.at).toBeGreaterThan(4 * MINUTE);
  });

  test('polls a key of another machine for 30 s, whatever the response (I4)', async () => {
    const replies = [conflict, () => reset(), () => refusal(503, 'unavailable'), hang];
    const limited = (seconds: number) => () => refusal(429, 'rate_limit_exceeded', { 'retry-after': String(seconds) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...replies, limited(5), limited(90)), { maxLength: 12 }),
        async (rest) => {
          const { client, seen, run } = play(inTurn(conflict, ...rest, conflict));
          await run(client.post(writeRequest('once', { noteSentByOtherMachine: () => undefined })));
          expect(seen.at(-1)?.at).toBeLessThanOrEqual(30_000);
          expect(seen.at(-1)?.closedAt ?? 0).toBeLessThanOrEqual(60_000);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('does not count polls of a key in use as failed attempts', async () => {
    const began = new Map<string, number>();
    const { client, events, clock, run } = play((request) => {
      const key = request.headers['idempotency-key'] ?? '';
      began.set(key, began.get(key) ?? clock.now());
      return clock.now() - (began.get(key) ?? 0) < 4 * MINUTE ? conflict() : ok(REPLAYED);
    });
    const requests = Array.from({ length: 4 }, (_, n) =>
      client.post(writeRequest('repeatable', { keyForVersion: () => `u${n}` })),
    );
    expect(await run(Promise.all(requests))).toEqual(Array(4).fill(accepted({ replayed: true, afterConflict: true })));
    expect(events.filter((event) => event.type === 'wait' && event.reason === 'too_many_retries')).toEqual([]);
  });

  test('uses the next key version when a poll gets a replayed refusal', async () => {
    const { client, seen, run } = play(
      inTurn(
        conflict,
        () => refusal(403, 'plan_limit_reached', REPLAYED),
        () => ok(),
      ),
    );
    expect(await run(client.post(writeRequest('repeatable')))).toEqual(accepted({ keyVersion: 1 }));
    expect(keysOf(seen)).toEqual(['k0', 'k0', 'k1']);
  });
});

describe('time limits of attempts and requests (I4, I5, P6)', () => {
  test('closes an attempt of a POST after 120 s', async () => {
    const { client, seen, run } = play(inTurn(hang, () => ok()));
    await run(client.post(writeRequest('repeatable')));
    expect(seen[0]?.closedAt).toBe(2 * MINUTE);
  });

  test('closes a once-only write by 4 min 50 s, before a take-over (I4)', async () => {
    const { client, seen, run } = play(() => hang(), { random: () => 0.99 });
    expect(await run(client.post(writeRequest('once')))).toMatchObject({ kind: 'gave_up', outcomeUnknown: true });
    expect(Math.max(...seen.map(({ at }) => at))).toBeLessThanOrEqual(4.5 * MINUTE);
    expect(seen.at(-1)?.closedAt).toBe(4 * MINUTE + 50_000);
    expect(seen.at(-1)?.closedAt).toBeLessThan(LIMITS.idempotencyClaimMs);
    expect(seen.length).toBe(3);
  });

  test.each([
    ['repeatable', 25 * HOUR, 'accepted'],
    ['email', 22 * HOUR, 'accepted'],
    ['email', 25 * HOUR, 'gave_up'],
    ['once', 4 * MINUTE, 'accepted'],
    ['once', 5 * MINUTE, 'gave_up'],
  ] as const)('ends a POST of policy %s when the machine sleeps %i ms: %s (I4, I6)', async (policy, ms, kind) => {
    const { client, clock, seen, run } = play((_, n) => {
      if (n === 0) {
        clock.set(clock.now() + ms);
        return reset();
      }
      return ok();
    });
    const end = await run(client.post(writeRequest(policy)));
    expect([end.kind, seen.length]).toEqual([kind, kind === 'accepted' ? 2 : 1]);
    expect(end).toMatchObject(kind === 'accepted' ? { afterLostResponse: true } : { outcomeUnknown: true });
  });

  test('gives up a once-only write when a 429 delays its repeat too long', async () => {
    const { client, seen, run } = play((_, n) =>
      n === 0 ? reset() : refusal(429, 'rate_limit_exceeded', { 'retry-after': '600' }),
    );
    expect(await run(client.post(writeRequest('once')))).toMatchObject({ kind: 'gave_up', outcomeUnknown: true });
    expect(seen.length).toBe(2);
  });

  test("gives up a once-only write after 4 min 30 s by the service's clock", async () => {
    const late = { date: 'Thu, 01 Jan 2026 00:05:00 GMT' };
    const { client, seen, run } = play(() => refusal(500, 'internal_error', late));
    expect(await run(client.post(writeRequest('once')))).toMatchObject({ kind: 'gave_up', outcomeUnknown: true });
    expect(seen.length).toBe(1);
  });

  test('counts 4 min 30 s from the first attempt that gets no 429 (I4)', async () => {
    const busy = () => refusal(429, 'rate_limit_exceeded', { 'retry-after': '600' });
    const { client, seen, run } = play(inTurn(busy, reset, () => ok()));
    expect(await run(client.post(writeRequest('once')))).toEqual(accepted({ afterLostResponse: true }));
    expect(seen.length).toBe(3);
    expect(seen[1]?.at).toBeGreaterThan(10 * MINUTE);
  });

  test.each([
    ['repeatable', 10],
    ['email', 10],
    ['once', 6],
  ] as const)('gives up when the service keeps failing, policy %s: %i attempts', async (policy, attempts) => {
    const { client, seen, run } = play(() => refusal(500, 'internal_error'));
    expect(await run(client.post(writeRequest(policy)))).toMatchObject({
      kind: 'gave_up',
      outcomeUnknown: true,
      cause: { exit: 1 },
    });
    expect(seen.length).toBe(attempts);
  });

  test('a POST waits longer after each failure, from 0.6 s up to 30 s', async () => {
    const { client, events, run } = play(() => refusal(500, 'internal_error'));
    await run(client.post(writeRequest('repeatable')));
    const waits = events.flatMap((event) => (event.type === 'wait' ? [event.ms] : []));
    expect(waits).toEqual([625, 1_125, 2_125, 4_125, 8_125, 16_125, 30_125, 30_125, 30_125]);
  });

  test('waits as long as the Retry-After of a 503 says (P4)', async () => {
    const { client, seen, run } = play(
      inTurn(
        () => refusal(503, 'x', { 'retry-after': '40' }),
        () => ok(),
      ),
    );
    await run(client.post(writeRequest('repeatable')));
    expect(seen[1]?.at).toBe(40_000);
  });
});

describe('a POST with unknown outcome from an earlier process (I3, I6)', () => {
  test.each([
    ['once', 4 * MINUTE, 'accepted'],
    ['once', 4.6 * MINUTE, 'gave_up'],
    ['once', -5 * MINUTE, 'gave_up'],
    ['email', 22 * HOUR, 'accepted'],
    ['email', 23.5 * HOUR, 'gave_up'],
    ['repeatable', 22 * HOUR, 'accepted'],
    ['repeatable', 40 * HOUR, 'accepted'],
  ] as const)('ends a POST of policy %s when its first attempt was %i ms ago: %s', async (policy, age, kind) => {
    const { client, seen, run } = play(() => ok());
    const end = await run(client.post(writeRequest(policy, { outcomeUnknown: true, firstSentAt: START - age })));
    expect([end.kind, seen.length]).toEqual([kind, kind === 'accepted' ? 1 : 0]);
  });

  test('does not repeat a once-only write when its age is unknown', async () => {
    const { client, seen, run } = play(() => ok());
    expect(await run(client.post(writeRequest('once', { outcomeUnknown: true })))).toMatchObject({
      kind: 'gave_up',
      outcomeUnknown: true,
    });
    expect(seen).toEqual([]);
  });

  test('records the key again before a repeat when the write is 24 h old', async () => {
    const young = writeRequest('repeatable', { outcomeUnknown: true, firstSentAt: START - HOUR });
    const old = writeRequest('repeatable', { outcomeUnknown: true, firstSentAt: START - 24 * HOUR });
    const { client, run } = play(() => ok());
    await run(client.post(young));
    await run(client.post(old));
    expect([young.journal, old.journal]).toEqual([[], ['k0 g0 at 0']]);
  });

  test("takes the age of a key from the service's Date, not local time (I6)", async () => {
    const { client, seen, run } = play(() => json(200, { ok: 1 }, { date: 'Fri, 02 Jan 2026 00:00:00 GMT' }));
    await run(client.get(['audiences']));
    const end = await run(client.post(writeRequest('email', { outcomeUnknown: true, firstSentAt: START })));
    expect([end.kind, seen.length]).toEqual(['gave_up', 1]);
  });

  test('counts the 4 min 30 s from the first attempt of an earlier process', async () => {
    const { client, seen, run } = play(() => hang());
    await run(client.post(writeRequest('once', { outcomeUnknown: true, firstSentAt: START - 4 * MINUTE })));
    expect(seen.map(({ at, closedAt }) => [at, closedAt])).toEqual([[0, 50_000]]);
  });
});

describe('a POST at the first signal to stop (D4)', () => {
  const interruption = new Error('interrupted');

  test('lets an attempt in flight finish after the first signal', async () => {
    const stop = new AbortController();
    let respond = (_: WireResponse) => {};
    const { client, clock, run } = play(
      () =>
        new Promise<WireResponse>((resolve) => {
          respond = resolve;
        }),
    );
    const posting = client.post(writeRequest('once'), stop.signal);
    await turn();
    stop.abort(interruption);
    await clock.advance(9_000);
    respond(ok());
    expect(await run(posting)).toEqual(accepted());
  });

  test('closes an attempt 10 s after the first signal with an unknown outcome', async () => {
    const stop = new AbortController();
    const { client, seen, run } = play(() => hang());
    const posting = client.post(writeRequest('once'), stop.signal);
    await turn();
    stop.abort(interruption);
    expect(await run(posting)).toEqual({ kind: 'interrupted', keyVersion: 0, outcomeUnknown: true });
    expect(seen.map(({ closedAt }) => closedAt)).toEqual([10_000]);
  });

  test('a signal ends the wait of a POST, and its outcome stays unknown', async () => {
    const stop = new AbortController();
    const { client, seen, elapsed, run } = play(() => refusal(409, 'idempotency_conflict'));
    const posting = client.post(writeRequest('repeatable'), stop.signal);
    await turn();
    stop.abort(interruption);
    expect(await run(posting)).toEqual({ kind: 'interrupted', keyVersion: 0, outcomeUnknown: true });
    expect([seen.length, elapsed()]).toEqual([1, 0]);
  });

  test('reports that nothing was written when a signal ends a wait after a 429', async () => {
    const stop = new AbortController();
    const { client, seen, run } = play(() => refusal(429, 'rate_limit_exceeded', { 'retry-after': '60' }));
    const posting = client.post(writeRequest('once'), stop.signal);
    await turn();
    stop.abort(interruption);
    expect(await run(posting)).toEqual({ kind: 'interrupted', keyVersion: 0, outcomeUnknown: false });
    expect(seen.length).toBe(1);
  });

  test('sends no attempt of a POST after a signal', async () => {
    const stop = new AbortController();
    const { client, seen, run } = play(() => {
      stop.abort(interruption);
      return refusal(403, 'forbidden', REPLAYED);
    });
    expect(await run(client.post(writeRequest('repeatable'), stop.signal))).toMatchObject({
      kind: 'interrupted',
      outcomeUnknown: false,
    });
    expect(await run(client.post(writeRequest('repeatable'), stop.signal))).toMatchObject({
      kind: 'interrupted',
      outcomeUnknown: false,
    });
    expect(seen.length).toBe(1);
  });
});
