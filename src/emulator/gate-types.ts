/** Bytes of the largest body that is looked at. */
export const LARGEST_BODY = 32 * 2 ** 20;

/** A request as it reaches the gate. `path` holds the query; header names are lower-case. */
export interface GateRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer as it leaves the gate; header names are lower-case. */
export interface GateResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How a scripted fault ends a connection: reset or closed with nothing sent, or cut inside the body. */
export type Ending =
  | { readonly kind: 'reset' | 'fin' }
  | { readonly kind: 'cut'; readonly partial: GateResponse; readonly bytes: number };

/** Thrown by the gate instead of an answer; the socket or the transport plays it. */
export class ConnectionEnded extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.kind === 'reset' ? 'read ECONNRESET' : 'other side closed');
    this.name = 'ConnectionEnded';
    this.ending = ending;
  }
}
