import type { KeySource, WriteOutcome } from '../../api/retry/write-request.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, interruptionOf } from '../../base/lib/exit.ts';
import { plural } from '../../base/lib/text.ts';
import {
  EMPTY_ANSWER as NOTHING,
  type RecordedAnswer,
  type RecordedRequest,
  type RequestKind,
} from '../../runs/store/recorded-request.ts';
import type { Work } from '../work.ts';

/** One row of a unit: where it came from. */
export interface RequestRow {
  readonly source: number;
  readonly line: number;
}

/** One repeatable POST of many rows, and how to cut it in two when the service refuses it for one of them. */
export interface RecordedWrite<T> {
  readonly kind: RequestKind;
  /** Names the unit in the journal: chunk index, with a path for parts of a halved one. */
  readonly name: string;
  readonly rows: readonly RequestRow[];
  readonly keyAt: KeySource['keyAt'];
  /** The call of the API, given how the journal keys it. */
  post(calling: { readonly keyed: KeySource; readonly signal: AbortSignal }): Promise<WriteOutcome<T>>;
  /** What the answer says of the rows. May ask the service again where the answer doesn't add up (rule O5). */
  answer(value: T, replayed: boolean): Promise<RecordedAnswer>;
  /** The same delivery for `from` up to `to` of its rows. */
  part(from: number, to: number, name: string): RecordedWrite<T>;
  /** False for a row whose outcome another unit holds: it can't fail in this one. Each row counts where left out. */
  readonly counts?: ((row: RequestRow) => boolean) | undefined;
}

/** The row failure that a re-import expects: a fate of its own, not a fault (rule O7). */
export const EXPECTED_FAILURE = 'email_suppressed';

// Extra requests that one refused batch may cost in one go (P3). A resume goes on with a new budget.
const HALVING_BUDGET = 64;

/** What came of a delivery, its parts added up. An answer that the journal had already counts again, its failures don't. */
export interface SendResult {
  /** Rows that the service refused on their own. */
  readonly failed: number;
  /** Rows of refused parts that the bisecting budget left no request for: which of them are good is not known. */
  readonly unsent: number;
  /** People created and people updated by answers that were not replays: a replay writes nothing (rule I7). */
  readonly created: number;
  readonly updated: number;
  /** True where an answer was a replay. */
  readonly replayed: boolean;
  /** True where an attempt whose answer was lost came before: nobody says any more who was new then. */
  readonly afterLost: boolean;
}

/** Where nothing was sent. */
export const NOTHING_SENT: SendResult = {
  failed: 0,
  unsent: 0,
  created: 0,
  updated: 0,
  replayed: false,
  afterLost: false,
};

/** Two parts of one delivery as one. */
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

/** Sends a delivery unless the journal has its answer already. Throws when the run has to stop. */
export function sendRecorded<T>(work: Work, delivery: RecordedWrite<T>): Promise<SendResult> {
  return deliverPart(work, delivery, { left: HALVING_BUDGET });
}

async function deliverPart<T>(work: Work, delivery: RecordedWrite<T>, budget: { left: number }): Promise<SendResult> {
  const earlier = work.journal.units.find(delivery.kind, delivery.name);
  if (earlier?.state === 'done') {
    const halved = earlier.answer?.word === HALVED;
    return halved
      ? deliverHalves(work, delivery, budget)
      : deliveredBy({ ...NOTHING, ...earlier.answer, failures: [] });
  }
  if (earlier?.state === 'refused' && earlier.answer?.status === 400) {
    return bisect(work, { delivery, id: earlier.id, budget }, earlier.answer);
  }
  const { id, outcome } = await sendRequest(work, delivery, earlier);
  switch (outcome.kind) {
    case 'answered': {
      const said = await delivery.answer(outcome.value, outcome.replayed);
      const answer = outcome.ours ? { ...said, ours: true } : said;
      recordOutcome(work, id, { state: 'done', answer });
      return deliveredBy(answer);
    }
    case 'refused':
      return refused(work, { delivery, id, outcome, budget });
    case 'doubt':
      settle(work, id, outcome.inDoubt);
      throw outcome.cause;
    case 'later':
      settle(work, id, outcome.inDoubt);
      throw later(outcome.resumeAt);
    case 'interrupted':
      settle(work, id, outcome.inDoubt);
      throw interrupted(work.signal);
    default:
      return outcome satisfies never;
  }
}

function deliveredBy({
  failures,
  replayed,
  ours = false,
  created,
  updated,
}: Omit<RecordedAnswer, 'status'>): SendResult {
  const failed = failures.filter((failure) => failure.code !== EXPECTED_FAILURE).length;
  return {
    failed,
    unsent: 0,
    replayed,
    afterLost: ours,
    ...(replayed ? { created: 0, updated: 0 } : { created, updated }),
  };
}

