/** A time such as `2026-01-31T09:30:00.000Z` (service document, "Common shapes"). */
export type Timestamp = string;

/** One page of a list. `next_cursor` is a text that only the service understands. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** The response to a DELETE, as the service document shows it. */
export interface DeleteConfirmation {
  readonly id: string;
  readonly deleted: true;
}

export interface ContactCounts {
  readonly subscribed: number;
  readonly unsubscribed: number;
  /**
   * The number of all contacts. It can be larger than `subscribed` plus `unsubscribed`, because it includes pending and
   * bounced contacts.
   */
  readonly total: number;
}

export interface Audience {
  readonly id: string;
  readonly object: 'audience';
  readonly name: string;
  /** The counts of contacts. Only the response for one audience has them. */
  readonly contact_counts?: ContactCounts;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

export interface Automation {
  readonly id: string;
  readonly object: 'automation';
  readonly name: string;
  readonly status: string;
  readonly trigger: string;
  readonly audience_id: string;
  readonly live_version: number | null;
  readonly sandbox: boolean;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

export interface EnrollmentResult {
  readonly object: 'enrollment_result';
  readonly outcome: string;
  readonly enrollment_id?: string | null;
}

/** A contact as the service returns it. svc keeps fields that are not listed here. `status` may be missing. */
export interface Contact {
  readonly id: string;
  readonly object: 'contact';
  readonly email: string;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly status: string;
  readonly unsubscribed_at?: Timestamp | null;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly topics?: unknown;
  readonly created_at?: Timestamp;
  readonly updated_at?: Timestamp;
}

/**
 * One item of a contact batch. It can't have other fields, because the service would drop them without an error (F5).
 */
export interface BatchContact {
  readonly email: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly status?: 'subscribed' | 'unsubscribed';
  readonly unsubscribed_at?: Timestamp;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly topics?: Readonly<Record<string, string>>;
}

/**
 * The response to a contact batch. `results` may have only failures, be in any order, or be incomplete. So find the row
 * of a result by its `index`, and not by its position (O5).
 */
export interface BatchResponse {
  readonly summary: { readonly created: number; readonly updated: number; readonly failed: number };
  readonly results: readonly BatchResult[];
}

export interface BatchResult {
  readonly index: number;
  readonly status: string;
  readonly error?: { readonly code: string; readonly message?: string };
}

export interface SuppressionResponse {
  readonly total_suppressed_after: number;
}

export interface Suppression {
  readonly id: string;
  readonly object?: string;
  readonly email?: string;
  readonly reason?: string;
}

export interface WebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly status: string;
  readonly consecutive_failures: number;
  readonly last_success_at: Timestamp | null;
  readonly last_failure_at: Timestamp | null;
  readonly last_error: string | null;
  readonly created_at: Timestamp;
  /** The signing secret. Only the response to the creation has it. */
  readonly secret?: string;
}

export interface WebhookDelivery {
  readonly id: string;
  readonly object: 'webhook_delivery';
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly attempt: number;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly next_attempt_at: Timestamp | null;
  readonly delivered_at: Timestamp | null;
  readonly created_at: Timestamp;
}
