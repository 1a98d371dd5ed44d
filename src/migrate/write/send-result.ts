import type { RecordedAnswer } from '../../runs/store/recorded-request.ts';

/** The row failure that a re-import expects. It has its own outcome and is not a fault (O7). */
export const EXPECTED_FAILURE = 'email_suppressed';

/** The row failure of a person whom --explicit-status found in the audience. Another request sends the row again. */
export const ALREADY_THERE = 'contact_already_exists';

/** False for row failures that have their own outcome or are followed by another request. */
export function isFault(code: string): boolean {
  return code !== EXPECTED_FAILURE && code !== ALREADY_THERE;
}

/**
 * The result of a write request, with all its parts. A response that the journal already had counts again, but its
 * failures do not.
 */
export interface SendResult {
  /** Rows that the service refused individually. */
  readonly failed: number;
  /** Rows of refused parts for which the bisect budget left no request. It is unknown which of them are good. */
  readonly unsent: number;
  /** People created and updated, without replays: a replay writes nothing (I7). */
  readonly created: number;
  readonly updated: number;
  /** True if a response was a replay. */
  readonly replayed: boolean;
  /** True if the response of an earlier attempt was lost. Then it is unknown who was new at that time. */
  readonly afterLostResponse: boolean;
}

export const NOTHING_SENT: SendResult = {
  failed: 0,
  unsent: 0,
  created: 0,
  updated: 0,
  replayed: false,
  afterLostResponse: false,
};

/** Adds up the results of two parts. */
export function joinResults(a: SendResult, b: SendResult): SendResult {
  return {
    failed: a.failed + b.failed,
    unsent: a.unsent + b.unsent,
    created: a.created + b.created,
    updated: a.updated + b.updated,
    replayed: a.replayed || b.replayed,
    afterLostResponse: a.afterLostResponse || b.afterLostResponse,
  };
}

/** The result of one recorded response. */
export function resultOf({
  failures,
  replayed,
  ours: afterLostResponse = false,
  created,
  updated,
}: Omit<RecordedAnswer, 'status'>): SendResult {
  const failed = failures.filter(({ code }) => isFault(code)).length;
  return {
    failed,
    unsent: 0,
    replayed,
    afterLostResponse,
    ...(replayed ? { created: 0, updated: 0 } : { created, updated }),
  };
}
