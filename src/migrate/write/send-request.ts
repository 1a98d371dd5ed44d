import type { KeySource, WriteOutcome } from '../../api/retry/write-request.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, interruptionOf } from '../../base/lib/exit.ts';
import type { RowPosition } from '../../base/lib/rows.ts';
import type { RecordedAnswer, RecordedRequest, RequestKind } from '../../runs/store/recorded-request.ts';
import type { WriteContext } from '../write-context.ts';

/** A request to send: what the journal must record, and the call. */
export interface Sendable<T> {
  readonly kind: RequestKind;
  /** Names the request in the journal: the batch index, with a path for the parts of a bisected batch. */
  readonly name: string;
  readonly rows: readonly RowPosition[];
  readonly keyForVersion: KeySource['keyForVersion'];
  /** Calls the API, with the key that the journal recorded. */
  post(sendOptions: { readonly keySource: KeySource; readonly signal: AbortSignal }): Promise<WriteOutcome<T>>;
  /**
   * False for a row whose outcome another request records: it cannot fail in this one. Without it, every row counts.
   */
  readonly counts?: ((row: RowPosition) => boolean) | undefined;
}

/**
 * Sends a request. Records its intent on disk before each key is used. `id` is undefined if nothing was sent. Records
 * no outcome.
 */
export async function sendRequest<T>(context: Sender, write: Sendable<T>, earlier: RecordedRequest | undefined) {
  const { requests } = context.journal;
  let id = earlier?.id;
  const keySource: KeySource = {
    keyForVersion: write.keyForVersion,
    keyVersion: earlier?.keyVersion ?? 0,
    firstSentAt: earlier?.firstSentAt,
    outcomeUnknown: earlier?.state === 'pending' || earlier?.state === 'doubt',
    beforeKey: (intent) => {
      if (id === undefined) {
        id = requests.begin({ kind: write.kind, name: write.name, rows: ownRows(write).length, ...intent });
      } else {
        requests.replaceKey(id, intent);
      }
    },
  };
  const outcome = await write.post({ keySource, signal: context.signal });
  return { id, outcome };
}

/** The rows that count in this request. */
export function ownRows({ rows, counts }: Pick<Sendable<unknown>, 'rows' | 'counts'>): readonly RowPosition[] {
  return counts ? rows.filter(counts) : rows;
}

/** The parts of a run that sending needs. */
type Sender = Pick<WriteContext, 'journal' | 'signal'>;

/** Records a request without a response: as outcome unknown, or as unsent if it certainly had no effect. */
export function recordWithoutResponse(context: WriteContext, id: number | undefined, outcomeUnknown: boolean): void {
  recordOutcome(context, id, { state: outcomeUnknown ? 'doubt' : 'refused' });
}

interface Outcome {
  readonly state: 'done' | 'refused' | 'doubt';
  readonly answer?: RecordedAnswer;
}

/** Records the outcome of a request; does nothing if nothing was sent. */
export function recordOutcome(context: WriteContext, id: number | undefined, { state, answer }: Outcome): void {
  if (id !== undefined) {
    context.journal.requests.recordOutcome(id, state, answer);
  }
}

/** The end of a request without a response. */
export type NoResponse = Exclude<WriteOutcome<unknown>, { kind: 'answered' | 'refused' }>;

/** The error that stops the run after such an end. */
export function failureOf(outcome: NoResponse, signal: AbortSignal): SvcError {
  switch (outcome.kind) {
    case 'gave_up':
      return outcome.cause;
    case 'later':
      return laterError(outcome.resumeAt);
    case 'interrupted':
      return interrupted(signal);
    default:
      return outcome satisfies never;
  }
}

/** The error of a run that would wait longer than --max-wait. */
function laterError(resumeAt: number): SvcError {
  const at = new Date(resumeAt).toISOString();
  return new SvcError(EXIT.later, 'later', `waiting for the rate limit would pass --max-wait; continue after ${at}`);
}

export function interrupted(signal: AbortSignal): SvcError {
  const reason: unknown = signal.reason;
  if (reason instanceof SvcError) {
    return reason;
  }
  const cause = interruptionOf(signal);
  return new SvcError(cause?.exit ?? EXIT.interrupted, 'interrupted', `stopped by ${cause?.signal ?? 'a signal'}`);
}
