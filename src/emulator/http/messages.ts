/** Bytes of the largest body that is looked at. */
export const LARGEST_BODY = 32 * 2 ** 20;

/** What a longer one is refused with. */
export const TOO_LARGE = 'The body is too large.';

/** What is known of a request before its body is read. `path` holds the query; header names are lower-case. */
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
 * A request as it reaches the gate: its body is at hand, or read once the request is let in. Reading rejects with a Refusal
 * of a body that is too large or too slow.
 */
export interface ArrivingRequest extends RequestHead {
  readonly body: Buffer | (() => Promise<Buffer>);
}

/** An answer as it leaves the gate; header names are lower-case. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How a scripted fault ends a connection: reset or closed with nothing sent, or cut inside the body. */
export type Ending =
  | { readonly kind: 'reset' | 'fin' }
  | { readonly kind: 'cut'; readonly partial: ServiceResponse; readonly bytes: number };

/** Thrown by the gate instead of an answer; the socket or the transport plays it. */
export class ConnectionEnded extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.kind === 'reset' ? 'read ECONNRESET' : 'other side closed');
    this.name = 'ConnectionEnded';
    this.ending = ending;
  }
}
