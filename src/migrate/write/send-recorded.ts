import type { KeySource, WriteOutcome } from '../../api/retry/write-request.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, interruptionOf } from '../../base/lib/exit.ts';
import type { RowPosition } from '../../base/lib/run.ts';
import { plural } from '../../base/lib/text.ts';
import type { Journal } from '../../runs/store/journal.ts';
import {
  EMPTY_ANSWER as NOTHING,
  type RecordedAnswer,
  type RecordedRequest,
  type RequestKind,
} from '../../runs/store/recorded-request.ts';
import type { WriteContext } from '../write-context.ts';

/** One repeatable POST of many rows. It can be bisected if the service refuses it because of one row. */
export interface RecordedWrite<T> {
  readonly kind: RequestKind;
  /** Names the request in the journal: the batch index, with a path for the parts of a bisected batch. */
  readonly name: string;
  readonly rows: readonly RowPosition[];
  readonly keyForVersion: KeySource['keyForVersion'];
  /** Calls the API, with the key that the journal recorded. */
  post(calling: { readonly keySource: KeySource; readonly signal: AbortSignal }): Promise<WriteOutcome<T>>;
  /** What the response says about the rows. May read the service again if the numbers do not add up (O5). */
  answer(value: T, replayed: boolean): Promise<RecordedAnswer>;
  /** The same write request for the rows `from` up to, not including, `to`. */
  part(from: number, to: number, name: string): RecordedWrite<T>;
  /** False for a row whose outcome another request records: it cannot fail in this one. Without it, every row counts. */
  readonly counts?: ((row: RowPosition) => boolean) | undefined;
  /** Called before the first byte may leave. */
  beforeSending?(): void;
  /** Called once the journal holds the response, if this process knows that the response is about its own write. */
  afterWrite?(): void;
}

/** The row failure that a re-import expects. It has its own outcome and is not a fault (O7). */
export const EXPECTED_FAILURE = 'email_suppressed';

/** The row failure of a person whom --explicit-status found in the audience. Another request sends the row again. */
export const ALREADY_THERE = 'contact_already_exists';

/** False for row failures that have their own outcome or are followed by another request. */
export function isFault(code: string): boolean {
  return code !== EXPECTED_FAILURE && code !== ALREADY_THERE;
}

// Extra requests that one refused batch may cost in one process (P3). A resume starts with a new budget.
const BISECT_BUDGET = 64;

/**
 * The result of a write request, its parts added up. A response that the journal already had counts again, but its
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
  readonly afterLost: boolean;
}

/** The result if nothing was sent. */
export const NOTHING_SENT: SendResult = {
  failed: 0,
  unsent: 0,
  created: 0,
  updated: 0,
  replayed: false,
  afterLost: false,
};

/** Adds up the results of two parts. */
export function joinResults(a: SendResult, b: SendResult): SendResult {
  return {
    failed: a.failed + b.failed,
    unsent: a.unsent + b.unsent,
    created: a.created + b.created,
    updated: a.updated + b.updated,
    replayed: a.replayed || b.replayed,
    afterLost: a.afterLost || b.afterLost,
  };
}

/** Sends a write request unless the journal has its response. Throws if the run must stop. */
export function sendRecorded<T>(work: WriteContext, delivery: RecordedWrite<T>): Promise<SendResult> {
  return sendPart(work, delivery, { left: BISECT_BUDGET });
}

async function sendPart<T>(
  work: WriteContext,
  delivery: RecordedWrite<T>,
  budget: { left: number },
): Promise<SendResult> {
  const earlier = work.journal.requests.find(delivery.kind, delivery.name);
  if (earlier?.state === 'done') {
    const isBisected = earlier.answer?.word === BISECTED;
    return isBisected ? sendHalves(work, delivery, budget) : resultOf({ ...NOTHING, ...earlier.answer, failures: [] });
  }
  if (earlier?.state === 'refused' && earlier.answer?.status === 400) {
    return bisect(work, { delivery, id: earlier.id, budget }, earlier.answer);
  }
  delivery.beforeSending?.();
  const { id, outcome } = await sendRequest(work, delivery, earlier);
  switch (outcome.kind) {
    case 'answered': {
      const response = await delivery.answer(outcome.value, outcome.replayed);
      const answer = outcome.ours ? { ...response, ours: true } : response;
      recordOutcome(work, id, { state: 'done', answer });
      // A replay may be older than a write of another run, unless this process itself sent the request first.
      if (!outcome.replayed || (outcome.ours && earlier === undefined)) {
        delivery.afterWrite?.();
      }
      return resultOf(answer);
    }
    case 'refused':
      return refused(work, { delivery, id, outcome, budget });
    case 'gave_up':
      recordWithoutResponse(work, id, outcome.outcomeUnknown);
      throw outcome.cause;
    case 'later':
      recordWithoutResponse(work, id, outcome.outcomeUnknown);
      throw later(outcome.resumeAt);
    case 'interrupted':
      recordWithoutResponse(work, id, outcome.outcomeUnknown);
      throw interrupted(work.signal);
    default:
      return outcome satisfies never;
  }
}

/** True if the journal has the whole response of a batch: sending it again writes nothing. */
export function isAnswered({ requests }: Pick<Journal, 'requests'>, batch: string): boolean {
  const earlier = requests.find('contacts', batch);
  return earlier?.state === 'done' && earlier.answer?.word !== BISECTED;
}

function resultOf({ failures, replayed, ours = false, created, updated }: Omit<RecordedAnswer, 'status'>): SendResult {
  const failed = failures.filter(({ code }) => isFault(code)).length;
  return {
    failed,
    unsent: 0,
    replayed,
    afterLost: ours,
    ...(replayed ? { created: 0, updated: 0 } : { created, updated }),
  };
}

