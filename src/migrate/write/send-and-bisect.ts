import type { WriteOutcome } from '../../api/retry/key-source.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { plural } from '../../base/lib/text.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { READ_DIFFERENTLY_NOTE } from '../../runs/find/run-status.ts';
import {
  BISECTED,
  EMPTY_RESPONSE as NOTHING,
  type RecordedRequest,
  type RecordedResponse,
} from '../../runs/store/recorded-request.ts';
import {
  joinSendResults,
  NOTHING_SENT,
  noResponseError,
  type RecordableRequest,
  recordAndSend,
  recordOutcome,
  recordWithoutResponse,
  rowsToRecord,
  type SendResult,
  sendResultOf,
} from '../../sending/record-and-send.ts';

/** One repeatable POST with many rows. If the service refuses it because of one row, svc halves it to find that row. */
export interface RecordedWrite<T> extends RecordableRequest<T> {
  /** Reads the outcomes of the rows from the response. May look people up, if the numbers do not add up (O5). */
  readResponse(value: T, isReplayed: boolean, isAfterLostResponse: boolean): Promise<RecordedResponse>;
  /** The write request for the rows from index `from` up to, but not including, `to`. */
  part(from: number, to: number, name: string): RecordedWrite<T>;
  /**
   * Makes the idempotency keys that depend only on the content. The run used them before it switched to keys with a
   * random part (`keySuffix`), so requests sent before the switch have such keys.
   */
  readonly sharedKeyForVersion?: RecordableRequest<T>['keyForVersion'] | undefined;
  /** Called before a request is sent. Not called if the journal already has its response. */
  beforeSending?(): void;
  /** Called once the journal has the response. Not called for a replay that may describe a write of another run. */
  afterWrite?(): void;
}

// The maximum number of extra requests for one refused batch (P3). A resume starts with a new budget.
const BISECT_BUDGET = 64;
type Budget = { left: number };

/** Sends a write request, unless the journal has its response. Bisects it after a 400. Throws if the run must stop. */
export function sendRecorded<T>(context: WriteContext, write: RecordedWrite<T>): Promise<SendResult> {
  return sendPart(context, write, { left: BISECT_BUDGET });
}

async function sendPart<T>(context: WriteContext, write: RecordedWrite<T>, budget: Budget): Promise<SendResult> {
  const earlier = context.journal.requests.find(write.kind, write.name);
  refuseChangedRows(context, write, earlier);
  if (earlier?.state === 'done') {
    const isBisected = earlier.response?.word === BISECTED;
    return isBisected
      ? sendHalves(context, write, budget)
      : sendResultOf({ ...NOTHING, ...earlier.response, failures: [] });
  }
  if (earlier?.state === 'refused' && earlier.response?.status === 400) {
    return bisect(context, { write, id: earlier.id, budget }, earlier.response);
  }
  write.beforeSending?.();
  const beforeNewKey = write.kind === 'contacts' ? context.overtake : undefined;
  const { id, outcome } = await recordAndSend(context, { ...write, beforeNewKey }, earlier);
  switch (outcome.kind) {
    case 'accepted': {
      const { afterLostResponse, afterConflict } = outcome;
      const isOfOtherRun = outcome.replayed && !afterLostResponse && !afterConflict && hadNoEffect(earlier);
      const response = {
        ...(await write.readResponse(outcome.value, outcome.replayed, afterLostResponse === true)),
        ...(afterLostResponse && { ours: true }),
        ...(isOfOtherRun && { ofOtherRun: true }),
        ...(!outcome.replayed && context.client.knowsServerTime() && { at: context.client.serverNow() }),
      };
      recordOutcome(context, id, { state: 'done', response });
      // Not after a replay, because another run may have changed the contacts since. But if this process sent the
      // request first and only lost the response, the replay describes its own write.
      if (!outcome.replayed || (afterLostResponse && earlier === undefined)) {
        write.afterWrite?.();
      }
      return sendResultOf(response);
    }
    case 'refused':
      return handleRefusal(context, { write, id, earlier, outcome, budget });
    default:
      recordWithoutResponse(context, id, outcome.outcomeUnknown, !outcome.outcomeUnknown && hadNoEffect(earlier));
      throw noResponseError(outcome, context.signal);
  }
}

/**
 * Stops a resume whose requests have other rows than before, because another version of svc reads the list differently.
 * A resume skips requests by their number, so rows would be lost.
 */
function refuseChangedRows<T>(context: WriteContext, write: RecordedWrite<T>, earlier?: RecordedRequest): void {
  const keys = [write.keyForVersion, write.sharedKeyForVersion];
  if (earlier && !keys.some((keyFor) => keyFor?.(earlier.keyVersion) === earlier.key)) {
    throw readDifferentlyError(context);
  }
}

