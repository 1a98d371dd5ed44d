import { EXIT, SvcError } from '../../base/lib/errors.ts';

/**
 * Parses a base URL: https, or http only to loopback. Removes a slash at the end of the path, doubled slashes, and a
 * dot at the end of the host. So keys, ledgers and locks find the same service, however the user types its URL (K4).
 * Credentials, a query, a fragment and a path that ends in /v1 are usage errors. Their hint shows the right URL.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalidUrlError(`not a base URL: ${text}`, 'give it as https://host or https://host/path');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw invalidUrlError(
      'a base URL must not contain credentials, a query or a fragment',
      `use ${url.origin}${url.pathname}`,
    );
  }
  url.hostname = url.hostname.replace(/\.$/, '');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalidUrlError(`plain http is allowed for loopback only: ${text}`, `use https://${url.host}${url.pathname}`);
  }
  url.pathname = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  if (/\/v1$/i.test(url.pathname)) {
    throw invalidUrlError(
      `the base URL ends in /v1, which svc adds itself: ${text}`,
      `use ${withoutLastSlash(url).slice(0, -'/v1'.length)}`,
    );
  }
  return url;
}

/** True for localhost and its subdomains, 127.0.0.0/8 and ::1, as `URL.hostname` writes them. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * The URL of an endpoint: the base path, `/v1`, and each segment percent-encoded. Throws for a segment that would
 * change the path, such as `..`. As a second check, throws if the URL parser changes the path that svc built (K2).
 */
export function buildUrl(base: URL, segments: readonly string[], query: QueryParameters = {}): URL {
  const path = `${base.pathname.replace(/\/+$/, '')}/v1/${segments.map(encodeSegment).join('/')}`;
  const url = new URL(path, base.origin);
  if (url.pathname !== path || url.origin !== base.origin || url.search !== '' || url.hash !== '') {
    throw invalidUrlError('the path of the request holds characters that a URL changes');
  }
  url.search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  return url;
}

/** The path of a request as messages show it. `{email}` stands for the address of a person. */
export function displayPath(segments: readonly string[]): string {
  const path = segments.map((segment) => (segment.includes('@') ? '{email}' : encodeURIComponent(segment)));
  return `/v1/${path.join('/')}`;
}

/** Query parameters. `buildUrl` encodes them, and leaves out those that are undefined. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

function encodeSegment(segment: string): string {
  // Only an email address may contain characters such as a slash. They are percent-encoded below.
  const forbidden = segment.includes('@') ? /[\0-\x1f\x7f]/ : /[\0-\x1f\x7f/\\?#]/;
  if (segment === '' || segment === '.' || segment === '..' || forbidden.test(segment) || !segment.isWellFormed()) {
    throw invalidUrlError(`not allowed in a path: ${JSON.stringify(segment)}`);
  }
  return encodeURIComponent(segment);
}

/** The text of a base URL, as profiles and runs store it. */
export function withoutLastSlash(baseUrl: URL): string {
  return baseUrl.href.replace(/\/+$/, '');
}

/** The usage error for a URL that svc refuses. */
export function invalidUrlError(message: string, hint?: string): SvcError {
  return new SvcError(EXIT.usage, 'invalid_url', message, { hint });
}
