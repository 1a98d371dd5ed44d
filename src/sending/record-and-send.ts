import type { KeySource, SendOptions, WriteOutcome } from '../api/retry/key-source.ts';
import { EXIT, SvcError } from '../base/lib/errors.ts';
import { abortError } from '../base/lib/interruption.ts';
import type { RowList, RowPosition } from '../base/lib/rows.ts';
import type { Journal } from '../runs/store/journal.ts';
import {
  NO_EFFECT,
  OUTCOME_UNKNOWN,
  type RecordedRequest,
  type RecordedResponse,
  type RequestKind,
} from '../runs/store/recorded-request.ts';

/** A request to send: what the journal records about it, and the function that sends it. */
export interface RecordableRequest<T> {
  readonly kind: RequestKind;
  /** The name in the journal. Batch 7 is `7`; its halves are `7.0` and `7.1`, and `7.0.1` is a half of `7.0`. */
  readonly name: string;
  readonly rows: RowList;
  readonly keyForVersion: KeySource['keyForVersion'];
  /** Sends the request under the key that the journal has recorded. */
  post(sendOptions: SendOptions): Promise<WriteOutcome<T>>;
  /** False for a row whose outcome another request records. Undefined if every row counts. */
  readonly isCounted?: ((row: RowPosition) => boolean) | undefined;
  /** Called before the first byte under each new key, before the key is recorded. If it throws, nothing is sent. */
  readonly beforeNewKey?: (() => void) | undefined;
  /** Called before each attempt. If it throws, the attempt is not sent. */
  readonly beforeAttempt?: (() => Promise<void>) | undefined;
  /**
   * Records that another machine sent this key too, so that no resume sends it again (I4). `id` is the request's
   * number.
   */
  readonly noteSentElsewhere?: ((id: number | undefined) => void) | undefined;
  /** True if a wait made the last `beforeAttempt` too old. Then it is called again before the attempt. */
  readonly isStale?: (() => boolean) | undefined;
}

/**
 * Sends a request. Each key is on disk before it is used. `id` in the result is the number of the request in the
 * journal. It is undefined if nothing was sent.
 */
export async function recordAndSend<T>(
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
      write.beforeNewKey?.();
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
 * True if a request under one of these keys has no response. It may have had an effect, so its key is repeated (I2).
 */
export function lacksResponseUnder(
  earlier: RecordedRequest | undefined,
  keyForVersion: KeySource['keyForVersion'],
): boolean {
  const isOpen = earlier?.state === 'pending' || earlier?.state === OUTCOME_UNKNOWN;
  return isOpen && keyForVersion(earlier.keyVersion) === earlier.key;
}

/** The rows whose outcome this request records. */
export function rowsToRecord({ rows, isCounted }: Pick<RecordableRequest<unknown>, 'rows' | 'isCounted'>): RowList {
  return isCounted ? Array.from(rows).filter(isCounted) : rows;
}

interface Sender {
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/**
 * Records a request that got no response. If an attempt of this process may have had an effect, the outcome is unknown.
 * Otherwise the state is `refused`, so that a resume sends the request again. `hadNoEffect` is true if no attempt of an
 * earlier process had an effect either.
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

/** Records the outcome of a request. Does nothing if no request was sent. */
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

/** The error that stops the run after a request without a response. */
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

/** The error of a run that would have to wait longer than --max-wait. */
function laterError(resumeAt: number): SvcError {
  const time = new Date(resumeAt).toISOString();
  return new SvcError(
    EXIT.later,
    'later',
    `the wait for the rate limit is longer than --max-wait allows; continue after ${time}`,
  );
}

/**
 * The error code of a suppressed address. Such rows are normal if a list is imported again. They have an outcome of
 * their own, and do not count as failed (O7).
 */
export const SUPPRESSED_CODE = 'email_suppressed';

/**
 * The error code with --explicit-status if the audience already has the person. svc then sends the row in another
 * request.
 */
export const ALREADY_EXISTS_CODE = 'contact_already_exists';

/** True if a row that was refused with this error code counts as failed. */
export function countsAsFailed(code: string): boolean {
  return code !== SUPPRESSED_CODE && code !== ALREADY_EXISTS_CODE;
}

/**
 * The result of a write request with all its halves. If the journal had the response already, `failed` is 0, because
 * the journal counts these failures.
 */
export interface SendResult {
  /** The number of rows that the service refused one by one. */
  readonly failed: number;
  /** The number of rows in refused halves that svc did not bisect further, most of them probably good. */
  readonly unsent: number;
  /** The number of people created and updated. 0 for a replay, which writes nothing (I7). */
  readonly created: number;
  readonly updated: number;
  readonly replayed: boolean;
  /**
   * True if the response of an earlier attempt was lost. Then `created` does not show who was new before the request.
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
