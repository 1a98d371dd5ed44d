import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';

const NOW = Date.UTC(2026, 0, 1) / 1_000;

interface Sent {
  readonly body: string;
  readonly signature?: string;
  readonly method?: string;
}

function event(id: string, type = 'email.sent'): string {
  return JSON.stringify({ id, type, created_at: '2026-01-01T00:00:00.000Z', data: { email: 'ana@example.com' } });
}

/** Starts the receiver, sends, and stops it. The port is chosen first, because stderr is read only at the end. */
async function receive(world: World, flags: string, sent: readonly Sent[]) {
  world.file('secret', 'shh');
  const stop = new AbortController();
  const port = 20_000 + (Number.parseInt(world.emulator.storeId.slice(0, 6), 16) % 40_000);
  const line = `webhooks listen --port ${port} --secret-file secret ${flags}`;
  const running = world.svc(line, { signal: stop.signal });
  const statuses: number[] = [];
  for (const one of sent) {
    statuses.push(await post(`http://127.0.0.1:${port}/`, one));
  }
  stop.abort(new Error('enough'));
  const { code, out, err } = await running;
  return { statuses, code, out, err };
}

async function post(url: string, { body, method = 'POST', signature }: Sent): Promise<number> {
  const v1 = signature ?? createHmac('sha256', 'shh').update(`${NOW}.${body}`).digest('hex');
  const headers = { 'service-signature': `t=${NOW},v1=${v1}`, 'service-delivery-attempt': '2' };
  for (;;) {
    const response = await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body }) }).catch(
      () => undefined,
    );
    if (response) {
      return response.status;
    }
  }
}

test('prints one line a verified event, none for repeats, and refuses the rest (W4)', async () => {
  const world = await createWorld();
  const { statuses, code, out, err } = await receive(world, '', [
    { body: event('evt_1') },
    { body: event('evt_1') },
    { body: event('evt_2', 'email.\u001b[31mnew') },
    { body: event('evt_3'), signature: '00' },
    { body: 'not json' },
    { body: '[]' },
    { body: '', method: 'GET' },
    { body: JSON.stringify({ id: 'evt_4', type: 'x', data: 'y'.repeat(1_100_000) }) },
  ]);
  expect([code, statuses]).toEqual([0, [200, 200, 200, 400, 400, 400, 405, 413]]);
  expect(out).toBe(
    [
      '2026-01-01T00:00:00.000Z\tevt_1\temail.sent\tana@example.com\tattempt 2\n',
      '2026-01-01T00:00:00.000Z\tevt_2\temail.\\u001b[31mnew\tana@example.com\tattempt 2\n',
    ].join(''),
  );
  expect(err).toContain('Listening on http://127.0.0.1:');
  expect(`${out}${err}`).not.toContain('shh');
});

test('prints each event unchanged on a line with --json', async () => {
  const world = await createWorld();
  const { out } = await receive(world, '--json', [{ body: event('evt_1') }, { body: event('evt_2') }]);
  expect(out.trim().split('\n')).toEqual([event('evt_1'), event('evt_2')]);
});

test('requires a port', async () => {
  const world = await createWorld();
  world.file('secret', 'shh');
  expect((await world.svc('webhooks listen --secret-file secret')).code).toBe(2);
});
