/** The longest address that SMTP can deliver to, in bytes. The service document gives no limit. */
export const LONGEST_ADDRESS_BYTES = 254;

/**
 * The limits of the service (service document, "Limits"). Times are in milliseconds, unless the name says otherwise.
 */
export const LIMITS = {
  requestsPerMinute: 600,
  rateWindowMs: 60_000,
  transactionalPerMinute: 120,
  batchItems: 1_000,
  emailRecipients: 50,
  pageSizeMax: 100,
  pageSizeDefault: 50,
  idempotencyKeyLength: 255,
  idempotencyReplayMs: 24 * 3_600_000,
  idempotencyClaimMs: 5 * 60_000,
  audienceNameLength: 100,
  freePlanSubscribers: 500,
  webhookTimeoutMs: 10_000,
  webhookAttempts: 7,
  webhookRetryDelaysMs: [30_000, 120_000, 600_000, 1_800_000, 3_600_000, 21_600_000],
  webhookRetentionMs: 30 * 24 * 3_600_000,
  webhookPorts: [443, 8443],
} as const;
