import { createServer, type Server } from 'node:http';
import { createSecureServer as createH2Server } from 'node:http2';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createUndiciTransport } from '../../../../src/api/http/transport.ts';
import type { Transport } from '../../../../src/base/context.ts';
import { SELF_SIGNED } from './self-signed.ts';

const open: { transports: Transport[]; servers: (Server | TlsServer)[]; closers: (() => void)[] } = {
  transports: [],
  servers: [],
  closers: [],
};

afterEach(async () => {
  await Promise.all(open.transports.splice(0).map((transport) => transport.close()));
  for (const close of open.closers.splice(0)) {
    close();
  }
  for (const server of open.servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server | TlsServer): Promise<URL> {
  open.servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function openTransport(origin: URL, env: Record<string, string> = {}): Transport {
  const transport = createUndiciTransport({ origin, connections: 2, env });
  open.transports.push(transport);
  return transport;
}

const never = () => new AbortController().signal;
const get = (url: URL) => ({ method: 'GET', url, headers: {} }) as const;

describe('the undici transport over a real socket', () => {
  test('sends the exact request over a socket and reads the whole response', async () => {
    const seen: unknown[] = [];
    const origin = await listen(
      createServer(async (request, response) => {
        const body = Buffer.concat(await request.toArray());
        seen.push([request.method, request.url, request.headers['idempotency-key'], body.toString('hex')]);
        response.setHeader('X-Twice', ['a', 'b']);
        response.writeHead(201, { 'Content-Type': 'application/json' });
        response.end('{"ok":true}');
      }),
    );
    const url = new URL('/api/v1/audiences?after=a%2Bb', origin);
    const response = await openTransport(origin).send(
      { method: 'POST', url, headers: { 'idempotency-key': 'svc1.x' }, body: Buffer.from([0x7b, 0x7d, 0xff]) },
      never(),
    );
    expect(seen).toEqual([['POST', '/api/v1/audiences?after=a%2Bb', 'svc1.x', '7b7dff']]);
    expect([response.status, response.headers['x-twice'], response.body.toString()]).toEqual([
      201,
      'a, b',
      '{"ok":true}',
    ]);
  });

  test('keeps connections alive between requests', async () => {
    const sockets = new Set<Socket>();
    const origin = await listen(
      createServer((request, response) => {
        sockets.add(request.socket);
        response.end('{}');
      }),
    );
    const transport = openTransport(origin);
    for (let n = 0; n < 10; n += 1) {
      await transport.send(get(new URL('/v1/x', origin)), never());
    }
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  test('closes the socket of an aborted attempt (I5)', async () => {
    const stop = new AbortController();
    let arrived = () => {};
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let ended = () => {};
    const closed = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const origin = await listen(
      createServer((request) => {
        request.socket.on('close', ended);
        arrived();
      }),
    );
    const sending = openTransport(origin).send(get(new URL('/v1/x', origin)), stop.signal);
    await inFlight;
    stop.abort(new Error('enough'));
    await expect(sending).rejects.toThrow('enough');
    await closed;
  });

  test('closes the socket when an abort comes during the response body (I5)', async () => {
    const stop = new AbortController();
    let ended = () => {};
    const closed = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const origin = await listen(
      createServer((request, response) => {
        request.socket.on('close', ended);
        response.writeHead(200, { 'content-length': '100' });
        response.write('{', () => stop.abort(new Error('enough')));
      }),
    );
    await expect(openTransport(origin).send(get(new URL('/v1/x', origin)), stop.signal)).rejects.toThrow();
    await closed;
  });

  test('returns a redirect as the response and does not follow it (K3)', async () => {
    const seen: string[] = [];
    const origin = await listen(
      createServer((request, response) => {
        seen.push(request.url ?? '');
        response.writeHead(307, { location: '/elsewhere' }).end();
      }),
    );
    const response = await openTransport(origin).send(get(new URL('/v1/x', origin)), never());
    expect([response.status, response.headers.location, seen]).toEqual([307, '/elsewhere', ['/v1/x']]);
  });

  test.each([
    ['before its content-length', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":'],
    ['in the middle of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"a":'],
    ['before its last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'],
    ['in its headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['before its first byte', ''],
  ])('treats a response cut %s as no response (O3)', async (_, text) => {
    const server = createServer();
    server.on('request', (request) => request.socket.end(text));
    const origin = await listen(server);
    await expect(openTransport(origin).send(get(new URL('/v1/x', origin)), never())).rejects.toThrow();
  });

  test('rejects a request with ECONNREFUSED when no server listens', async () => {
    const server = createServer();
    const origin = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(openTransport(origin).send(get(new URL('/v1/x', origin)), never())).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

describe('proxies (K3)', () => {
  async function listenProxy() {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('{}');
    });
    server.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    return { asked, url: await listen(server) };
  }

  const service = new URL('https://service.example.test');
  const aim = get(new URL('/v1/x', service));

  test.each(['HTTPS_PROXY', 'https_proxy'])(
    'sends https requests through the proxy of the variable %s',
    async (name) => {
      const proxy = await listenProxy();
      const sending = openTransport(service, { [name]: proxy.url.href }).send(aim, never());
      await expect(sending).rejects.toThrow();
      expect(proxy.asked).toEqual(['CONNECT service.example.test:443']);
    },
  );

  test.each(['service.example.test', '.example.test', '*'])(
    'sends https requests without the proxy when NO_PROXY=%s',
    async (noProxy) => {
      const proxy = await listenProxy();
      const transport = openTransport(service, { HTTPS_PROXY: proxy.url.href, NO_PROXY: noProxy });
      // Names under .test never resolve, so a direct request fails at the name server.
      await expect(transport.send(aim, never())).rejects.toMatchObject({ syscall: 'getaddrinfo' });
      expect(proxy.asked).toEqual([]);
    },
  );

  test('sends http requests to loopback without a proxy', async () => {
    const proxy = await listenProxy();
    const origin = await listen(createServer((_, response) => response.end('{"direct":true}')));
    const env = { HTTPS_PROXY: proxy.url.href, HTTP_PROXY: proxy.url.href, http_proxy: proxy.url.href };
    const response = await openTransport(origin, env).send(get(new URL('/v1/x', origin)), never());
    expect([response.body.toString(), proxy.asked]).toEqual(['{"direct":true}', []]);
  });

  test('sends https requests to loopback without a proxy', async () => {
    const proxy = await listenProxy();
    const origin = await listen(createServer());
    const secure = new URL(`https://127.0.0.1:${origin.port}`);
    const transport = openTransport(secure, { HTTPS_PROXY: proxy.url.href });
    await expect(transport.send(get(new URL('/v1/x', secure)), never())).rejects.toThrow();
    expect(proxy.asked).toEqual([]);
  });

  test('refuses HTTPS_PROXY with a usage error when it is not a URL', () => {
    expect(() => openTransport(service, { HTTPS_PROXY: 'nonsense' })).toThrow(
      'HTTPS_PROXY is not an http or https URL',
    );
  });
});

describe('TLS certificates (K3)', () => {
  const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const listenTls = () => listen(createTlsServer(SELF_SIGNED, (_, response) => response.end('{"secure":true}')));

  /** A proxy that connects every name to one port of this machine. */
  async function listenTunnel(port: number): Promise<URL> {
    const server = createServer();
    server.on('connect', (_, socket) => {
      const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      onward.pipe(socket).pipe(onward);
    });
    return listen(server);
  }

  test('refuses an untrusted TLS certificate on loopback', async () => {
    const secure = new URL(`https://127.0.0.1:${(await listenTls()).port}`);
    await expect(openTransport(secure).send(get(new URL('/v1/x', secure)), never())).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });

  test('accepts any TLS certificate on loopback when Node checks none', async () => {
    const secure = new URL(`https://127.0.0.1:${(await listenTls()).port}`);
    const response = await openTransport(secure, unchecked).send(get(new URL('/v1/x', secure)), never());
    expect(response.body.toString()).toBe('{"secure":true}');
  });

  test('does not use HTTP/2, because an abort must close the socket (I5)', async () => {
    const server = createH2Server({ ...SELF_SIGNED, allowHTTP1: true }, (request, response) => {
      response.end(request.httpVersion);
    });
    open.closers.push(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const secure = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const response = await openTransport(secure, unchecked).send(get(new URL('/v1/x', secure)), never());
    expect(response.body.toString()).toBe('1.1');
  });

  test('checks the TLS certificate of a remote host even when Node checks none', async () => {
    const service = new URL('https://service.example.test');
    const proxy = await listenTunnel(Number((await listenTls()).port));
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const transport = openTransport(service, { ...unchecked, HTTPS_PROXY: proxy.href });
      await expect(transport.send(get(new URL('/v1/x', service)), never())).rejects.toMatchObject({
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      });
    } finally {
      if (before === undefined) {
        delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      } else {
        process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
      }
    }
  });
});