/**
 * The error if this version of svc reads the list differently than the version that began the run. For an import, the
 * same command then starts a new run. An enrollment must continue: only this run knows whom `--reenroll` enrolled.
 */
export function readDifferentlyError({ journal, options }: Pick<WriteContext, 'journal' | 'options'>): SvcError {
  const isImport = journal.header.command === options.command;
  if (isImport) {
    journal.writeNote(READ_DIFFERENTLY_NOTE, true);
  }
  const message = 'the run stopped: this version of svc reads the list differently than the one that began it';
  return new SvcError(EXIT.stopped, 'read_differently', message, {
    hint: isImport
      ? 'Run the same command again. It starts a new run of the whole list.'
      : 'Continue it with the version of svc that began it.',
  });
}

/** True if certainly no attempt of earlier processes had an effect. */
export function hadNoEffect(earlier: RecordedRequest | undefined): boolean {
  return earlier === undefined || earlier.response?.hadNoEffect === true;
}

interface Refusal<T> {
  readonly write: RecordedWrite<T>;
  readonly id: number | undefined;
  readonly earlier: RecordedRequest | undefined;
  readonly outcome: Extract<WriteOutcome<T>, { kind: 'refused' }>;
  readonly budget: Budget;
}

/** Bisects a request after a 400, to find the row that causes it. Stops the run after any other refusal (P3). */
async function handleRefusal<T>(context: WriteContext, refusal: Refusal<T>): Promise<SendResult> {
  const { write, outcome, id, earlier } = refusal;
  const { error, replayed } = outcome;
  const response = {
    ...NOTHING,
    status: error.status,
    replayed,
    word: error.code,
    ...(!outcome.mayHaveEffect && hadNoEffect(earlier) && { hadNoEffect: true }),
  };
  if (error.status !== 400) {
    recordOutcome(context, id, { state: 'refused', response });
    throw error;
  }
  if (write.rows.length > 1) {
    return bisect(context, refusal, response);
  }
  const failures = Array.from(rowsToRecord(write), (row) => ({ ...row, code: error.code, detail: error.message }));
  recordOutcome(context, id, { state: 'done', response: { ...response, failures } });
  return { ...NOTHING_SENT, failed: failures.length };
}

/**
 * Sends a refused request in two halves. Once the budget is spent, its rows count as unsent and not as failed, because
 * svc does not know which of them is bad.
 */
async function bisect<T>(
  context: WriteContext,
  part: Pick<Refusal<T>, 'write' | 'id' | 'budget'>,
  response: RecordedResponse,
): Promise<SendResult> {
  const { write, id, budget } = part;
  if (budget.left < 2) {
    recordOutcome(context, id, { state: 'refused', response });
    return { ...NOTHING_SENT, unsent: rowsToRecord(write).length };
  }
  budget.left -= 2;
  recordOutcome(context, id, { state: 'done', response: { ...response, word: BISECTED } });
  return sendHalves(context, write, budget);
}

async function sendHalves<T>(context: WriteContext, write: RecordedWrite<T>, budget: Budget): Promise<SendResult> {
  const { name, rows } = write;
  const middle = Math.ceil(rows.length / 2);
  const one = await sendPart(context, write.part(0, middle, `${name}.0`), budget);
  return joinSendResults(one, await sendPart(context, write.part(middle, rows.length, `${name}.1`), budget));
}

/**
 * The names of a request and its halves that have the row at `index`. `7` with 4 rows, index 3: `7`, `7.1`, `7.1.1`.
 */
export function namesOfRequests(name: string, index: number, count: number): string[] {
  const middle = Math.ceil(count / 2);
  const half = index < middle ? ([0, index, middle] as const) : ([1, index - middle, count - middle] as const);
  return count < 2 ? [name] : [name, ...namesOfRequests(`${name}.${half[0]}`, half[1], half[2])];
}

/** Throws if rows stayed unsent because the bisect budget of their batch was spent (P3). */
export function refuseUnsent({ journal }: Pick<WriteContext, 'journal'>, unsent: number): void {
  if (unsent > 0) {
    const message = `${plural(unsent, 'row was', 'rows were')} not sent: the service refused their batches, and ${BISECT_BUDGET} more requests for each batch did not find every bad row`;
    throw new SvcError(EXIT.stopped, 'rows_unsent', message, {
      hint: `The resume continues the search: svc runs resume ${journal.header.run}`,
    });
  }
}
