import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { hang, html, inTurn, json, play, refusal, reset, turn } from '../service.ts';

describe('GET requests', () => {
  test('sends a GET without an idempotency key and without a body (I9)', async () => {
    const { client, seen, run } = play(() => json(200, { id: 'aud_1' }), { userAgent: 'svc/1.2.3' });
    expect(await run(client.get(['audiences', 'aud_1'], { after: 'a+b/c=', limit: 5, status: undefined }))).toEqual({
      id: 'aud_1',
    });
    expect(seen.map(({ request }) => [request.method, request.url.href, request.headers, request.body])).toEqual([
      [
        'GET',
        'http://127.0.0.1:1/v1/audiences/aud_1?after=a%2Bb%2Fc%3D&limit=5',
        {
          authorization: 'Bearer service_live_abc',
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'svc/1.2.3',
        },
        undefined,
      ],
    ]);
  });

  test('sends a GET to the path of the base URL and the path of the endpoint', async () => {
    const { client, seen, run } = play(() => json(200, {}), { baseUrl: new URL('https://h.example.test/api') });
    await run(client.get(['audiences']));
    expect(seen[0]?.request.url.href).toBe('https://h.example.test/api/v1/audiences');
  });

  test.each([
    ['a reset', reset],
    ['a timeout', hang],
    ['500 internal_error', () => refusal(500, 'internal_error')],
    ['HTML', () => html(200)],
    ['a 404 with HTML', () => html(404)],
    ['429', () => refusal(429, 'rate_limit_exceeded', { 'retry-after': '1' })],
  ])('repeats a read after %s (O2)', async (_, response) => {
    const { client, seen, run } = play(inTurn(response, () => json(200, { ok: 1 })));
    expect(await run(client.get(['audiences']))).toEqual({ ok: 1 });
    expect([seen.length, client.stats().retried]).toEqual([2, 1]);
  });

  test('gives up a read after 6 attempts with exit 1 (P6)', async () => {
    const { client, seen, run } = play(() => refusal(500, 'internal_error'));
    await expect(run(client.get(['audiences']))).rejects.toMatchObject({
      exit: EXIT.failed,
      code: 'internal_error',
      requestId: 'req_1',
    });
    expect(seen.length).toBe(6);
  });

  test('starts no attempt of a read after 5 minutes (P6)', async () => {
    const { client, seen, elapsed, run } = play(() => hang());
    await expect(run(client.get(['audiences']))).rejects.toMatchObject({ exit: EXIT.failed, code: 'no_answer' });
    expect(elapsed()).toBeLessThanOrEqual(7 * 60_000);
    expect(seen.length).toBe(3);
    expect(seen.filter(({ at }) => at > 5 * 60_000)).toEqual([]);
  });

  test.each([
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [409, 'idempotency_conflict'],
    [422, 'a_code_of_tomorrow'],
  ])('gives up a read after one request when the response is %i %s', async (status, code) => {
    const { client, seen, run } = play(() => refusal(status, code));
    await expect(run(client.get(['audiences']))).rejects.toMatchObject({ name: 'ApiError', status, code });
    expect(seen.length).toBe(1);
  });

  test('follows no redirect of a read and says what to check (K3)', async () => {
    const { client, seen, run } = play(() => ({ ...html(301), headers: { location: 'https://www.example.test/' } }));
    await expect(run(client.get(['audiences']))).rejects.toMatchObject({
      code: 'redirected',
      message: 'the service sent a redirect (301) to https://www.example.test/',
      hint: 'svc follows no redirects: check --base-url (or SVC_BASE_URL).',
    });
    expect(seen.length).toBe(1);
  });

  test('ends a read at once when a signal comes', async () => {
    for (const response of [hang, () => refusal(500, 'internal_error')]) {
      const stop = new AbortController();
      const reason = new Error('interrupted');
      const { client, elapsed, run } = play(response);
      const reading = client.get(['audiences'], {}, { signal: stop.signal });
      await turn();
      stop.abort(reason);
      await expect(run(reading)).rejects.toBe(reason);
      expect(elapsed()).toBe(0);
    }
  });
});
