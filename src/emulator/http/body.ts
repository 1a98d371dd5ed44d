import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../context.ts';
import { invalid } from './envelope.ts';
import type { GateRequest } from './messages.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The JSON object a request carries; an empty one where there is no body. Throws 400 `invalid_request` for anything else. */
export function readBody(request: GateRequest): JsonObject {
  if (request.body.length === 0) {
    return {};
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw invalid('Send Content-Type: application/json.', 'Content-Type');
  }
  return asObject(parse(request.body), 'The body');
}

/** A value that must be a JSON object. */
export function asObject(value: unknown, what: string, param?: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${what} must be a JSON object.`, param);
  }
  return value as JsonObject;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(decode(body));
  } catch {
    throw invalid('The body is not JSON in UTF-8.');
  }
}

// A TextDecoder that throws at what isn't UTF-8 takes twice as long.
function decode(body: Buffer): string {
  if (!isUtf8(body)) {
    throw new TypeError('not UTF-8');
  }
  return body.toString(
    'utf8',
    body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0,
  );
}
