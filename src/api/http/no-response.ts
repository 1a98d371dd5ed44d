import { EXIT, SvcError } from '../../base/lib/errors.ts';
import type { Scrub } from '../../base/lib/scrub.ts';
import type { Fault } from './read-response.ts';

/**
 * The result of an attempt without a complete response. `cause` is the error of the transport. `hasResponded` is true
 * if this host has responded before. Then the settings are right, and a retry can help.
 */
export function faultWithoutResponse(cause: unknown, scrub: Scrub, hasResponded: boolean): Fault {
  const code = codeOf(cause);
  const text = cause instanceof Error ? withCode(code, cause.message) : String(cause);
  const setting = SETTING_PROBLEMS.find(({ codes }) => codes.test(code));
  const details = { cause: scrub(text), hint: setting?.hint };
  return {
    kind: 'fault',
    error: new SvcError(EXIT.failed, 'no_answer', `no answer from the service: ${scrub(text)}`, details),
    meta: { status: undefined, replayed: false, requestId: undefined, retryAfterMs: undefined },
    mayHaveReachedService: wasConnected(cause) || !(NEVER_CONNECTED.has(code) || CERTIFICATE.test(code)),
    isRetryable: hasResponded || setting === undefined || setting.mayPass === true,
  };
}

/** Adds the error code to a message that lacks it, because users search for the code. */
function withCode(code: string, message: string): string {
  return code === '' || message.includes(code) ? message : `${code}: ${message}`;
}

// Error codes of a connection that could not be opened, so no byte of the request was sent. A connection that was open
// can fail with the same codes (see `wasConnected`).
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

// Error codes of OpenSSL and Node for a rejected certificate. No byte of the request was sent.
const CERTIFICATE =
  /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_CERT_|ERROR_IN_CRL_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/;

/**
 * Failures that a wrong setting can cause, each with a hint. `mayPass` is true if the failure can also be temporary.
 * Without `mayPass`, svc retries only if the host has responded before.
 */
const SETTING_PROBLEMS: readonly { readonly codes: RegExp; readonly hint: string; readonly mayPass?: boolean }[] = [
  {
    codes: /^EAI_AGAIN$/,
    hint: "The name server doesn't answer: check this machine's network and DNS, and --base-url (or SVC_BASE_URL); behind a proxy, also HTTPS_PROXY.",
    mayPass: true,
  },
  {
    codes: /^ENOTFOUND$/,
    hint: 'No such host: check --base-url (or SVC_BASE_URL); behind a proxy, also HTTPS_PROXY.',
  },
  {
    codes: /^ECONNREFUSED$/,
    hint: 'No program listens at that host and port: check both in --base-url (or SVC_BASE_URL), and HTTPS_PROXY.',
    mayPass: true,
  },
  {
    codes: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    hint: "The server's certificate is out of date, or this machine's clock is wrong: check both, and --base-url (or SVC_BASE_URL).",
  },
  {
    codes: /^(ERR_TLS_CERT_|HOSTNAME_MISMATCH$)/,
    hint: 'The certificate is for another name: check the host in --base-url (or SVC_BASE_URL).',
  },
  {
    codes: CERTIFICATE,
    hint: "This machine doesn't trust the server's certificate: check --base-url (or SVC_BASE_URL). For a certificate authority of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem",
  },
  {
    codes: /^(EPROTO$|ERR_SSL_|ERR_TLS_(?!HANDSHAKE_TIMEOUT))/,
    hint: 'The server does not speak TLS on that port, or no version that svc knows: check scheme and port of --base-url (or SVC_BASE_URL), and HTTPS_PROXY.',
  },
];

/**
 * True if a system call on an open connection failed, such as `read`. The service may have got the request then. The
 * error code alone does not show this: `read EHOSTUNREACH` has the same code as a connection that could not be opened.
 */
function wasConnected(cause: unknown): boolean {
  const { syscall } = systemErrorOf(cause);
  return syscall !== undefined && syscall !== 'connect' && syscall !== 'getaddrinfo';
}

/** The code of an error, or else of its first cause with a code. Empty if there is none. */
function codeOf(error: unknown): string {
  const { code } = systemErrorOf(error);
  return typeof code === 'string' ? code : '';
}

/** The error, or the first of its causes that has a code. */
function systemErrorOf(error: unknown): ErrorParts {
  const parts: ErrorParts = typeof error === 'object' && error !== null ? error : {};
  return typeof parts.code === 'string' || parts.cause === undefined ? parts : systemErrorOf(parts.cause);
}

interface ErrorParts {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
}