/** A unit as sent: what the journal must know of it, and the call. */
export type Sendable<T> = Pick<RecordedWrite<T>, 'kind' | 'name' | 'rows' | 'keyAt' | 'post' | 'counts'>;

/** Sends a unit, with its intent on disk before each key is used; `id` is undefined where nothing went out. Records no outcome. */
export async function sendRequest<T>(work: Sender, delivery: Sendable<T>, earlier: RecordedRequest | undefined) {
  const { units } = work.journal;
  let id = earlier?.id;
  const keyed: KeySource = {
    keyAt: delivery.keyAt,
    generation: earlier?.generation ?? 0,
    firstSentAt: earlier?.firstSentAt,
    inDoubt: earlier?.state === 'pending' || earlier?.state === 'doubt',
    beforeKey: (intent) => {
      if (id === undefined) {
        id = units.begin({ kind: delivery.kind, name: delivery.name, rows: ownRows(delivery).length, ...intent });
      } else {
        units.replaceKey(id, intent);
      }
    },
  };
  const outcome = await delivery.post({ keyed, signal: work.signal });
  return { id, outcome };
}

/** The rows that count with this unit. */
function ownRows({ rows, counts }: Pick<RecordedWrite<unknown>, 'rows' | 'counts'>): readonly RequestRow[] {
  return counts ? rows.filter(counts) : rows;
}

/** What sending needs of a run. */
type Sender = Pick<Work, 'journal' | 'signal'>;

interface Refusal<T> {
  readonly delivery: RecordedWrite<T>;
  readonly id: number | undefined;
  readonly outcome: Extract<WriteOutcome<T>, { kind: 'refused' }>;
  readonly budget: { left: number };
}

/** A 400 is about one of the rows: find it by halving. Everything else stops the run (rule P3). */
async function refused<T>(work: Work, refusal: Refusal<T>): Promise<SendResult> {
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

/** Sends a refused delivery in two parts. Where the budget is spent its rows stay unsent: most of them may be good. */
async function bisect<T>(work: Work, part: Omit<Refusal<T>, 'outcome'>, answer: RecordedAnswer): Promise<SendResult> {
  const { delivery, id, budget } = part;
  if (budget.left < 2) {
    recordOutcome(work, id, { state: 'refused', answer });
    return { ...NOTHING_SENT, unsent: ownRows(delivery).length };
  }
  budget.left -= 2;
  recordOutcome(work, id, { state: 'done', answer: { ...answer, word: HALVED } });
  return deliverHalves(work, delivery, budget);
}

const HALVED = 'halved';

async function deliverHalves<T>(work: Work, delivery: RecordedWrite<T>, budget: { left: number }): Promise<SendResult> {
  const { name, rows } = delivery;
  const middle = Math.ceil(rows.length / 2);
  const one = await deliverPart(work, delivery.part(0, middle, `${name}.0`), budget);
  return joinResults(one, await deliverPart(work, delivery.part(middle, rows.length, `${name}.1`), budget));
}

/** Without an answer a unit stays in doubt; one that surely had no effect goes back to unsent. */
function settle(work: Work, id: number | undefined, inDoubt: boolean): void {
  recordOutcome(work, id, { state: inDoubt ? 'doubt' : 'refused' });
}

interface Outcome {
  readonly state: 'done' | 'refused' | 'doubt';
  readonly answer?: RecordedAnswer;
}

/** Records the outcome of a request; does nothing if nothing was sent. */
export function recordOutcome(work: Work, id: number | undefined, { state, answer }: Outcome): void {
  if (id !== undefined) {
    work.journal.units.recordOutcome(id, state, answer);
  }
}

/** Stops the run when refused batches left rows unsent: they need more requests than one run may spend on them (P3). */
export function refuseUnsent({ journal }: Pick<Work, 'journal'>, unsent: number): void {
  if (unsent > 0) {
    const message = `${plural(unsent, 'row is', 'rows are')} unsent: the service refused their batches, and the ${HALVING_BUDGET} extra requests a batch did not find every bad row`;
    throw new SvcError(EXIT.stopped, 'rows_unsent', message, {
      hint: `The resume goes on with the search: svc runs resume ${journal.header.run}`,
    });
  }
}

/** The problem of a run that would have to wait longer than it may. */
export function later(resumeAt: number): SvcError {
  const at = new Date(resumeAt).toISOString();
  return new SvcError(EXIT.later, 'later', `waiting for the rate limit would pass --max-wait; go on after ${at}`);
}

/** The problem that an aborted signal stands for. */
export function interrupted(signal: AbortSignal): SvcError {
  const reason: unknown = signal.reason;
  if (reason instanceof SvcError) {
    return reason;
  }
  const cause = interruptionOf(signal);
  return new SvcError(cause?.exit ?? EXIT.interrupted, 'interrupted', `stopped by ${cause?.signal ?? 'a signal'}`);
}
