import { invalid } from './envelope.ts';
import type { GateRequest } from './gate-types.ts';
import type { JsonObject } from './world.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

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
    return JSON.parse(decoder.decode(body));
  } catch {
    throw invalid('The body is not JSON in UTF-8.');
  }
}
