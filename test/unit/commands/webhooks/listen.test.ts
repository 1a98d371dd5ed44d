import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WireRequest } from '../../../../src/base/context.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';
import { whileServing } from '../serving.ts';

const NOW = Date.UTC(2026, 0, 1) / 1_000;

interface SentEvent {
  readonly body: string;
  readonly signature?: string;
  readonly method?: string;
}

function event(id: string, type = 'email.sent'): string {
  return JSON.stringify({ id, type, created_at: '2026-01-01T00:00:00.000Z', data: { email: 'ana@example.com' } });
}

/** Starts the receiver on a free port, sends the events, and stops it. */
async function receive(world: World, flags: string, sent: readonly SentEvent[], options: RunOptions = {}) {
  world.file('secret', 'shh');
  const line = `webhooks listen --port 0 --secret-file secret ${flags}`;
  const sendAll = async (started: string) => {
    const [, url = ''] = /^Listening on ([^,;]+)/.exec(started) ?? [];
    const statuses: number[] = [];
    for (const one of sent) {
      statuses.push(await post(url, one));
    }
    return statuses;
  };
  const { result: statuses, ended } = await whileServing(world, line, sendAll, options);
  return { statuses, code: ended.code, out: ended.out, err: ended.err };
}

async function post(url: string, { body, method = 'POST', signature }: SentEvent): Promise<number> {
  const v1 = signature ?? createHmac('sha256', 'shh').update(`${NOW}.${body}`).digest('hex');
  const headers = { 'service-signature': `t=${NOW},v1=${v1}`, 'service-delivery-attempt': '2' };
  return (await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body }) })).status;
}

test('webhooks listen prints verified events once, refuses others (W4)', async () => {
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
  expect(err).toContain('refused: the body is larger than 1 MiB\n');
  expect(`${out}${err}`).not.toContain('shh');
});

test('webhooks listen --json prints each event unchanged on a line', async () => {
  const world = await createWorld();
  const { out } = await receive(world, '--json', [{ body: event('evt_1') }, { body: event('evt_2') }]);
  expect(out.trim().split('\n')).toEqual([event('evt_1'), event('evt_2')]);
});

test('webhooks listen ends with a usage error when --port is missing', async () => {
  const world = await createWorld();
  world.file('secret', 'shh');
  expect((await world.svc('webhooks listen --secret-file secret')).code).toBe(2);
});

const TARGET = 'http://localhost:3000/in?from=svc';

/** A target that responds with these statuses in turn. A text is the error of a failed connection. */
function targetOf(answers: readonly (number | string)[]) {
  const left = [...answers];
  const got: WireRequest[] = [];
  const transport: RunOptions['transport'] = () => ({
    send: async (request) => {
      got.push(request);
      const answer = left.shift() ?? 200;
      if (typeof answer === 'string') {
        throw new Error(answer);
      }
      return { status: answer, headers: {}, body: Buffer.alloc(0) };
    },
    close: async () => undefined,
  });
  return { got, transport };
}

test('webhooks listen forwards events, and responds as the target does (W5)', async () => {
  const world = await createWorld();
  const { got, transport } = targetOf([204, 500, 302, 'connect ECONNREFUSED']);
  const spaced = `  ${event('evt_1')}\n`;
  const sent = [
    { body: spaced },
    { body: event('evt_2') },
    { body: event('evt_3') },
    { body: event('evt_4') },
    { body: event('evt_5'), signature: '00' },
  ];
  const { statuses, out, err } = await receive(world, `--forward-to ${TARGET}`, sent, { transport });
  expect(statuses).toEqual([204, 500, 302, 502, 400]);
  expect(got.map(({ url, body }) => [url.href, body?.toString()])).toEqual(
    sent.slice(0, 4).map(({ body }) => [TARGET, body]),
  );
  const v1 = createHmac('sha256', 'shh').update(`${NOW}.${spaced}`).digest('hex');
  expect(got[0]?.headers).toMatchObject({ 'service-signature': `t=${NOW},v1=${v1}`, 'service-delivery-attempt': '2' });
  expect(Object.keys(got[0]?.headers ?? {})).not.toContain('host');
  expect(out.split('\n').map((line) => line.split('\t').at(-1))).toEqual([
    'forwarded: HTTP 204 in 0 ms',
    'not forwarded: HTTP 500 after 0 ms; answered 500, so the service sends it again',
    'not forwarded: HTTP 302 after 0 ms; answered 302, so the service sends it again',
    'not forwarded: connect ECONNREFUSED after 0 ms; answered 502, so the service sends it again',
    '',
  ]);
  expect(err).toContain(`handing events on to ${TARGET}`);
});

test('forwards a repeated event only when the target did not accept it (W5)', async () => {
  const world = await createWorld();
  const { got, transport } = targetOf([500, 200]);
  const sent = [{ body: event('evt_1') }, { body: event('evt_1') }, { body: event('evt_1') }];
  const { statuses } = await receive(world, `--forward-to ${TARGET}`, sent, { transport });
  expect([statuses, got.length]).toEqual([[500, 200, 200], 2]);
});

test('webhooks listen --event forwards only this type, responds 200 to all', async () => {
  const world = await createWorld();
  const { got, transport } = targetOf([]);
  const sent = [{ body: event('evt_1') }, { body: event('evt_2', 'email.bounced') }];
  const flags = `--forward-to ${TARGET} --event email.bounced --json`;
  const { statuses, out } = await receive(world, flags, sent, { transport });
  expect([statuses, got.length]).toEqual([[200, 200], 1]);
  expect(JSON.parse(out)).toEqual({
    ...JSON.parse(event('evt_2', 'email.bounced')),
    forward: { status: 200, duration_ms: 0, error: null },
  });
});

test.each([
  '--forward-to nowhere',
  '--forward-to ftp://localhost/',
  '--forward-to http://hooks.example.com/in',
  '--event email.opened',
])('webhooks listen refuses the flags %s before it listens', async (flags) => {
  const world = await createWorld();
  world.file('secret', 'shh');
  expect((await world.svc(`webhooks listen --port 0 --secret-file secret ${flags}`)).code).toBe(2);
});
