import type { ErrorCode } from '../../wire/error-codes.ts';

/** A refusal from the document's error table. An action throws it, and `handleRequest` makes the response. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { param?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.param = more.param;
    this.headers = more.headers ?? {};
  }
}

/** A refusal with a code of the error table, so that a misspelt code doesn't compile. */
export function refuse(status: number, code: ErrorCode, message: string): Refusal {
  return new Refusal(status, code, message);
}

/** A refusal with a code of the error table that names the wrong field. */
export function refuseField(param: string, [status, code, message]: readonly [number, ErrorCode, string]): Refusal {
  return new Refusal(status, code, message, { param });
}

/** 400 `invalid_request` with the field at fault. */
export function invalid(message: string, param?: string): Refusal {
  return param === undefined
    ? refuse(400, 'invalid_request', message)
    : refuseField(param, [400, 'invalid_request', message]);
}

/** 404 `not_found`, for missing objects and for those of another organization. */
export function notFound(what: string): Refusal {
  return refuse(404, 'not_found', `No such ${what}.`);
}

/** A response before it becomes bytes. */
export interface RouteResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The delete confirmation (document, "Common shapes" and "Versioning" 5). */
export function deletedResponse(id: string): RouteResponse {
  return { status: 200, body: { id, deleted: true } };
}

/** Bytes of a JSON response; an undefined body is empty. */
export function encode(body: unknown): Buffer {
  return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
}

/** The one error envelope (document, "Errors"). */
export function errorBody(refusal: Refusal, requestId: string): unknown {
  const { code, message, param } = refusal;
  return { error: { code, message, ...(param === undefined ? {} : { param }), request_id: requestId } };
}
