import { describe, expect, test } from 'vitest';
import { html, inTurn, json, play, REPLAYED, refusal, reset, START, writeRequest } from './service.ts';

const KEY = 'service_live_abc';

describe('no secrets in events and errors (K1)', () => {
  test('emits an event for each attempt, without API key, body and addresses', async () => {
    const { client, events, run } = play(
      inTurn(
        () => refusal(500, 'internal_error'),
        () => json(200, { id: 'sub_1' }, { 'ratelimit-remaining': '598' }),
      ),
    );
    await run(client.get(['audiences', 'aud_1', 'contacts', 'ana@example.com'], { expand: 'topics' }));
    const asked = { method: 'GET', path: '/v1/audiences/aud_1/contacts/{email}' };
    const request = { type: 'request', ...asked, ms: 0, replayed: false };
    expect(events).toEqual([
      { type: 'asking', ...asked, attempt: 1, page: undefined },
      { ...request, status: 500, attempt: 1, requestId: 'req_1', remaining: undefined, problem: 'internal_error' },
      { type: 'wait', reason: 'retry', ms: 625, cause: 'said internal_error (internal_error)' },
      { type: 'asking', ...asked, attempt: 2, page: undefined },
      { ...request, status: 200, attempt: 2, requestId: undefined, remaining: 598, problem: undefined },
    ]);
  });

  test.each([
    ['a refusal', () => json(401, { error: { code: 'invalid_api_key', message: `unknown key ${KEY}`, param: KEY } })],
    ['a redirect', () => ({ ...html(302), headers: { location: `https://x.example.test/?k=${KEY}` } })],
    [
      'a transport error',
      () => {
        throw new Error(`bad header: Bearer ${KEY}`);
      },
    ],
  ])('removes the API key from the event and error of %s', async (_, response) => {
    const { client, events, run } = play(response);
    const error = await run(client.get(['audiences'])).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(deepText(error)).not.toContain(KEY);
    expect(deepText(error)).toContain('[api key]');
    expect(JSON.stringify(events)).not.toContain(KEY);
  });

  test('refuses a test API key before any request', () => {
    expect(() => play(() => json(200, {}), { apiKey: 'service_test_1' })).toThrow('service_test_');
  });

  test('refuses plain http before any request, except to loopback', () => {
    expect(() => play(() => json(200, {}), { baseUrl: new URL('http://h.example.test') })).toThrow('loopback only');
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost']) {
      expect(play(() => json(200, {}), { baseUrl: new URL(`http://${host}`) }).client.origin).toBe(`http://${host}`);
    }
  });
});

describe('counts and time', () => {
  test('counts sent, retried, replayed and rate-limited requests separately (I7)', async () => {
    const { client, run } = play(
      inTurn(
        reset,
        () => refusal(429, 'rate_limit_exceeded', { 'retry-after': '1' }),
        () => json(200, { ok: 1 }, REPLAYED),
      ),
    );
    await run(client.post(writeRequest('repeatable')));
    expect(client.stats()).toEqual({ sent: 3, retried: 2, replayed: 1, rate_limited: 1 });
  });

  test("computes the service's time from its last Date header (I6)", async () => {
    const dates = ['Thu, 01 Jan 2026 01:00:00 GMT', 'nonsense', undefined];
    const { client, clock, run } = play((_, n) => json(200, {}, dates[n] === undefined ? {} : { date: dates[n] }));
    expect(client.serverNow()).toBe(START);
    for (const _ of dates) {
      await run(client.get(['audiences']));
    }
    await clock.advance(500);
    expect(client.serverNow()).toBe(START + 3_600_500);
  });

  test.each([
    ['https://h.example.test/', 'https://h.example.test'],
    ['https://h.example.test/api', 'https://h.example.test/api'],
  ])('derives the origin of the service from %s', (url, origin) => {
    expect(play(() => json(200, {}), { baseUrl: new URL(url) }).client.origin).toBe(origin);
  });

  test('uses a given origin instead of the origin in the URL', () => {
    expect(play(() => json(200, {}), { origin: 'emulator:abc' }).client.origin).toBe('emulator:abc');
  });
});

function deepText(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return [error.message, error.stack, JSON.stringify(error), deepText(error.cause)].join('\n');
}
