/** The size of the largest body that the emulator reads, in bytes. */
export const MAX_BODY_BYTES = 32 * 2 ** 20;

/** The error message for a body that is larger than `MAX_BODY_BYTES`. */
export const TOO_LARGE_MESSAGE = 'The body is too large.';

/** A request without its body. `path` includes the query. Header names are in lower case. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServiceRequest extends RequestHead {
  readonly body: Buffer;
}

/**
 * A request whose body may not have arrived yet. If it has not, `body` is a function that reads it. This function
 * rejects with a Refusal if the body is too large or too slow.
 */
export interface ArrivingRequest extends RequestHead {
  readonly body: Buffer | (() => Promise<Buffer>);
}

/** A response. Header names are in lower case. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How a scripted fault ends a connection: reset, closed without a response, or cut in the middle of the body. */
export type ConnectionEnd =
  | { readonly kind: 'reset' | 'fin' }
  | { readonly kind: 'cut'; readonly partial: ServiceResponse; readonly bytes: number };

/**
 * Thrown in place of a response. The HTTP server or the in-process transport then ends the connection as
 * `connectionEnd` says.
 */
export class ConnectionEnded extends Error {
  readonly connectionEnd: ConnectionEnd;

  constructor(connectionEnd: ConnectionEnd) {
    super(connectionEnd.kind === 'reset' ? 'read ECONNRESET' : 'other side closed');
    this.name = 'ConnectionEnded';
    this.connectionEnd = connectionEnd;
  }
}
