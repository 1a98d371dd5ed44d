export type Fields = Readonly<Record<string, unknown>>;

/** An event on its way to one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly event: WebhookEvent;
  status: 'pending' | 'delivered' | 'failed';
  attempt: number;
  response_status: number | null;
  next_attempt_at: string | null;
  delivered_at: string | null;
  readonly created: number;
}

/** What the body of an attempt holds. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly data: unknown;
}

/** One HTTP request to a receiver. */
export interface Attempt {
  readonly webhook: string;
  readonly url: string;
  readonly attempt: number;
  readonly at: number;
  readonly event: WebhookEvent;
}

/** A webhook endpoint, with its delivery log, oldest first. */
export interface Webhook {
  readonly id: string;
  url: string;
  description: string | undefined;
  events: readonly string[];
  status: string;
  consecutive_failures: number;
  last_success_at: string | null;
  last_failure_at: string | null;
  /** True if the last attempt failed. After a later success the document leaves `last_error` open. */
  failedLast: boolean;
  readonly created_at: string;
  readonly deliveries: Delivery[];
  isDeleted: boolean;
}
