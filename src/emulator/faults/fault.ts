type When = 'before' | 'after';

/** What goes wrong. `before` and `after` are seen from the request's effect on the store. */
export type Fault =
  /** The connection is reset, or closed in good order, with nothing answered. */
  | { readonly kind: 'reset' | 'fin'; readonly when: When }
  /** The answer's head promises the whole body; only `bytes` of it (default: half) come. The effect has happened. */
  | { readonly kind: 'cut'; readonly bytes?: number }
  /** A page of some proxy instead of an answer. */
  | { readonly kind: 'html'; readonly status: number; readonly when: When }
  /** An error with any code. `effect`: instead of the effect, inside the idempotency claim, so that it may be stored. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly code: string;
      readonly message?: string;
      readonly param?: string;
      readonly when: When | 'effect';
    }
  /** Any answer at all: `body` goes as JSON, `text` as it is. With `after` the effect has happened all the same. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly when: When;
    }
  /** The true answer with other headers; null takes one away. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string | null>> }
  /** A pause by the clock. `claimed`: after the idempotency key was claimed, so that its repeats meet a 409. */
  | { readonly kind: 'slow'; readonly ms: number; readonly when: When | 'claimed' }
  /** A 429 with this `Retry-After` text, or with none. */
  | { readonly kind: 'rate_limited'; readonly retry_after?: string }
  /** The idempotency key meets 409 `idempotency_conflict` for that long from its first request on, then runs. */
  | { readonly kind: 'in_flight'; readonly seconds: number }
  /** The request dies holding its claim, with its effect done or not; the claim is taken over after 5 minutes. */
  | { readonly kind: 'lost_claim'; readonly effect: boolean }
  /** Other clients of the organization use up that many requests of the window first. */
  | { readonly kind: 'steal'; readonly requests: number }
  /** The account changes under the run: its plan, the calling key, the status of an automation. */
  | ({ readonly kind: 'change'; readonly when: When } & AccountChange)
  /** The last rows of a batch are answered as written, and are not. */
  | { readonly kind: 'drop_rows'; readonly rows: number };

/** What a scripted fault can change about the account; absent fields are left alone. */
export interface AccountChange {
  readonly plan?: 'free' | 'paid';
  readonly revoke_key?: boolean;
  readonly automation?: { readonly id: string; readonly status: string };
}

/** When a fault strikes: requests that match, after the first `after` of them, at most `times`, each with `probability`. */
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

/** Scripted faults: plain data, as in the file of `--faults`; rules, or rules with a seed. `seed` makes the probabilities repeatable. */
export type FaultScript = readonly FaultRule[] | { readonly seed?: number; readonly rules: readonly FaultRule[] };
