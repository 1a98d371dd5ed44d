/**
 * The tables of the service document, transcribed by hand and compared with src/wire both ways (wire.test.ts). Nothing
 * here is computed from the program.
 */

/** "Errors": status, code. */
export const ERROR_TABLE: readonly (readonly [number, string])[] = [
  [400, 'invalid_request'],
  [400, 'invalid_email'],
  [400, 'invalid_filter'],
  [400, 'batch_too_large'],
  [400, 'email_suppressed'],
  [401, 'invalid_api_key'],
  [401, 'revoked_api_key'],
  [403, 'plan_limit_reached'],
  [403, 'sending_disabled'],
  [403, 'domain_not_verified'],
  [403, 'sandbox_recipient_not_allowed'],
  [403, 'insufficient_scope'],
  [403, 'test_keys_not_supported'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'contact_already_exists'],
  [409, 'email_suppressed'],
  [409, 'idempotency_conflict'],
  [409, 'invalid_request'],
  [422, 'immutable_field'],
  [429, 'rate_limit_exceeded'],
  [500, 'internal_error'],
];

/** "Errors", retry guidance: what it says about "Retry" for each code that it names. */
export const RETRY_GUIDANCE: Readonly<Record<string, string>> = {
  rate_limit_exceeded: 'after_retry_after',
  internal_error: 'with_backoff',
  idempotency_conflict: 'shortly_if_in_progress',
  plan_limit_reached: 'no',
  domain_not_verified: 'no',
  sandbox_recipient_not_allowed: 'no',
  insufficient_scope: 'no',
  invalid_request: 'no',
  invalid_email: 'no',
  invalid_filter: 'no',
  email_suppressed: 'never',
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** "Limits", with the retry delays of "Delivery rules" 3. */
export const LIMIT_TABLE = {
  requestsPerMinute: 600,
  rateWindowMs: MINUTE,
  transactionalPerMinute: 120,
  batchItems: 1_000,
  emailRecipients: 50,
  pageSizeMax: 100,
  pageSizeDefault: 50,
  idempotencyKeyLength: 255,
  idempotencyReplayMs: 24 * HOUR,
  idempotencyClaimMs: 5 * MINUTE,
  audienceNameLength: 100,
  freePlanSubscribers: 500,
  webhookTimeoutMs: 10 * SECOND,
  webhookAttempts: 7,
  webhookRetryDelaysMs: [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR],
  webhookRetentionMs: 30 * 24 * HOUR,
  webhookPorts: [443, 8443],
};

/** Closed lists of words, with their place in the document. */
export const WORDS = {
  automationStatuses: ['draft', 'active', 'paused', 'archived'],
  automationTriggers: ['audience_join', 'api'],
  contactStatuses: ['subscribed', 'unsubscribed', 'pending', 'bounced'],
  suppressionReasons: ['bounced', 'complained', 'unsubscribed'],
  suppressionEventReasons: ['hard_bounce', 'complaint', 'unsubscribe', 'manual', 'provider_suppressed'],
  outcomes: [
    'enrolled',
    'already_enrolled',
    'not_subscribed',
    'suppressed',
    'entry_filter_no_match',
    'sandbox_not_member',
    'wrong_audience',
    'automation_not_active',
  ],
  eventTypes: [
    'email.sent',
    'email.delivered',
    'email.bounced',
    'email.complained',
    'email.failed',
    'suppression.created',
  ],
  scopes: ['campaigns:send', 'automations:enroll', 'webhooks:manage'],
  idPrefixes: ['eml_', 'aud_', 'sub_', 'fld_', 'seg_', 'top_', 'cmp_', 'aut_', 'aen_', 'sup_', 'whe_', 'whd_', 'evt_'],
  reservedAttributeKeys: ['email', 'first_name', 'last_name'],
};

/** Fields of each object, in the order of the document's tables. */
export const FIELDS = {
  automation: [
    'id',
    'object',
    'name',
    'status',
    'trigger',
    'audience_id',
    'live_version',
    'sandbox',
    'created_at',
    'updated_at',
  ],
  audience: ['id', 'object', 'name', 'contact_counts', 'created_at', 'updated_at'],
  webhook_endpoint: [
    'id',
    'object',
    'url',
    'description',
    'events',
    'status',
    'consecutive_failures',
    'last_success_at',
    'last_failure_at',
    'last_error',
    'created_at',
    'secret',
  ],
  webhook_delivery: [
    'id',
    'object',
    'endpoint_id',
    'event_id',
    'event_type',
    'status',
    'attempt',
    'response_status',
    'error',
    'duration_ms',
    'next_attempt_at',
    'delivered_at',
    'created_at',
  ],
};
