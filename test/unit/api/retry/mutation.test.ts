import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { hang, html, inTurn, json, play, refusal, refused, reset, turn } from '../service.ts';

const patch = { method: 'PATCH', segments: ['audiences', 'aud_1'], body: Buffer.from('{"name":"n"}') } as const;
const remove = { method: 'DELETE', segments: ['audiences', 'aud_1'] } as const;

describe('PATCH and DELETE requests (I10)', () => {
  test.each([patch, remove])('sends $method without an idempotency key (I9)', async (change) => {
    const { client, seen, run } = play(() => json(200, { id: 'aud_1' }));
    expect(await run(client.mutate(change))).toEqual({ status: 200, json: { id: 'aud_1' } });
    expect(seen.map(({ request }) => [request.method, 'idempotency-key' in request.headers, request.body])).toEqual([
      [change.method, false, 'body' in change ? change.body : undefined],
    ]);
  });

  test.each([patch, remove])('repeats a $method after faults within 60 s, and says why', async (change) => {
    const { client, events, seen, run } = play(
      inTurn(
        reset,
        () => refusal(500, 'internal_error'),
        () => json(200, { id: 'aud_1' }),
      ),
    );
    await run(client.mutate(change));
    expect(seen.map(({ request }) => request.method)).toEqual(Array(3).fill(change.method));
    expect(events.filter(({ type }) => type === 'wait')).toEqual([
      { type: 'wait', reason: 'retry', ms: 625, cause: 'no answer from the service: read ECONNRESET' },
      { type: 'wait', reason: 'retry', ms: 1_125, cause: 'said internal_error (internal_error)' },
    ]);
  });

  test('does not repeat a PATCH that failed after more than 60 s', async () => {
    const { client, seen, run } = play(() => hang());
    await expect(run(client.mutate(patch))).rejects.toMatchObject({ exit: EXIT.failed, code: 'no_answer' });
    expect(seen.length).toBe(1);
  });

  test('gives up a PATCH when a 429 delays its repeat too long', async () => {
    const { client, seen, run } = play(
      inTurn(
        reset,
        () => refusal(429, 'rate_limit_exceeded', { 'retry-after': '90' }),
        () => json(200, {}),
      ),
    );
    await expect(run(client.mutate(patch))).rejects.toMatchObject({ exit: EXIT.failed, code: 'in_doubt' });
    expect(seen.length).toBe(2);
  });

  test.each([
    ['a lost response', reset],
    ['a 500', () => refusal(500, 'internal_error')],
    ['HTML', () => html(502)],
  ])('succeeds when a DELETE gets a 404 after %s', async (_, first) => {
    const { client, run } = play(inTurn(first, () => refusal(404, 'not_found')));
    expect(await run(client.mutate(remove))).toEqual({ status: 404, json: undefined });
  });

  test.each([
    ['the first attempt', () => refusal(404, 'not_found')],
    ['a 429', () => refusal(429, 'rate_limit_exceeded', { 'retry-after': '1' })],
    ['a connection that was never made', refused],
  ])('fails when a DELETE gets a 404 after %s', async (_, first) => {
    const { client, run } = play(inTurn(first, () => refusal(404, 'not_found')));
    await expect(run(client.mutate(remove))).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    [
      '200 with a body',
      json(200, { id: 'aud_1', deleted: true }),
      { status: 200, json: { id: 'aud_1', deleted: true } },
    ],
    ['204', { status: 204, headers: {}, body: Buffer.alloc(0) }, { status: 204 }],
  ])('accepts %s as the response to a DELETE (W3)', async (_, response, value) => {
    const { client, run } = play(() => response);
    expect(await run(client.mutate(remove))).toEqual(value);
  });

  test('treats an empty response to a PATCH as an unknown outcome (O3)', async () => {
    const { client, seen, run } = play(
      inTurn(
        () => ({ status: 200, headers: {}, body: Buffer.alloc(0) }),
        () => json(200, {}),
      ),
    );
    await run(client.mutate(patch));
    expect(seen.length).toBe(2);
  });

  test('lets a DELETE in flight run for 10 s after the first signal', async () => {
    const stop = new AbortController();
    const reason = new Error('interrupted');
    const { client, seen, run } = play(() => hang());
    const sending = client.mutate(remove, { signal: stop.signal });
    await turn();
    stop.abort(reason);
    await expect(run(sending)).rejects.toBe(reason);
    expect(seen.map(({ closedAt }) => closedAt)).toEqual([10_000]);
  });
});
