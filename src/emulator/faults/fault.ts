type FaultTime = 'before' | 'after';

/**
 * A fault that the emulator plays on a request. `before` and `after` mean: before or after the request changes the
 * store.
 */
export type ScriptedFault =
  /** The connection is reset, or closed normally, without a response. */
  | { readonly kind: 'reset' | 'fin'; readonly when: FaultTime }
  /** The response body ends after `bytes`, by default in its middle. The request has changed the store. */
  | { readonly kind: 'cut'; readonly bytes?: number }
  /** An HTML page, as from a proxy, instead of a response. */
  | { readonly kind: 'html'; readonly status: number; readonly when: FaultTime }
  /**
   * An error response with any code. With `effect` it replaces the change of the store. It counts as the response for
   * the idempotency key, so a repeat gets the same error.
   */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly param?: string;
      readonly when: FaultTime | 'effect';
    }
  /** Any response: `body` is sent as JSON, `text` as it is. With `after` the request has changed the store. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly when: FaultTime;
    }
  /** The true response with these headers added or replaced; null removes a header. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string | null>> }
  /** A pause. `claimed`: the pause comes while the request holds its idempotency key, so that a repeat gets a 409. */
  | { readonly kind: 'slow'; readonly ms: number; readonly when: FaultTime | 'claimed' }
  /** A 429 with this text as `Retry-After`, or without that header. */
  | { readonly kind: 'rate_limited'; readonly retry_after?: string }
  /** 409 `idempotency_conflict` for `seconds` after the first request with a key. After that the request runs. */
  | { readonly kind: 'in_flight'; readonly seconds: number }
  /**
   * The connection ends while the request holds its idempotency key. `effect`: true if the request changed the store
   * before. After 5 minutes a repeat runs again.
   */
  | { readonly kind: 'lost_claim'; readonly effect: boolean }
  /** Before the request, this many requests of other programs count against the rate limit. */
  | { readonly kind: 'steal'; readonly requests: number }
  /**
   * The account changes before or after the request: its plan, the API key of the request, or the status of an
   * automation.
   */
  | ({ readonly kind: 'change'; readonly when: FaultTime } & AccountChange)
  /** The last rows of a batch are counted as written, but are not written. */
  | { readonly kind: 'drop_rows'; readonly rows: number };

/** What the fault `change` does to the account. Missing fields stay unchanged. */
export interface AccountChange {
  readonly plan?: 'free' | 'paid';
  readonly revoke_key?: boolean;
  readonly automation?: { readonly id: string; readonly status: string };
}

/**
 * A fault, and the requests that it applies to. It skips the first `after` requests that `match`. It is played at most
 * `times` times, each time with `probability` (0 to 1).
 */
export type FaultRule = ScriptedFault & {
  readonly match?: {
    /** Method and path without query, such as `POST /v1/audiences/*`. `*` stands for any text. */
    readonly route?: string;
    /** The `Idempotency-Key` of the request. `*` stands for any text. */
    readonly key?: string;
  };
  readonly after?: number;
  readonly times?: number;
  readonly probability?: number;
};

/** The rules of a `--faults` file. `seed` makes their probabilities repeatable. */
export type FaultScript = readonly FaultRule[] | { readonly seed?: number; readonly rules: readonly FaultRule[] };
