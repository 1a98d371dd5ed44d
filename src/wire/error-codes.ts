/** What the service document says about a retry after an error code. */
export type RetryAdvice =
  | 'after_retry_after'
  | 'with_backoff'
  | 'shortly_if_in_progress'
  | 'no'
  | 'never'
  | 'not_stated';

/** One row of the error table: the statuses of a code, and the advice on a retry. */
export interface ErrorRow {
  readonly statuses: readonly number[];
  readonly retry: RetryAdvice;
}

/** The error table of the service document ("Errors"). The code is the contract, never the status alone (O1). */
export const ERRORS = {
  invalid_request: { statuses: [400, 409], retry: 'no' },
  invalid_email: { statuses: [400], retry: 'no' },
  invalid_filter: { statuses: [400], retry: 'no' },
  batch_too_large: { statuses: [400], retry: 'not_stated' },
  email_suppressed: { statuses: [400, 409], retry: 'never' },
  invalid_api_key: { statuses: [401], retry: 'not_stated' },
  revoked_api_key: { statuses: [401], retry: 'not_stated' },
  plan_limit_reached: { statuses: [403], retry: 'no' },
  sending_disabled: { statuses: [403], retry: 'not_stated' },
  domain_not_verified: { statuses: [403], retry: 'no' },
  sandbox_recipient_not_allowed: { statuses: [403], retry: 'no' },
  insufficient_scope: { statuses: [403], retry: 'no' },
  test_keys_not_supported: { statuses: [403], retry: 'not_stated' },
  forbidden: { statuses: [403], retry: 'not_stated' },
  not_found: { statuses: [404], retry: 'not_stated' },
  contact_already_exists: { statuses: [409], retry: 'not_stated' },
  idempotency_conflict: { statuses: [409], retry: 'shortly_if_in_progress' },
  immutable_field: { statuses: [422], retry: 'not_stated' },
  rate_limit_exceeded: { statuses: [429], retry: 'after_retry_after' },
  internal_error: { statuses: [500], retry: 'with_backoff' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
