/**
 * Words that the service document lists. svc never refuses a word that is not in these lists, but keeps it and passes
 * it on.
 */

export const AUTOMATION_STATUSES = ['draft', 'active', 'paused', 'archived'] as const;

export const AUTOMATION_TRIGGERS = ['audience_join', 'api'] as const;
/** The trigger of an automation that starts for each person who joins its audience. */
export const JOIN_TRIGGER: (typeof AUTOMATION_TRIGGERS)[number] = 'audience_join';

export const CONTACT_STATUSES = ['subscribed', 'unsubscribed', 'pending', 'bounced'] as const;

/** The statuses of a webhook delivery. The service document names only `failed`; the other two are a guess. */
export const DELIVERY_STATUSES: readonly string[] = ['delivered', 'failed', 'pending'];

/** The reasons that POST /v1/suppressions accepts, the strongest first. */
export const SUPPRESSION_REASONS = ['complained', 'bounced', 'unsubscribed'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** The words in `data.reason` of a `suppression.created` event. */
export const SUPPRESSION_EVENT_REASONS = [
  'hard_bounce',
  'complaint',
  'unsubscribe',
  'manual',
  'provider_suppressed',
] as const;

export const ENROLLMENT_OUTCOMES = [
  'enrolled',
  'already_enrolled',
  'not_subscribed',
  'suppressed',
  'entry_filter_no_match',
  'sandbox_not_member',
  'wrong_audience',
  'automation_not_active',
] as const;
export type EnrollmentOutcome = (typeof ENROLLMENT_OUTCOMES)[number];

export const EVENT_TYPES = [
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.failed',
  'suppression.created',
] as const;

export const SCOPES = ['campaigns:send', 'automations:enroll', 'webhooks:manage'] as const;

/** The prefix of each kind of id (service document, "Common shapes"). */
export const ID_PREFIXES = {
  email: 'eml_',
  audience: 'aud_',
  contact: 'sub_',
  field: 'fld_',
  segment: 'seg_',
  topic: 'top_',
  campaign: 'cmp_',
  automation: 'aut_',
  enrollment: 'aen_',
  suppression: 'sup_',
  webhook: 'whe_',
  delivery: 'whd_',
  event: 'evt_',
} as const;

/** The prefix of test keys. The service refuses them, so svc refuses them before any request (K1). */
export const TEST_KEY_PREFIX = 'service_test_';

/** Attribute keys that the service drops without an error (F4). */
export const RESERVED_ATTRIBUTE_KEYS = ['email', 'first_name', 'last_name'] as const;

/** What the service document says about a retry after an error code. */
export type RetryAdvice =
  | 'after_retry_after'
  | 'with_backoff'
  | 'shortly_if_in_progress'
  | 'no'
  | 'never'
  | 'not_stated';

/** One row of the error table: the statuses that a code has, and the advice about a retry. */
export interface ErrorRow {
  readonly statuses: readonly number[];
  readonly retry: RetryAdvice;
}

/** The error table of the service document ("Errors"). svc decides by the code, never by the status alone (O1). */
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