/** A request to send: what the journal must record, and the call. */
export type Sendable<T> = Pick<RecordedWrite<T>, 'kind' | 'name' | 'rows' | 'keyForVersion' | 'post' | 'counts'>;

/**
 * Sends a request. Records its intent on disk before each key is used. `id` is undefined if nothing was sent. Records
 * no outcome.
 */
export async function sendRequest<T>(work: Sender, delivery: Sendable<T>, earlier: RecordedRequest | undefined) {
  const { requests } = work.journal;
  let id = earlier?.id;
  const keySource: KeySource = {
    keyForVersion: delivery.keyForVersion,
    keyVersion: earlier?.keyVersion ?? 0,
    firstSentAt: earlier?.firstSentAt,
    outcomeUnknown: earlier?.state === 'pending' || earlier?.state === 'doubt',
    beforeKey: (intent) => {
      if (id === undefined) {
        id = requests.begin({ kind: delivery.kind, name: delivery.name, rows: ownRows(delivery).length, ...intent });
      } else {
        requests.replaceKey(id, intent);
      }
    },
  };
  const outcome = await delivery.post({ keySource, signal: work.signal });
  return { id, outcome };
}

/** The rows that count in this request. */
function ownRows({ rows, counts }: Pick<RecordedWrite<unknown>, 'rows' | 'counts'>): readonly RowPosition[] {
  return counts ? rows.filter(counts) : rows;
}

/** What sending needs of a run. */
type Sender = Pick<WriteContext, 'journal' | 'signal'>;

interface Refusal<T> {
  readonly delivery: RecordedWrite<T>;
  readonly id: number | undefined;
  readonly outcome: Extract<WriteOutcome<T>, { kind: 'refused' }>;
  readonly budget: { left: number };
}

/** A 400 is about one of the rows, so bisect to find it. Any other refusal stops the run (P3). */
async function refused<T>(work: WriteContext, refusal: Refusal<T>): Promise<SendResult> {
  const { delivery, outcome, id } = refusal;
  const { error } = outcome;
  const answer = { ...NOTHING, status: error.status, replayed: outcome.replayed, word: error.code };
  if (error.status !== 400) {
    recordOutcome(work, id, { state: 'refused', answer });
    throw error;
  }
  if (delivery.rows.length > 1) {
    return bisect(work, refusal, answer);
  }
  const failures = ownRows(delivery).map((row) => ({ ...row, code: error.code, detail: error.message }));
  recordOutcome(work, id, { state: 'done', answer: { ...answer, failures } });
  return { ...NOTHING_SENT, failed: failures.length };
}

/** Sends a refused request in two parts. If the budget is spent, its rows stay unsent: most of them may be good. */
async function bisect<T>(
  work: WriteContext,
  part: Omit<Refusal<T>, 'outcome'>,
  answer: RecordedAnswer,
): Promise<SendResult> {
  const { delivery, id, budget } = part;
  if (budget.left < 2) {
    recordOutcome(work, id, { state: 'refused', answer });
    return { ...NOTHING_SENT, unsent: ownRows(delivery).length };
  }
  budget.left -= 2;
  recordOutcome(work, id, { state: 'done', answer: { ...answer, word: BISECTED } });
  return sendHalves(work, delivery, budget);
}

const BISECTED = 'halved';

async function sendHalves<T>(
  work: WriteContext,
  delivery: RecordedWrite<T>,
  budget: { left: number },
): Promise<SendResult> {
  const { name, rows } = delivery;
  const middle = Math.ceil(rows.length / 2);
  const one = await sendPart(work, delivery.part(0, middle, `${name}.0`), budget);
  return joinResults(one, await sendPart(work, delivery.part(middle, rows.length, `${name}.1`), budget));
}

/** Records a request without a response: as outcome unknown, or as unsent if it certainly had no effect. */
function recordWithoutResponse(work: WriteContext, id: number | undefined, outcomeUnknown: boolean): void {
  recordOutcome(work, id, { state: outcomeUnknown ? 'doubt' : 'refused' });
}

interface Outcome {
  readonly state: 'done' | 'refused' | 'doubt';
  readonly answer?: RecordedAnswer;
}

/** Records the outcome of a request; does nothing if nothing was sent. */
export function recordOutcome(work: WriteContext, id: number | undefined, { state, answer }: Outcome): void {
  if (id !== undefined) {
    work.journal.requests.recordOutcome(id, state, answer);
  }
}

/** Stops the run if refused batches left rows unsent: they need more requests than one process may spend on them (P3). */
export function refuseUnsent({ journal }: Pick<WriteContext, 'journal'>, unsent: number): void {
  if (unsent > 0) {
    const message = `${plural(unsent, 'row is', 'rows are')} unsent: the service refused their batches, and the ${BISECT_BUDGET} extra requests a batch did not find every bad row`;
    throw new SvcError(EXIT.stopped, 'rows_unsent', message, {
      hint: `The resume continues the search: svc runs resume ${journal.header.run}`,
    });
  }
}

/** The error of a run that would wait longer than --max-wait. */
export function later(resumeAt: number): SvcError {
  const at = new Date(resumeAt).toISOString();
  return new SvcError(EXIT.later, 'later', `waiting for the rate limit would pass --max-wait; continue after ${at}`);
}

/** The error for an aborted signal. */
export function interrupted(signal: AbortSignal): SvcError {
  const reason: unknown = signal.reason;
  if (reason instanceof SvcError) {
    return reason;
  }
  const cause = interruptionOf(signal);
  return new SvcError(cause?.exit ?? EXIT.interrupted, 'interrupted', `stopped by ${cause?.signal ?? 'a signal'}`);
}
