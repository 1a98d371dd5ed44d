import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../../../src/emulator/emulator.ts';
import { createIncomingBody } from '../../../../src/emulator/http/incoming-body.ts';
import { listenOnPort } from '../../../../src/emulator/http/server.ts';
import { type ArrivingRequest, ConnectionEnded } from '../../../../src/emulator/protocol/request-response.ts';
import { startService } from '../../../contract/service.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

/** A socket to the emulator, and everything that the emulator sent. */
function open(url: string): {
  readonly socket: Socket;
  readonly text: () => string;
  readonly closed: Promise<unknown>;
} {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.on('error', () => undefined);
  return { socket, text: () => text, closed: once(socket, 'close') };
}

function head(key: string, more: readonly string[], path = '/v1/audiences'): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...more,
    '\r\n',
  ].join('\r\n');
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the emulator, when a client uploads a body', () => {
  test.each([
    ['a wrong key', { authorization: 'Bearer wrong' }, '/v1/audiences', 401],
    ['no key', {}, '/v1/audiences', 401],
    ['a foreign host', { host: 'evil.example.com' }, '/v1/audiences', 403],
    ['a wrong key at the admin API', { authorization: 'Bearer wrong' }, '/_emulator/plan', 401],
    ['a wrong key at MCP', { authorization: 'Bearer wrong' }, '/mcp', 401],
    ['an unknown route', {}, '/v1/nothing', 404],
    ['a declared length that is too large', { 'content-length': String(33 * 2 ** 20) }, '/v1/audiences', 400],
    ['a declared length that is too large, at MCP', { 'content-length': String(33 * 2 ** 20) }, '/mcp', 400],
    ['an idempotency key that is too long', { 'idempotency-key': 'k'.repeat(256) }, '/v1/audiences', 400],
  ])(
    'the emulator refuses a request with %s before it reads the body (K7)',
    async (title, headers: Record<string, string>, path, status) => {
      const emulator = await createEmulator({ clock: createManualClock(), randomHex: (length) => 'a'.repeat(length) });
      onTestFinished(() => emulator.close());
      let read = 0;
      const body: ArrivingRequest['body'] = async () => {
        read += 1;
        return Buffer.from('{}');
      };
      const key =
        title.includes('key') && !title.includes('idem') ? {} : { authorization: `Bearer ${emulator.apiKey}` };
      const response = await emulator.handle({ method: 'POST', path, headers: { ...key, ...headers }, body });
      expect([response.status, read]).toEqual([status, 0]);
    },
  );

  test('the emulator does not treat an unread body as empty after a hang-up (I3)', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(`${head('k', ['Content-Length: 2'])}{}`);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    await until(() => request.complete);
    client.destroy();
    await new Promise((resolve) => request.on('error', () => undefined).once('close', resolve));
    await expect(createIncomingBody(request, createManualClock()).read()).rejects.toBeInstanceOf(ConnectionEnded);
  });

  test('the emulator reads no body when a request exceeds the rate limit (K7)', async () => {
    const emulator = await createEmulator({
      clock: createManualClock(),
      randomHex: (length) => 'a'.repeat(length),
      rateLimit: 1,
    });
    onTestFinished(() => emulator.close());
    const request = { method: 'POST', path: '/v1/audiences', headers: { authorization: `Bearer ${emulator.apiKey}` } };
    await emulator.handle({ ...request, body: Buffer.from('{}') });
    const body = () => Promise.reject(new Error('read'));
    expect((await emulator.handle({ ...request, body })).status).toBe(429);
  });

  test('the emulator serves the next request after a refused upload', async () => {
    const { url } = await startService();
    const { socket, text } = open(url);
    const size = 4 * 2 ** 20;
    socket.write(head('wrong', [`Content-Length: ${size}`]));
    socket.write('x'.repeat(size));
    await until(() => text().includes('Unknown API key'));
    socket.write('GET /v1/audiences HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    await until(() => text().includes('Send Authorization'));
    expect(text().match(/HTTP\/1\.1 401/g)).toHaveLength(2);
  });

  test('the emulator responds to Expect: 100-continue by a refusal or by 100', async () => {
    const { url, emulator } = await startService();
    const body = '{"name":"Second"}';
    const expecting = ['Expect: 100-continue', `Content-Length: ${body.length}`];
    const wrong = open(url);
    wrong.socket.write(head('wrong', expecting));
    await wrong.closed;
    expect(wrong.text()).toMatch(/^HTTP\/1\.1 401/);
    expect(wrong.text()).toMatch(/connection: close/i);
    const right = open(url);
    right.socket.write(head(emulator.apiKey, expecting));
    await until(() => right.text().startsWith('HTTP/1.1 100'));
    right.socket.write(body);
    await until(() => /HTTP\/1\.1 20[01]/.test(right.text()));
    expect(emulator.admin.state().audiences).toBe(2);
  });

  test('the emulator reads no chunked body to its end when it is too large', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    client.write(head('k', ['Transfer-Encoding: chunked']));
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    client.write(`${(33 * 2 ** 20).toString(16)}\r\n${'x'.repeat(33 * 2 ** 20)}\r\n`);
    // The body has no end yet, and the clock stands still, so that no time limit ends the reading.
    await expect(createIncomingBody(request, createManualClock()).read()).rejects.toThrow('too large');
    expect(request.complete).toBe(false);
  });

  test('the emulator responds with 400 when a chunked body is too large', async () => {
    const { url, emulator } = await startService();
    const { socket, text, closed } = open(url);
    socket.write(head(emulator.apiKey, ['Transfer-Encoding: chunked', 'Connection: close']));
    const part = `100000\r\n${'x'.repeat(2 ** 20)}\r\n`;
    for (let count = 0; count < 34; count += 1) {
      if (!socket.write(part)) {
        await once(socket, 'drain');
      }
    }
    socket.write('0\r\n\r\n');
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 400.*too large/s);
  });

  const FAILED = { status: 500, headers: {}, body: Buffer.alloc(0) };

  test.each([
    ['a body that stops', 'right', 408],
    ['a body that stops, under a wrong key', 'wrong', 401],
  ])('the emulator waits at most 30 seconds for %s', async (_, which, status) => {
    const clock = createManualClock();
    const emulator = await createEmulator({ clock: createManualClock(), randomHex: (length) => 'a'.repeat(length) });
    let waits = 0;
    const counting = {
      ...clock,
      sleep: (...sleep: Parameters<typeof clock.sleep>) => {
        waits += 1;
        return clock.sleep(...sleep);
      },
    };
    const listening = await listenOnPort({ handle: emulator.handle, refuseUnreadable: () => FAILED }, 0, counting);
    onTestFinished(async () => {
      await listening.close();
      await emulator.close();
    });
    const { socket, text, closed } = open(listening.url);
    socket.write(`${head(which === 'right' ? emulator.apiKey : which, ['Content-Length: 100'])}{"na`);
    await until(() => waits > 0);
    await clock.advance(29_999);
    expect(text()).toBe('');
    await clock.advance(1);
    await closed;
    expect(text().slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  });
});
