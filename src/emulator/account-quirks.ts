import type { Quirk } from './quirk.ts';

/** Open points of keys, idempotency, rate, contacts, suppressions, audiences and automations. */
export const ACCOUNT_QUIRKS = [
  {
    name: 'stored_errors',
    readings: ['yes', 'no'],
    sentence:
      'Idempotency: a retry with the same key within 24 hours returns the stored original status and body. (Refusals too?)',
  },
  {
    name: 'stored_scope_errors',
    readings: ['no', 'yes'],
    sentence: 'Idempotency: ... returns the stored original status and body. (Also of a 403 insufficient_scope?)',
  },
  {
    name: 'claim_owner',
    readings: ['organization', 'key'],
    sentence: 'Idempotency: a retry with the same key ... (Are keys shared by all API keys of an organization?)',
  },
  {
    name: 'omitted_status',
    readings: ['subscribed', 'pending', 'unsubscribed'],
    sentence: 'Writable fields seen: status. (What a new contact becomes without it is not shown.)',
  },
  {
    name: 'omitted_status_existing',
    readings: ['keep', 'subscribed'],
    sentence: 'Writable fields seen: status. (What an upsert without it makes of an existing contact is not shown.)',
  },
  {
    name: 'address_case',
    readings: ['unicode', 'ascii', 'folded'],
    sentence:
      'email (string, canonicalized: trimmed and lowercased). (Which blanks, and whose lower case, is not shown.)',
  },
  {
    name: 'writable_status',
    readings: ['two', 'all'],
    sentence:
      'status (subscribed, unsubscribed; pending and bounced also exist). (Whether the last two can be written is not shown.)',
  },
  {
    name: 'unsubscribed_at_on_update',
    readings: ['ignored', 'honoured'],
    sentence: 'unsubscribed_at (timestamp, honoured on create). (On an update it is not shown.)',
  },
  {
    name: 'attribute_keys',
    readings: ['ascii', 'unicode', 'camel'],
    sentence: 'Custom attribute keys are normalized to snake_case. (The rule is shown with one example.)',
  },
  {
    name: 'batch_null',
    readings: ['deletes', 'rejected'],
    sentence:
      'A null attribute value deletes that key, against: 400 invalid_request for any non-string attribute value.',
  },
  {
    name: 'batch_results',
    readings: ['full', 'failures', 'reversed'],
    sentence: 'results array whose items carry index, status (failed shown) and, on failure, error.code.',
  },
  {
    name: 'batch_invalid_row',
    readings: ['row', 'whole'],
    sentence: 'Other per-row fields: not shown. (Whether an invalid address fails its row or the whole request.)',
  },
  {
    name: 'upsert_false_existing',
    readings: ['fail', 'update'],
    sentence: 'Batch body upsert (boolean). (What false does with an existing contact is not shown.)',
  },
  {
    name: 'unknown_topic',
    readings: ['kept', 'dropped', 'fails'],
    sentence: 'topics (map keyed by topic id). (Value type and unknown ids are not shown.)',
  },
  {
    name: 'cap_counts',
    readings: ['total', 'subscribed'],
    sentence: 'caps an account at 500 subscribers. (Whether unsubscribed contacts count is not shown.)',
  },
  {
    name: 'suppression_invalid_email',
    readings: ['whole', 'skip'],
    sentence: 'POST /v1/suppressions: emails (string[], up to 1,000). (What an invalid address does is not shown.)',
  },
  {
    name: 'suppressions_paging',
    readings: ['cursor', 'limit_only'],
    sentence: 'GET /v1/suppressions accepts limit. (Whether it pages is not shown.)',
  },
  {
    name: 'suppression_record',
    readings: ['full', 'id_only'],
    sentence: 'Suppression record: fields not shown beyond its id prefix.',
  },
  {
    name: 'suppression_reason_words',
    readings: ['request', 'event'],
    sentence: 'Suppression record: fields not shown. (Whether its reason is a word of requests or of events.)',
  },
  {
    name: 'suppression_marks_contacts',
    readings: ['no', 'yes'],
    sentence: 'Contact status: transitions not shown. (Whether a suppressed address changes its contacts.)',
  },
  {
    name: 'contact_record',
    readings: ['full', 'sparse'],
    sentence: 'Contact record: fields not shown beyond those above. (Whether empty ones are there.)',
  },
  {
    name: 'enrollment_id_when_not_enrolled',
    readings: ['absent', 'null'],
    sentence: 'Value of enrollment_id when outcome is not enrolled: not shown.',
  },
  {
    name: 'enroll_other_audience',
    readings: ['wrong_audience', 'create'],
    sentence:
      'With attributes, an unknown address is created, against: wrong_audience, the contact exists in a different audience.',
  },
  { name: 'delete_body', readings: ['200', '204'], sentence: 'Deletes return 200 with a confirmation body, not 204.' },
  {
    name: 'rate_window',
    readings: ['log', 'weighted'],
    sentence: '600 per minute per organization, sliding window. (A log of requests or a weighted counter.)',
  },
  {
    name: 'rate_counts_refused',
    readings: ['no', 'yes'],
    sentence: '600 per minute per organization, sliding window. (Whether refused requests count is not shown.)',
  },
  {
    name: 'rate_reset',
    readings: ['seconds', 'epoch'],
    sentence: 'Rate-limit headers: RateLimit-Reset on every response. (Its unit is not shown.)',
  },
  {
    name: 'rate_headers',
    readings: ['present', 'absent'],
    sentence: 'Rate-limit headers ... on every response. (A proxy may take them away.)',
  },
  {
    name: 'retry_after',
    readings: ['number', 'date'],
    sentence: 'Retry-After (seconds) on 429 only. (HTTP allows a date too.)',
  },
  {
    name: 'unknown_fields',
    readings: ['no', 'yes'],
    sentence:
      'Additive changes (new response fields) land in v1 without notice; clients ignore unknown response fields.',
  },
  {
    name: 'claim_path',
    readings: ['conflict', 'replay', 'separate'],
    sentence: 'The same key with a different body is 409. (The same key and body on another path is not shown.)',
  },
  {
    name: 'page_limit',
    readings: ['refused', 'clamped'],
    sentence: 'limit: integer, 1 to 100, default 50. (What another number does is not shown.)',
  },
  {
    name: 'base_grant',
    readings: ['reads_and_writes', 'reads_only'],
    sentence: 'Base grant (no scope): read operations ... (Whether a key without any scope may write is not shown.)',
  },
  {
    name: 'batch_status',
    readings: ['200', '207'],
    sentence: 'POST /v1/audiences/{audience_id}/contacts/batch: Response: summary ... (Its status is not shown.)',
  },
  {
    name: 'contact_create_status',
    readings: ['201', '200'],
    sentence: 'Create contact: accepts query upsert=true. (Its status is not shown.)',
  },
  {
    name: 'single_contact_change',
    readings: ['none', 'patch_delete'],
    sentence: 'Method and path of single-contact create, update and delete: not shown.',
  },
  {
    name: 'suppression_create_status',
    readings: ['200', '201'],
    sentence: 'POST /v1/suppressions: The response carries total_suppressed_after. (Its status is not shown.)',
  },
  {
    name: 'outcome_order',
    readings: ['suppressed_first', 'table'],
    sentence: 'outcome: one of the outcomes. (Which one when several apply is not shown; the table has an order.)',
  },
  {
    name: 'reserved_keys',
    readings: ['normalized', 'exact'],
    sentence:
      'email, first_name, last_name inside attributes are silently ignored. (Also where a key only becomes one of them?)',
  },
  {
    name: 'attribute_collision',
    readings: ['last', 'first'],
    sentence: 'distinct source keys can collide. (Which one stays is not shown.)',
  },
  {
    name: 'batch_empty',
    readings: ['accepted', 'refused'],
    sentence: 'contacts (array, up to 1,000). (Whether it may be empty is not shown.)',
  },
  {
    name: 'enroll_null_attributes',
    readings: ['refused', 'absent'],
    sentence: 'attributes: object, no. (Whether null is an error or nothing is not shown.)',
  },
  {
    name: 'deleted_audience_flows',
    readings: ['kept', 'deleted'],
    sentence:
      'Deleting an audience irreversibly deletes all its contacts, fields, segments and topics. (Automations are not named.)',
  },
] as const satisfies readonly Quirk[];
