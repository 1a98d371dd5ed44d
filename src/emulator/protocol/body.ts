import { isUtf8 } from 'node:buffer';
import { isRecord } from '../../base/lib/json.ts';
import { parseInPieces } from './batch-pieces.ts';
import { invalidRequest } from './envelope.ts';
import type { ServiceRequest } from './request-response.ts';

/** A JSON object that was parsed, but whose fields are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * The JSON object in the body of a request. Without a body it is `{}`. Throws 400 `invalid_request` for anything else.
 */
export function readBody(request: ServiceRequest): JsonObject {
  return requireObject(readJsonBody(request), 'The body');
}

/**
 * The JSON in the body of a request. Without a body it is `{}`. Throws 400 `invalid_request` if the body or its content
 * type is not JSON.
 */
export function readJsonBody(request: ServiceRequest): unknown {
  if (request.body.length === 0) {
    return {};
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw invalidRequest('Send Content-Type: application/json.', 'Content-Type');
  }
  return parse(request.body);
}

/**
 * Returns a value that must be an object. Throws 400 `invalid_request` for any other value. `what` is the start of the
 * message.
 */
export function requireObject(value: unknown, what: string, param?: string): JsonObject {
  if (!isRecord(value)) {
    throw invalidRequest(`${what} must be a JSON object.`, param);
  }
  return value;
}

function parse(body: Buffer): unknown {
  // `TextDecoder` with `fatal` would check the bytes too, but takes twice as long.
  if (!isUtf8(body)) {
    throw invalidRequest(NOT_JSON_MESSAGE);
  }
  try {
    return parseInPieces(body) ?? JSON.parse(decode(body));
  } catch {
    throw invalidRequest(NOT_JSON_MESSAGE);
  }
}

const NOT_JSON_MESSAGE = 'The body is not JSON in UTF-8.';

// The text of a body without its byte order mark.
function decode(body: Buffer): string {
  return body.toString(
    'utf8',
    body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0,
  );
}

/** Returns a field that must be a string. Throws 400 `invalid_request` for any other value. */
export function readStringField(body: JsonObject, field: string): string {
  const value = body[field];
  if (typeof value !== 'string') {
    throw invalidRequest(`${field} must be a string.`, field);
  }
  return value;
}
