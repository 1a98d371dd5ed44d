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

/** "Errors", retry guidance: the answer to "Retry" for every code that the guidance names. */
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

/** Closed lists of words, by where the document has them. */
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

/**
 * What the document calls "not shown" or leaves open, and which quirk of the emulator plays it; null where the emulator
 * has one reading only, given in words.
 */
export const NOT_SHOWN: readonly {
  readonly sentence: string;
  readonly quirk: string | null;
  readonly reading?: string;
}[] = [
  { sentence: 'Are refusals stored and replayed?', quirk: 'stored_errors' },
  { sentence: 'Is a missing scope stored and replayed?', quirk: 'stored_scope_errors' },
  { sentence: 'Are idempotency keys shared by all API keys of an organization?', quirk: 'claim_owner' },
  { sentence: 'What an omitted status makes of a new contact', quirk: 'omitted_status' },
  { sentence: 'What an omitted status makes of an existing contact', quirk: 'omitted_status_existing' },
  { sentence: 'Which blanks are trimmed, and whose lower case', quirk: 'address_case' },
  { sentence: 'Whether pending and bounced can be written', quirk: 'writable_status' },
  { sentence: 'Whether unsubscribed_at is honoured on an update', quirk: 'unsubscribed_at_on_update' },
  { sentence: 'The rule by which attribute keys become snake_case', quirk: 'attribute_keys' },
  { sentence: 'Whether null in a batch deletes or is a non-string value', quirk: 'batch_null' },
  { sentence: 'Whether results hold every row', quirk: 'batch_results' },
  { sentence: 'Whether an invalid row fails alone', quirk: 'batch_invalid_row' },
  { sentence: 'What upsert: false does with an existing contact', quirk: 'upsert_false_existing' },
  { sentence: 'Unknown topics, and the value type of topics', quirk: 'unknown_topic' },
  { sentence: 'Whether unsubscribed contacts count against the cap', quirk: 'cap_counts' },
  { sentence: 'What an invalid address does to a suppression call', quirk: 'suppression_invalid_email' },
  { sentence: 'Whether GET /v1/suppressions pages', quirk: 'suppressions_paging' },
  { sentence: 'Suppression record: fields beyond its id', quirk: 'suppression_record' },
  { sentence: 'Words of a suppression record’s reason', quirk: 'suppression_reason_words' },
  { sentence: 'Whether a suppressed address changes its contacts', quirk: 'suppression_marks_contacts' },
  { sentence: 'Contact record: whether empty fields are there', quirk: 'contact_record' },
  { sentence: 'Value of enrollment_id when outcome is not enrolled', quirk: 'enrollment_id_when_not_enrolled' },
  { sentence: 'Enrolling, with attributes, an address of another audience', quirk: 'enroll_other_audience' },
  {
    sentence: 'Deletes return 200, not 204 (played the other way for clients of later versions)',
    quirk: 'delete_body',
  },
  { sentence: 'Sliding window: a log or a weighted counter', quirk: 'rate_window' },
  { sentence: 'Whether refused requests count against the rate', quirk: 'rate_counts_refused' },
  { sentence: 'The unit of RateLimit-Reset', quirk: 'rate_reset' },
  { sentence: 'Rate-limit headers that a proxy takes away', quirk: 'rate_headers' },
  { sentence: 'Retry-After as a number or a date', quirk: 'retry_after' },
  { sentence: 'Response fields that come without notice', quirk: 'unknown_fields' },
  { sentence: 'One key and body on two paths', quirk: 'claim_path' },
  { sentence: 'What a limit outside of 1 to 100 does', quirk: 'page_limit' },
  { sentence: 'Scopes of contact, suppression, audience and email writes', quirk: 'base_grant' },
  { sentence: 'HTTP status code of the contact batch', quirk: 'batch_status' },
  { sentence: 'HTTP status code of creating a contact', quirk: 'contact_create_status' },
  { sentence: 'Single-contact update and delete', quirk: 'single_contact_change' },
  { sentence: 'HTTP status code of POST /v1/suppressions', quirk: 'suppression_create_status' },
  { sentence: 'Which outcome is answered when several apply', quirk: 'outcome_order' },
  { sentence: 'Keys that become email, first_name or last_name only when normalized', quirk: 'reserved_keys' },
  { sentence: 'Which of two colliding attribute keys stays', quirk: 'attribute_collision' },
  { sentence: 'A batch without contacts', quirk: 'batch_empty' },
  { sentence: 'Enrolling with attributes: null', quirk: 'enroll_null_attributes' },
  { sentence: 'Automations of a deleted audience', quirk: 'deleted_audience_flows' },
  { sentence: 'HTTP status code of POST /v1/webhooks', quirk: 'webhook_create_status' },
  { sentence: 'HTTP status code of POST /v1/emails', quirk: 'email_create_status' },
  { sentence: 'Retrieve an email: method and path', quirk: 'email_poll' },
  { sentence: 'Method and path of single-contact create', quirk: 'single_contact_create' },
  { sentence: 'Allowed values of the deliveries status filter', quirk: 'webhook_status_filter' },
  { sentence: 'Status values of an endpoint other than active', quirk: 'webhook_status_values' },
  { sentence: 'Names of email states after a bounce, complaint or failure', quirk: 'email_states' },
  { sentence: 'Webhook delivery states other than failed', quirk: 'delivery_states' },
  { sentence: 'Whether the failure streak counts attempts or deliveries', quirk: 'failure_streak' },
  { sentence: 'Whether an endpoint that is not active gets events', quirk: 'inactive_webhook' },
  { sentence: 'Maximum number of webhook endpoints', quirk: 'webhook_maximum' },
  { sentence: 'Other data fields of suppression.created', quirk: 'suppression_event_data' },
  { sentence: 'Events that arrive in either order', quirk: 'event_order' },
  { sentence: 'Events that arrive twice', quirk: 'event_duplicates' },
  { sentence: 'A signature header with more than one v1', quirk: 'signature_values' },
  { sentence: 'MCP: how a refused tool answers', quirk: 'mcp_errors' },
  { sentence: 'MCP: the shape of tool outputs', quirk: 'mcp_results' },
  { sentence: 'MCP: JSON or a stream of events', quirk: 'mcp_answers' },
  { sentence: 'One recipient without an array', quirk: 'email_to' },
  { sentence: 'Transitions between automation states', quirk: null, reading: 'any, by admin' },
  { sentence: 'Campaign, segment, topic and custom-field endpoints', quirk: null, reading: 'not served' },
  { sentence: 'Monthly send allowance size per plan', quirk: null, reading: 'no limit until set by admin' },
  { sentence: 'Format of live key values', quirk: null, reading: 'svc_emulator_ and 32 hex characters' },
  {
    sentence: 'MCP: names and inputs of the tools beside the two mirrors',
    quirk: null,
    reading: 'as the prose names them',
  },
];
