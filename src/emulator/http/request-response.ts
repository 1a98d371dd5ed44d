/** Bytes of the largest body that is read. */
export const LARGEST_BODY = 32 * 2 ** 20;

/** The error message for a larger body. */
export const TOO_LARGE = 'The body is too large.';

/** A request without its body. `path` holds the query; header names are lower-case. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request with its body. */
export interface ServiceRequest extends RequestHead {
  readonly body: Buffer;
}

/**
 * A request as it arrives: its body is present, or read after the checks of its head. Reading rejects with a Refusal
 * for a body that is too large or too slow.
 */
export interface ArrivingRequest extends RequestHead {
  readonly body: Buffer | (() => Promise<Buffer>);
}

/** A response as bytes; header names are lower-case. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How a scripted fault ends a connection: reset, closed without a response, or cut inside the body. */
export type ConnectionEnd =
  | { readonly kind: 'reset' | 'fin' }
  | { readonly kind: 'cut'; readonly partial: ServiceResponse; readonly bytes: number };

/** Thrown instead of a response. The socket or the transport carries it out. */
export class ConnectionEnded extends Error {
  readonly connectionEnd: ConnectionEnd;

  constructor(connectionEnd: ConnectionEnd) {
    super(connectionEnd.kind === 'reset' ? 'read ECONNRESET' : 'other side closed');
    this.name = 'ConnectionEnded';
    this.connectionEnd = connectionEnd;
  }
}
