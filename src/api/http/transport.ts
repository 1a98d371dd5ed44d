import type { Dispatcher } from 'undici';
import type { Transport, TransportOptions, WireRequest, WireResponse } from '../../base/context.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { isLoopback } from './base-url.ts';

// The maximum size of a response in bytes. Responses of the service are far smaller, but a wrong server could send more
// than fits into memory.
const LONGEST_BODY = 64 * 1024 * 1024;

/**
 * HTTP/1.1 over connections that stay open. Follows no redirects. Uses HTTPS_PROXY and NO_PROXY of `env`, except for
 * loopback. TLS checks can be turned off only for loopback (K3). An aborted attempt closes its socket (I5). undici is
 * loaded at the first request.
 */
export function createUndiciTransport(options: TransportOptions): Transport {
  const proxy = proxyOf(options);
  let client: Promise<HttpClient> | undefined;
  return {
    async send(request, signal) {
      client ??= openClient(options, proxy);
      return sendOnce(await client, request, signal);
    },
    async close() {
      await (await client)?.dispatcher.destroy();
    },
  };
}

/** The open connections, and the function of undici that sends over them. */
interface HttpClient {
  readonly dispatcher: Dispatcher;
  readonly request: typeof import('./undici.ts').request;
}

async function openClient(options: TransportOptions, proxy: ProxySettings | undefined): Promise<HttpClient> {
  const { Pool, request } = await import('./undici.ts');
  const settings = { ...poolSettings(options), connect: tlsOptions(options) };
  const dispatcher = proxy ? await openProxied(options, proxy) : new Pool(options.origin.origin, settings);
  return { dispatcher, request };
}

interface ProxySettings {
  readonly uri: string;
  readonly noProxy: string;
}

async function openProxied(options: TransportOptions, { uri, noProxy }: ProxySettings): Promise<Dispatcher> {
  const { EnvHttpProxyAgent } = await import('./undici-proxy.ts');
  // With empty strings, undici does not read process.env.
  return new EnvHttpProxyAgent({
    ...poolSettings(options),
    connect: tlsOptions(options),
    requestTls: tlsOptions(options),
    proxyTls: tlsOptions(options),
    httpProxy: '',
    httpsProxy: uri,
    noProxy,
  });
}

function poolSettings({ connections }: TransportOptions) {
  // The timeouts of undici are off, because the caller limits the time of the whole attempt. HTTP/2 is off, because an
  // abort would then close a stream and not the socket.
  return { connections, headersTimeout: 0, bodyTimeout: 0, allowH2: false, maxResponseSize: LONGEST_BODY };
}

function tlsOptions({ origin, env }: TransportOptions) {
  const isUnchecked = isLoopback(origin.hostname) && env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  return { rejectUnauthorized: !isUnchecked, allowH2: false };
}

function proxyOf({ origin, env }: TransportOptions): ProxySettings | undefined {
  const uri = env.https_proxy || env.HTTPS_PROXY;
  if (!uri || origin.protocol !== 'https:' || isLoopback(origin.hostname)) {
    return undefined;
  }
  if (!/^https?:$/.test(URL.parse(uri)?.protocol ?? '')) {
    throw new SvcError(EXIT.usage, 'invalid_proxy', 'HTTPS_PROXY is not an http or https URL');
  }
  return { uri, noProxy: env.no_proxy || env.NO_PROXY || '' };
}

async function sendOnce(
  { dispatcher, request }: HttpClient,
  { url, method, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireResponse> {
  const response = await request.call(dispatcher, {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers,
    body: body ?? null,
    signal,
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: joinHeaders(response.headers), body: bytes };
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter((entry): entry is [string, string | string[]] => entry[1] !== undefined)
      .map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]),
  );
}
