import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { LIMITS } from '../../wire/limits.ts';
import { isPublicAddress, isPublicHost } from '../../wire/public-hosts.ts';
import { invalidRequest } from '../protocol/envelope.ts';

/**
 * Checks the URL of a webhook endpoint: public https on port 443 or 8443 (service document, "Delivery rules" 6). With
 * `mayBeLoopback`, a URL of this machine may also have http and any port. Throws 400 `invalid_request` for any other
 * URL. Checks only the text: the sender later checks the IP address of the host name.
 */
export function checkWebhookUrl(value: unknown, mayBeLoopback: boolean): string {
  const url = typeof value === 'string' ? parse(value) : undefined;
  if (typeof value !== 'string' || url === undefined) {
    throw invalidRequest('url must be an https URL.', 'url');
  }
  if (!(mayBeLoopback && isLoopback(url))) {
    assertPublic(url);
  }
  return value;
}

/** True if the host of the URL is this machine. */
function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

function parse(text: string): URL | undefined {
  // `new URL` would drop blanks and control characters. The stored text would then differ from the URL that was
  // checked.
  const url = URL.canParse(text) && !/[\s\p{Cc}]/u.test(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

function assertPublic(url: URL): void {
  if (url.protocol !== 'https:') {
    throw invalidRequest('url must be https.', 'url');
  }
  if (!LIMITS.webhookPorts.some((port) => String(port) === (url.port || '443'))) {
    throw invalidRequest(`url must use port ${LIMITS.webhookPorts.join(' or ')}.`, 'url');
  }
  if (!isPublicHost(url.hostname)) {
    throw invalidRequest('url must be a public address.', 'url');
  }
}

/** The POST that the receiver of a webhook gets. */
export interface WebhookAttempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends one attempt, and returns the HTTP status of the receiver. Rejects if there is no response, and if the signal
 * aborts.
 */
export type WebhookSender = (attempt: WebhookAttempt, signal: AbortSignal) => Promise<number>;

/** Looks up the addresses of a host name, as `dns.lookup` does with `all: true`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Makes a sender that uses the network. It follows no redirect, and sends only to public addresses. If `mayBeLoopback`
 * is true, it also sends to this machine.
 */
export function createWebhookSender(mayBeLoopback: boolean, resolve: Resolve = lookup): WebhookSender {
  return (attempt, signal) => {
    const url = new URL(attempt.url);
    const isAllowedLoopback = mayBeLoopback && isLoopback(url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // A host that is an IP address is never looked up, so `createGuardedLookup` would not check it.
    if (!isAllowedLoopback && isIP(host) > 0 && !isPublicAddress(host)) {
      return Promise.reject(new Error('private address refused'));
    }
    return post(attempt, { signal, ...(isAllowedLoopback ? {} : { lookup: createGuardedLookup(resolve) }) });
  };
}

function post({ url, headers, body }: WebhookAttempt, options: RequestOptions): Promise<number> {
  const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const onResponse = (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    };
    const request = send(
      url,
      { ...options, method: 'POST', headers: { ...headers, ...length }, agent: false },
      onResponse,
    );
    request.on('error', reject);
    request.end(body);
  });
}

// Checks the result of the look-up that the socket itself uses. A separate look-up could have a different result.
function createGuardedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error || first === undefined) {
        callback(error ?? new Error('no address'), '');
      } else if (addresses.some(({ address }) => !isPublicAddress(address))) {
        callback(new Error('private address refused'), '');
      } else {
        options.all ? callback(null, addresses) : callback(null, first.address, first.family);
      }
    });
  };
}
