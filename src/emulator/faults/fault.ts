type FaultTime = 'before' | 'after';

/**
 * A fault that the emulator plays for a request. `before` and `after` say whether it comes before or after the request
 * changes the store.
 */
export type ScriptedFault =
  /** The connection ends without a response: `reset` resets it, `fin` closes it normally. */
  | { readonly kind: 'reset' | 'fin'; readonly when: FaultTime }
  /**
   * The body of the response ends after `bytes` bytes, by default in its middle. By then, the request has changed the
   * store.
   */
  | { readonly kind: 'cut'; readonly bytes?: number }
  /** An HTML page instead of a response, as a proxy sends it. */
  | { readonly kind: 'html'; readonly status: number; readonly when: FaultTime }
  /**
   * An error response with any code. With `effect`, the request fails with this error and does not change the store.
   * The error is then stored for the idempotency key, so a repeat gets it too (see the variant `stored_errors`).
   */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly param?: string;
      readonly when: FaultTime | 'effect';
    }
  /** Any response: `body` is sent as JSON, `text` unchanged. With `after`, the request has changed the store before. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly when: FaultTime;
    }
  /**
   * The true response with changed headers. A header is added, or replaces the header of that name. Null removes it.
   */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string | null>> }
  /** A pause. With `claimed` it comes while the request holds its idempotency key, so that a repeat gets a 409. */
  | { readonly kind: 'slow'; readonly ms: number; readonly when: FaultTime | 'claimed' }
  /** A 429 with this text as `Retry-After`, or without this header. */
  | { readonly kind: 'rate_limited'; readonly retry_after?: string }
  /**
   * 409 `idempotency_conflict`, for `seconds` seconds after the first request with a key. After that, a request with
   * this key runs.
   */
  | { readonly kind: 'in_flight'; readonly seconds: number }
  /**
   * The connection ends while the request holds its idempotency key. With `effect`, the request has changed the store
   * before. After 5 minutes a repeat takes the key over, and runs.
   */
  | { readonly kind: 'lost_claim'; readonly effect: boolean }
  /** Before the request, this many requests count against the rate limit, as if other programs had sent them. */
  | { readonly kind: 'steal'; readonly requests: number }
  /**
   * The account changes before or after the request: its plan, the status of an automation, or the API key of the
   * request, which is revoked.
   */
  | ({ readonly kind: 'change'; readonly when: FaultTime } & AccountChange)
  /** The last rows of a batch count as written, but are not written. */
  | { readonly kind: 'drop_rows'; readonly rows: number };

/** What the fault `change` does to the account. A missing field stays unchanged. */
export interface AccountChange {
  readonly plan?: 'free' | 'paid';
  readonly revoke_key?: boolean;
  readonly automation?: { readonly id: string; readonly status: string };
}

/**
 * A fault, and which requests it applies to. It skips the first `after` requests that fit `match`. Then it is played at
 * most `times` times, each time with `probability` (0 to 1).
 */
export type FaultRule = ScriptedFault & {
  readonly match?: {
    /** The method and the path without its query, such as `POST /v1/audiences/*`. `*` stands for any text. */
    readonly route?: string;
    /** The `Idempotency-Key` of the request, in which `*` stands for any text. */
    readonly key?: string;
  };
  readonly after?: number;
  readonly times?: number;
  readonly probability?: number;
};

/** The rules of a `--faults` file. The same `seed` gives the same random choices to rules with `probability`. */
export type FaultScript = readonly FaultRule[] | { readonly seed?: number; readonly rules: readonly FaultRule[] };
