import type { ErrorCode } from '../../wire/service-words.ts';

/** An error response of the service. Actions throw it, and `handleRequest` turns it into the response. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: { param?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.param = details.param;
    this.headers = details.headers ?? {};
  }
}

/** An error response with a code of the service document. With another code, TypeScript reports an error. */
export function createRefusal(status: number, code: ErrorCode, message: string): Refusal {
  return new Refusal(status, code, message);
}

/** An error response that names the wrong field in `param`. */
export function createFieldRefusal(
  param: string,
  [status, code, message]: readonly [number, ErrorCode, string],
): Refusal {
  return new Refusal(status, code, message, { param });
}

/** A 400 `invalid_request`. `param` is the wrong field. */
export function invalidRequest(message: string, param?: string): Refusal {
  return param === undefined
    ? createRefusal(400, 'invalid_request', message)
    : createFieldRefusal(param, [400, 'invalid_request', message]);
}

/** A 404 `not_found`. A request for an object of another organization gets it too. */
export function notFound(what: string): Refusal {
  return createRefusal(404, 'not_found', `No such ${what}.`);
}

/** The response of an action. `body` is turned into JSON later. */
export interface RouteResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The response to a DELETE (service document, "Common shapes" and "Versioning" 5). */
export function deletedResponse(id: string): RouteResponse {
  return { status: 200, body: { id, deleted: true } };
}

/** A response body as the bytes of its JSON. No bytes for an undefined body. */
export function encodeBody(body: unknown): Buffer {
  return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
}

/** The body of every error response (service document, "Errors"). */
export function errorBody(refusal: Refusal, requestId: string): unknown {
  const { code, message, param } = refusal;
  return { error: { code, message, ...(param === undefined ? {} : { param }), request_id: requestId } };
}
