import type { WireRequest, WireResponse } from '../../base/context.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { isRecord, parseJson } from '../../base/lib/json.ts';
import { parseRetryAfter } from '../rate-limit/response-headers.ts';
import { ApiError, type ErrorEnvelope } from './api-error.ts';

/** The result of one attempt. It depends only on the status and on `error.code`, never on the message (O1–O3). */
export type AttemptResult =
  | { readonly kind: 'success'; readonly status: number; readonly json: unknown; readonly meta: ResponseMeta }
  /** The service refused the request. If the refusal is a replay, a new key may help (I1). */
  | { readonly kind: 'refused'; readonly error: ApiError; readonly meta: ResponseMeta }
  /** The service responded with 429, so the request had no effect. */
  | { readonly kind: 'limited'; readonly error: SvcError; readonly meta: ResponseMeta }
  /** The service responded with `idempotency_conflict`: a request with the same key is in flight (I3). */
  | { readonly kind: 'in_flight'; readonly error: ApiError; readonly meta: ResponseMeta }
  | Fault;

/**
 * The attempt got no usable response: none at all, a server error, a redirect, or a body that is not from the service.
 * The outcome is unknown, unless `mayHaveReachedService` is false.
 */
export interface Fault {
  readonly kind: 'fault';
  readonly error: SvcError;
  readonly meta: ResponseMeta;
  /** False if the request certainly did not reach the service. */
  readonly mayHaveReachedService: boolean;
  /** False if a retry can't help, as after a redirect. */
  readonly isRetryable: boolean;
}

/** The status and headers on which decisions depend. Without a response, all fields but `replayed` are undefined. */
export interface ResponseMeta {
  readonly status: number | undefined;
  readonly replayed: boolean;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** Reads the result of an attempt from its response. A body that is not JSON of the service is a fault (O3). */
export function readResponse(response: WireResponse, method: WireRequest['method']): AttemptResult {
  const { status } = response;
  const body = parseBody(response);
  const envelope = readEnvelope(body);
  const meta = readMeta(response, envelope?.requestId);
  if (status >= 200 && status < 300) {
    // The response to a DELETE is a 204 or has a body (W3). The response to any other method must be a JSON object.
    const isEmpty = method === 'DELETE' && response.body.length === 0;
    return isEmpty || isRecord(body)
      ? { kind: 'success', status, json: isEmpty ? undefined : body, meta }
      : faultOf(foreignResponseError(status), meta);
  }
  const error = envelope && new ApiError({ status, ...envelope });
  if (status === 429) {
    return { kind: 'limited', error: error ?? unclearResponseError(status, 'no reason given'), meta };
  }
  if (status >= 300 && status < 400) {
    return { ...faultOf(redirectError(status, response.headers.location), meta), isRetryable: false };
  }
  if (!error || status >= 500 || REPEATABLE_STATUSES.has(status)) {
    return faultOf(error ? serviceError(error) : foreignResponseError(status), meta);
  }
  return error.code === 'idempotency_conflict' ? { kind: 'in_flight', error, meta } : { kind: 'refused', error, meta };
}

/** The result of a 2xx without the documented fields. It is a fault, because the outcome is unknown (O4). */
export function incompleteResponse(meta: ResponseMeta): Fault {
  const error = new SvcError(EXIT.failed, 'unexpected_answer', 'the response lacks documented fields', {
    requestId: meta.requestId,
  });
  return faultOf(error, meta);
}

/** The fault of an attempt that got a response. Its request has reached the service. */
function faultOf(error: SvcError, meta: ResponseMeta): Fault {
  return { kind: 'fault', error, meta, mayHaveReachedService: true, isRetryable: true };
}

const REPEATABLE_STATUSES: ReadonlySet<number> = new Set([408, 425]);

function readMeta({ headers, status }: WireResponse, requestId: string | undefined): ResponseMeta {
  return {
    status,
    replayed: headers['idempotency-replayed']?.toLowerCase() === 'true',
    requestId: requestId ?? headers['request-id'] ?? headers['x-request-id'],
    retryAfterMs: parseRetryAfter(headers['retry-after'], headers.date),
  };
}

/** The JSON of a body. Undefined if it is no JSON, is nested too deeply, or has another content type (O3). */
function parseBody({ headers, body }: WireResponse): unknown {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type.trim())) {
    return undefined;
  }
  return parseJson(body.toString('utf8'));
}

function readEnvelope(body: unknown): Omit<ErrorEnvelope, 'status'> | undefined {
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(error) || typeof error.code !== 'string' || error.code === '') {
    return undefined;
  }
  return {
    code: error.code,
    message: textOf(error.message) ?? 'the service sent no message',
    param: textOf(error.param),
    requestId: textOf(error.request_id),
  };
}

/**
 * The error for a response after which the outcome is unknown. Its exit code is always 1, even if the same error code
 * has another exit code elsewhere.
 */
function serviceError({ refusal }: ApiError): SvcError {
  return new ApiError(refusal, EXIT.failed);
}

/** The error for a response of another program, such as a proxy or the login page of a network. */
function foreignResponseError(status: number): SvcError {
  return unclearResponseError(
    status,
    'the response is not from the service',
    'A proxy or the login page of a network answered: check the network and --base-url (or SVC_BASE_URL).',
  );
}

function unclearResponseError(status: number, what: string, hint?: string): SvcError {
  return new SvcError(EXIT.failed, 'unexpected_answer', `status ${status}: ${what}`, { hint });
}

function redirectError(status: number, location: string | undefined): SvcError {
  const where = location === undefined ? '' : ` to ${location}`;
  return new SvcError(EXIT.failed, 'redirected', `the service sent a redirect (${status})${where}`, {
    hint: 'svc follows no redirects: check --base-url (or SVC_BASE_URL).',
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
