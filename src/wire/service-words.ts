/**
 * Words that the service document lists. svc keeps a word that is not in a list and passes it on. It never refuses such
 * a word.
 */

export const AUTOMATION_STATUSES = ['draft', 'active', 'paused', 'archived'] as const;

export const AUTOMATION_TRIGGERS = ['audience_join', 'api'] as const;

export const CONTACT_STATUSES = ['subscribed', 'unsubscribed', 'pending', 'bounced'] as const;

/** Statuses of a webhook delivery. The service document names only `failed`; the other two words are a guess. */
export const DELIVERY_STATUSES: readonly string[] = ['delivered', 'failed', 'pending'];

/** Words that POST /v1/suppressions accepts, strongest first. */
export const SUPPRESSION_REASONS = ['complained', 'bounced', 'unsubscribed'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** Words in `data.reason` of `suppression.created` events. */
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

/** The service refuses keys with this prefix, and the client refuses them before any request (K1). */
export const TEST_KEY_PREFIX = 'service_test_';

/** Attribute keys that the service drops without an error (F4). */
export const RESERVED_ATTRIBUTE_KEYS = ['email', 'first_name', 'last_name'] as const;
