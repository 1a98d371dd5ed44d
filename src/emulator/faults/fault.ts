type When = 'before' | 'after';

/** A fault. `before` and `after` mean before or after the request has its effect on the store. */
export type Fault =
  /** The connection is reset, or closed normally, without a response. */
  | { readonly kind: 'reset' | 'fin'; readonly when: When }
  /** The body is cut after `bytes` (default: half of it). The effect has happened. */
  | { readonly kind: 'cut'; readonly bytes?: number }
  /** A proxy's HTML page instead of a response. */
  | { readonly kind: 'html'; readonly status: number; readonly when: When }
  /**
   * An error with any code. `effect`: the error comes instead of the effect, inside the idempotency claim, so it can be
   * stored.
   */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly param?: string;
      readonly when: When | 'effect';
    }
  /** Any response: `body` is sent as JSON, `text` unchanged. With `after` the effect has happened. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly when: When;
    }
  /** The true response with other headers; null removes one. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string | null>> }
  /** A pause. `claimed`: after the idempotency key was claimed, so that a repeat gets a 409. */
  | { readonly kind: 'slow'; readonly ms: number; readonly when: When | 'claimed' }
  /** A 429 with this `Retry-After` text, or with none. */
  | { readonly kind: 'rate_limited'; readonly retry_after?: string }
  /** 409 `idempotency_conflict` for that long after the first request with the key. Then the request runs. */
  | { readonly kind: 'in_flight'; readonly seconds: number }
  /** The request ends while it holds its claim, with or without its effect. The claim is taken over after 5 minutes. */
  | { readonly kind: 'lost_claim'; readonly effect: boolean }
  /** Other clients of the organization first use that many requests of the window. */
  | { readonly kind: 'steal'; readonly requests: number }
  /** The account changes during the run: its plan, the calling key, the status of an automation. */
  | ({ readonly kind: 'change'; readonly when: When } & AccountChange)
  /** The last rows of a batch are counted as written, but are not written. */
  | { readonly kind: 'drop_rows'; readonly rows: number };

/** Changes of the account by a scripted fault; absent fields are not changed. */
export interface AccountChange {
  readonly plan?: 'free' | 'paid';
  readonly revoke_key?: boolean;
  readonly automation?: { readonly id: string; readonly status: string };
}

/**
 * A fault and when it applies: to requests that match, after the first `after` of them, at most `times`, and to each
 * with `probability`.
 */
export type FaultRule = Fault & {
  readonly match?: {
    /** `POST /v1/audiences/…/contacts/batch`: method and path without query, `*` for anything. */
    readonly route?: string;
    /** The Idempotency-Key, `*` for anything. */
    readonly key?: string;
  };
  readonly after?: number;
  readonly times?: number;
  readonly probability?: number;
};

/**
 * Scripted faults, as in the file of `--faults`: rules, or rules with a seed that makes their probabilities repeatable.
 */
export type FaultScript = readonly FaultRule[] | { readonly seed?: number; readonly rules: readonly FaultRule[] };
