/** One attempt to deliver an event, as the receiver sees it. */
export interface WebhookAttempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Delivers one attempt and returns the receiver's HTTP status. Rejects when no status came, or the signal aborted. */
export type WebhookSender = (attempt: WebhookAttempt, signal: AbortSignal) => Promise<number>;
