import type { KeySource, SendOptions, WriteOutcome } from '../api/retry/write-request.ts';
import { EXIT, SvcError } from '../base/lib/errors.ts';
import { abortError } from '../base/lib/interruption.ts';
import type { RowPosition } from '../base/lib/rows.ts';
import type { Journal } from '../runs/store/journal.ts';
import {
  NO_EFFECT,
  OUTCOME_UNKNOWN,
  type RecordedRequest,
  type RecordedResponse,
  type RequestKind,
} from '../runs/store/recorded-request.ts';

/** A request to send: what the journal records of it, and the call. */
export interface RecordableRequest<T> {
  readonly kind: RequestKind;
  /** The name in the journal. For batch 7 it is `7`; for the second half of its first half it is `7.0.1`. */
  readonly name: string;
  readonly rows: readonly RowPosition[];
  readonly keyForVersion: KeySource['keyForVersion'];
  /** Sends the request under the key that the journal has recorded. */
  post(sendOptions: SendOptions): Promise<WriteOutcome<T>>;
  /** False for a row whose outcome another request records. If not given, every row counts. */
  readonly isCounted?: ((row: RowPosition) => boolean) | undefined;
  /** Called before each attempt. If it throws, this attempt is not sent. */
  readonly beforeAttempt?: (() => Promise<void>) | undefined;
  /**
   * Records that another machine sent the key too, so that no resume sends it again (I4). `id` is the number of the
   * request.
   */
  readonly noteSentElsewhere?: ((id: number | undefined) => void) | undefined;
  /** True if the last `beforeAttempt` is too old after a wait. It is then called again before the attempt. */
  readonly isStale?: (() => boolean) | undefined;
}

/**
 * Sends a request. Each key is on disk before it is used. The returned `id` is the number of the request in the
 * journal; undefined if nothing was sent.
 */
export async function sendRequest<T>(
  context: Sender,
  write: RecordableRequest<T>,
  earlier: RecordedRequest | undefined,
) {
  const { requests } = context.journal;
  let id = earlier?.id;
  const keySource: KeySource = {
    keyForVersion: write.keyForVersion,
    keyVersion: earlier?.keyVersion ?? 0,
    firstSentAt: earlier?.firstSentAt,
    outcomeUnknown: earlier?.state === 'pending' || earlier?.state === OUTCOME_UNKNOWN,
    beforeNewKey: (intent) => {
      if (id === undefined) {
        id = requests.recordIntent({ kind: write.kind, name: write.name, rows: rowsToRecord(write).length, ...intent });
      } else {
        requests.replaceKey(id, intent);
      }
    },
    beforeAttempt: write.beforeAttempt,
    noteSentByOtherMachine: write.noteSentElsewhere && (() => write.noteSentElsewhere?.(id)),
    isStale: write.isStale,
  };
  const outcome = await write.post({ keySource, signal: context.signal });
  return { id, outcome };
}

/**
 * True if a request got no response under a key of `keyForVersion`. It may have had an effect, so the same key is
 * repeated (I2).
 */
export function isUnansweredUnder(
  earlier: RecordedRequest | undefined,
  keyForVersion: KeySource['keyForVersion'],
): boolean {
  const isOpen = earlier?.state === 'pending' || earlier?.state === OUTCOME_UNKNOWN;
  return isOpen && keyForVersion(earlier.keyVersion) === earlier.key;
}

/** The rows whose outcome this request records. */
export function rowsToRecord({
  rows,
  isCounted,
}: Pick<RecordableRequest<unknown>, 'rows' | 'isCounted'>): readonly RowPosition[] {
  return isCounted ? rows.filter(isCounted) : rows;
}

interface Sender {
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/**
 * Records a request that got no response: as outcome unknown, or as unsent if no attempt of this process had an effect.
 * `hadNoEffect` is true if no attempt of an earlier process had one either.
 */
export function recordWithoutResponse(
  context: Pick<Sender, 'journal'>,
  id: number | undefined,
  outcomeUnknown: boolean,
  hadNoEffect = false,
): void {
  const response = hadNoEffect ? NO_EFFECT : undefined;
  recordOutcome(context, id, outcomeUnknown ? { state: OUTCOME_UNKNOWN } : { state: 'refused', response });
}

interface Outcome {
  readonly state: 'done' | 'refused' | typeof OUTCOME_UNKNOWN;
  readonly response?: RecordedResponse | undefined;
}

/** Records the outcome of a request; does nothing if nothing was sent. */
export function recordOutcome(
  context: Pick<Sender, 'journal'>,
  id: number | undefined,
  { state, response }: Outcome,
): void {
  if (id !== undefined) {
    context.journal.requests.recordOutcome(id, state, response);
  }
}

export type NoResponse = Exclude<WriteOutcome<unknown>, { kind: 'accepted' | 'refused' }>;

/** The error that stops the run after a request that got no response. */
export function noResponseError(outcome: NoResponse, signal: AbortSignal): SvcError {
  switch (outcome.kind) {
    case 'gave_up':
      return outcome.cause;
    case 'later':
      return laterError(outcome.resumeAt);
    case 'interrupted':
      return abortError(signal);
    default:
      return outcome satisfies never;
  }
}

/** The error of a run that would wait longer than --max-wait. */
function laterError(resumeAt: number): SvcError {
  const time = new Date(resumeAt).toISOString();
  return new SvcError(EXIT.later, 'later', `waiting for the rate limit would pass --max-wait; continue after ${time}`);
}

/**
 * The error code of a suppressed address. A list that is imported again has such rows. They have their own outcome and
 * do not count as failed (O7).
 */
export const SUPPRESSED_CODE = 'email_suppressed';

/**
 * The error code of a person who is in the audience already, with --explicit-status. Another request sends the row
 * again.
 */
export const ALREADY_EXISTS_CODE = 'contact_already_exists';

/** True if a row that was refused with this error code counts as failed. */
export function countsAsFailed(code: string): boolean {
  return code !== SUPPRESSED_CODE && code !== ALREADY_EXISTS_CODE;
}

/**
 * The result of a write request with all its halves. For a response from the journal, `failed` is 0, because the
 * journal counts those failures.
 */
export interface SendResult {
  /** The number of rows that the service refused one by one. */
  readonly failed: number;
  /** The number of rows in refused halves that svc did not bisect further. Most of them may be good. */
  readonly unsent: number;
  /** The number of people created and updated. 0 for a replay, which writes nothing (I7). */
  readonly created: number;
  readonly updated: number;
  readonly replayed: boolean;
  /**
   * True if the response of an earlier attempt was lost. Then `created` does not say who was new before the request.
   */
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

export function joinSendResults(a: SendResult, b: SendResult): SendResult {
  return {
    failed: a.failed + b.failed,
    unsent: a.unsent + b.unsent,
    created: a.created + b.created,
    updated: a.updated + b.updated,
    replayed: a.replayed || b.replayed,
    afterLostResponse: a.afterLostResponse || b.afterLostResponse,
  };
}

export function sendResultOf({
  failures,
  replayed,
  ours: afterLostResponse = false,
  created,
  updated,
}: Omit<RecordedResponse, 'status'>): SendResult {
  const failed = failures.filter(({ code }) => countsAsFailed(code)).length;
  return {
    failed,
    unsent: 0,
    replayed,
    afterLostResponse,
    ...(replayed ? { created: 0, updated: 0 } : { created, updated }),
  };
}
