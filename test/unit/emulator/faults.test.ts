import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { createFaults } from '../../../src/emulator/faults/script.ts';
import { until } from '../../contract/receiver.ts';
import { createHex, startService } from '../../contract/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const NAME = { name: 'Readers' };
const BOTH = { when: ['before', 'after'] as const };

describe('a scripted fault of the emulator', () => {
  test.each(BOTH.when)('a scripted fault resets the connection %s the effect of a request', async (when) => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({ kind: 'reset', when, times: 1 });
    await expect(ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).rejects.toThrow('ECONNRESET');
    const again = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
    expect(again.headers['idempotency-replayed']).toBe(when === 'after' ? 'true' : undefined);
    expect((await ask('GET', '/v1/audiences')).json.data).toHaveLength(2);
  });

  test.each<{ why: string; method: string; path: string; body?: object; key?: string; idempotencyKey?: string }>([
    { why: 'its body is wrong', method: 'POST', path: '/v1/audiences', body: { name: '' } },
    { why: 'a key stores it', method: 'POST', path: '/v1/audiences', body: { name: '' }, idempotencyKey: 'k' },
    { why: 'its key is too long', method: 'POST', path: '/v1/audiences', body: NAME, idempotencyKey: 'k'.repeat(256) },
    { why: 'it is no JSON object', method: 'PATCH', path: '/v1/audiences/aud_x', body: [] },
    { why: 'the object is unknown', method: 'GET', path: '/v1/audiences/aud_x' },
    { why: 'the API key is unknown', method: 'GET', path: '/v1/audiences', key: 'svc_emulator_00' },
  ])('plays a fault with when=after on a request refused because $why', async ({ method, path, ...request }) => {
    const { ask, emulator } = await startService();
    const refused = await ask(method, path, request);
    emulator.admin.addFault({ kind: 'answer', status: 503, text: 'proxy', when: 'after', times: 1 });
    const replaced = await ask(method, path, request);
    emulator.admin.addFault({ kind: 'reset', when: 'after', times: 1 });
    await expect(ask(method, path, request)).rejects.toThrow('ECONNRESET');
    const last = await ask(method, path, request);
    expect([refused.status, replaced.status, replaced.text]).toEqual([last.status, 503, 'proxy']);
    expect(last.json.error.code).toBe(refused.json.error.code);
    expect(last.status).toBeGreaterThanOrEqual(400);
  });

  test('plays a fault with when=after on a request over the rate limit', async () => {
    const { ask, emulator } = await startService({ rateLimit: 1 });
    await ask('GET', '/v1/audiences');
    emulator.admin.addFault({ kind: 'reset', when: 'after', times: 1 });
    await expect(ask('GET', '/v1/audiences')).rejects.toThrow('ECONNRESET');
    expect((await ask('GET', '/v1/audiences')).status).toBe(429);
  });

  test('lists a fault rule until it was played as often as `times` says', async () => {
    const { ask, clock, emulator } = await startService();
    const rules: FaultRule[] = [
      { kind: 'slow', ms: 0, when: 'before', times: 2 },
      { kind: 'html', status: 502, when: 'before', times: 0 },
      { kind: 'headers', headers: { 'x-a': 'b' } },
      { kind: 'in_flight', seconds: 30, times: 1 },
    ];
    rules.forEach((rule) => {
      emulator.admin.addFault(rule);
    });
    const kinds = async () =>
      (await ask('GET', '/_emulator/faults')).json.data.map(({ kind }: { kind: string }) => kind);
    const create = async () => (await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).status;
    expect(await kinds()).toEqual(['slow', 'headers', 'in_flight']);
    expect([await create(), await kinds()]).toEqual([409, ['slow', 'headers', 'in_flight']]);
    expect([await create(), await kinds()]).toEqual([409, ['headers', 'in_flight']]);
    await clock.advance(30_000);
    expect([await create(), await kinds()]).toEqual([201, ['headers']]);
  });

  test.each(BOTH.when)('a scripted fault hangs up with a FIN %s the effect of a request', async (when) => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({ kind: 'fin', when, times: 1 });
    await expect(ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).rejects.toThrow('socket hang up');
    expect((await ask('GET', '/v1/audiences')).json.data).toHaveLength(when === 'after' ? 2 : 1);
    const again = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
    expect(again.headers['idempotency-replayed']).toBe(when === 'after' ? 'true' : undefined);
  });

  test('a scripted fault cuts the response after the effect of the request', async () => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({ kind: 'cut', bytes: 10, times: 1 });
    await expect(ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).rejects.toThrow('aborted');
    expect((await ask('GET', '/v1/audiences')).json.data).toHaveLength(2);
  });

  test.each([502, 503, 504])('responds with status %i and an HTML page when a fault says so', async (status) => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({ kind: 'html', status, when: 'before', times: 1 });
    const reply = await ask('GET', '/v1/audiences');
    expect([reply.status, reply.json, reply.headers['content-type']]).toEqual([
      status,
      undefined,
      'text/html; charset=utf-8',
    ]);
  });

  test.each([
    { when: 'before', made: 1, replayed: 'none' },
    { when: 'after', made: 2, replayed: 'true' },
    { when: 'effect', made: 1, replayed: 'true' },
  ] as const)(
    'a 500 with when=$when leaves $made audiences, replayed: $replayed (I2)',
    async ({ when, made, replayed }) => {
      const { ask, emulator } = await startService();
      emulator.admin.addFault({ kind: 'error', status: 500, code: 'internal_error', when, times: 1 });
      const failed = await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' });
      expect([failed.status, failed.json.error.code]).toEqual([500, 'internal_error']);
      expect((await ask('GET', '/v1/audiences')).json.data).toHaveLength(made);
      expect(
        (await ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: 'k' })).headers['idempotency-replayed'] ??
          'none',
      ).toBe(replayed);
    },
  );

  test.each([
    ['5', '5'],
    ['soon', 'soon'],
    ['none', undefined],
  ])('a scripted fault responds with 429 and Retry-After: %s (P4)', async (_, retryAfter) => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({
      kind: 'rate_limited',
      times: 1,
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    });
    const { status, headers } = await ask('GET', '/v1/audiences');
    expect([status, headers['retry-after']]).toEqual([429, retryAfter]);
  });

  test('responds with 409 to a key in flight, and accepts other keys (I3)', async () => {
    const { ask, emulator, clock } = await startService();
    emulator.admin.addFault({ kind: 'in_flight', seconds: 20, times: 1 });
    const send = (key: string) => ask('POST', '/v1/audiences', { body: NAME, idempotencyKey: key });
    expect((await send('k')).json.error.code).toBe('idempotency_conflict');
    expect((await send('other')).status).toBe(201);
    await clock.advance(19_999);
    expect((await send('k')).status).toBe(409);
    await clock.advance(1);
    expect((await send('k')).status).toBe(201);
  });

  test('a request without a key succeeds while another key is in flight (I3)', async () => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({ kind: 'in_flight', seconds: 20 });
    const [read, created] = [await ask('GET', '/v1/audiences'), await ask('POST', '/v1/audiences', { body: NAME })];
    expect([read.status, created.status]).toEqual([200, 201]);
  });

  test('a fault of kind slow delays only one response, by the manual clock', async () => {
    const { ask, emulator, clock } = await startService();
    emulator.admin.addFault({ kind: 'slow', ms: 30_000, when: 'before', times: 1 });
    let done = false;
    const slow = ask('GET', '/v1/audiences').finally(() => {
      done = true;
    });
    await until(() => clock.sleepers === 1);
    expect((await ask('GET', '/v1/audiences')).status).toBe(200);
    expect(done).toBe(false);
    await clock.advance(30_000);
    expect((await slow).headers.date).toBe('Thu, 01 Jan 2026 00:00:30 GMT');
  });

  test('a scripted fault uses up the rate limit as other clients would', async () => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({ kind: 'steal', requests: 500, after: 1, times: 1 });
    const remaining = async () => (await ask('GET', '/v1/audiences')).headers['ratelimit-remaining'];
    expect([await remaining(), await remaining(), await remaining()]).toEqual(['599', '98', '97']);
  });

  test('a fault changes plan, automation or key at a chosen request', async () => {
    const { ask, emulator } = await startService();
    const flow = emulator.admin.createAutomation({ status: 'draft' });
    emulator.admin.addFault({
      kind: 'change',
      when: 'before',
      automation: { id: flow, status: 'active' },
      after: 1,
      times: 1,
    });
    emulator.admin.addFault({ kind: 'change', when: 'after', revoke_key: true, after: 1, times: 1 });
    emulator.admin.addFault({ kind: 'change', when: 'before', plan: 'free', after: 1, times: 1 });
    const state = async () => {
      const { json } = await ask('GET', '/v1/automations');
      return [json.data?.map(({ status }: { status: string }) => status), emulator.admin.account().plan];
    };
    expect([await state(), await state()]).toEqual([
      [['draft'], 'paid'],
      [['active'], 'free'],
    ]);
    expect((await ask('GET', '/v1/automations')).json.error.code).toBe('revoked_api_key');
  });

  test('a scripted fault drops rows in silence after a 200 (L4)', async () => {
    const { ask, emulator, audience } = await startService();
    emulator.admin.addFault({ kind: 'drop_rows', rows: 1, match: { route: 'POST *contacts/batch' }, times: 1 });
    const contacts = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
    const { json } = await ask('POST', `/v1/audiences/${audience}/contacts/batch`, {
      body: { upsert: true, contacts },
    });
    expect(json.summary).toEqual({ created: 2, updated: 0, failed: 0 });
    expect(emulator.admin.contacts().map(({ email }) => email)).toEqual(['a@example.com']);
  });

  test.each([
    { when: 'before', made: 1 },
    { when: 'after', made: 2 },
  ] as const)('a fault can send any response, $when the store changes (O4)', async ({ when, made }) => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({
      kind: 'answer',
      status: 200,
      body: { odd: true },
      headers: { 'x-proxy': 'p' },
      when,
      times: 1,
    });
    const { status, json, headers } = await ask('POST', '/v1/audiences', { body: NAME });
    expect([status, json, headers['x-proxy']]).toEqual([200, { odd: true }, 'p']);
    expect((await ask('GET', '/v1/audiences')).json.data).toHaveLength(made);
  });

  test('a fault changes and removes headers of the true response (P5)', async () => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({
      kind: 'headers',
      headers: { 'ratelimit-remaining': 'many', date: null, 'ratelimit-reset': null },
    });
    const { status, headers } = await ask('GET', '/v1/audiences');
    expect([status, headers['ratelimit-remaining'], headers['ratelimit-reset']]).toEqual([200, 'many', undefined]);
    expect(headers.date).toBeUndefined();
  });

  test('a headers fault ignores the case of header names', async () => {
    const { ask, emulator } = await startService();
    emulator.admin.addFault({ kind: 'headers', headers: { 'RateLimit-Limit': null, 'RateLimit-Remaining': 'many' } });
    const { headers } = await ask('GET', '/v1/audiences');
    expect([headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([undefined, 'many']);
    emulator.admin.clearFaults();
    const page = { kind: 'answer', status: 200, text: '<p>', when: 'before' } as const;
    emulator.admin.addFault({ ...page, headers: { 'Content-Type': 'text/html' } });
    expect((await ask('GET', '/v1/audiences')).headers['content-type']).toBe('text/html');
  });

  test('a fault that breaks a socket rejects an in-process request', async () => {
    const emulator = await createEmulator({ clock: createManualClock(), randomHex: createHex('in-process') });
    const transport = emulator.transport();
    const url = new URL('https://service.example.test/v1/audiences');
    const headers = { Authorization: `Bearer ${emulator.apiKey}`, 'Content-Type': 'application/json' };
    const send = () =>
      transport.send({ method: 'POST', url, headers, body: Buffer.from('{"name":"A"}') }, new AbortController().signal);
    for (const rule of [{ kind: 'reset', when: 'after' }, { kind: 'fin', when: 'before' }, { kind: 'cut' }] as const) {
      emulator.admin.addFault({ ...rule, times: 1 });
      await expect(send()).rejects.toThrow();
      emulator.admin.clearFaults();
    }
    expect((await send()).status).toBe(201);
    const asked = await transport.send({ method: 'GET', url, headers }, new AbortController().signal);
    expect(JSON.parse(asked.body.toString()).data).toHaveLength(4);
    await emulator.close();
  });

  test('an aborted signal ends the delay that a fault adds to a request', async () => {
    const clock = createManualClock();
    const emulator = await createEmulator({ clock, randomHex: createHex('abort') });
    emulator.admin.addFault({ kind: 'slow', ms: 60_000, when: 'before' });
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${emulator.apiKey}` };
    const url = new URL('https://service.example.test/v1/audiences');
    const sent = emulator.transport().send({ method: 'GET', url, headers }, stop.signal);
    stop.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    await emulator.close();
  });

  const request = (path: string, key = 'svc1.k') => ({
    method: 'POST',
    path,
    headers: { 'idempotency-key': key },
    body: Buffer.alloc(0),
  });
  const strikes = (rule: FaultRule, paths: string[]) => {
    const faults = createFaults({ seed: 7, rules: [rule] }, () => 0);
    return paths.map((path) => faults.pick(request(path)).length);
  };

  test.each([
    { title: 'the second and third', rule: { after: 1, times: 2 }, expected: [0, 1, 1, 0, 0] },
    { title: 'all', rule: {}, expected: [1, 1, 1, 1, 1] },
    { title: 'none at another route', rule: { match: { route: 'GET *' } }, expected: [0, 0, 0, 0, 0] },
    {
      title: 'all at its route, with any query',
      rule: { match: { route: 'POST /v1/*/batch' } },
      expected: [1, 1, 1, 1, 1],
    },
    { title: 'none with another key', rule: { match: { key: 'svc2.*' } }, expected: [0, 0, 0, 0, 0] },
  ])('decides at which requests a scripted fault happens: $title', ({ rule, expected }) => {
    const path = '/v1/audiences/aud_a/contacts/batch?b=1';
    expect(strikes({ kind: 'reset', when: 'before', ...rule }, Array(5).fill(path))).toEqual(expected);
  });

  test('random faults happen at the same requests when the seed is the same', () => {
    const rule: FaultRule = { kind: 'reset', when: 'before', probability: 0.5 };
    const firstRun = strikes(rule, Array(40).fill('/v1/a'));
    expect(strikes(rule, Array(40).fill('/v1/a'))).toEqual(firstRun);
    expect(firstRun.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(8);
    expect(firstRun.reduce((sum, each) => sum + each, 0)).toBeLessThan(32);
  });

  test('the emulator refuses a fault of unknown kind from a file and the API', async () => {
    const rule = { kind: 'earthquake' } as unknown as FaultRule;
    expect(() => createFaults([rule], () => 0)).toThrow('unknown kind of fault: earthquake');
    const { ask } = await startService();
    expect((await ask('POST', '/_emulator/faults', { body: rule })).status).toBe(400);
  });
});
