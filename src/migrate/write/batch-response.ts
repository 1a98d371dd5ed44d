import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { type RowList, type RowPosition, sumOf } from '../../base/lib/rows.ts';
import { plural } from '../../base/lib/text.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { RecordedResponse, RowFailure } from '../../runs/store/recorded-request.ts';
import { SUPPRESSED_CODE } from '../../sending/record-and-send.ts';
import type { BatchResponse } from '../../wire/shapes.ts';

interface SentBatch {
  readonly rows: RowList;
  readonly replayed: boolean;
  /**
   * True if the audience shows the person of the row at this index as sent. Called only if the numbers of a response do
   * not add up.
   */
  isWritten(index: number): Promise<boolean>;
}

/**
 * Reads the outcomes of the rows from the response to a contact batch. `results` may be incomplete, have failures only,
 * and be in any order, so svc finds rows by `index`. If the numbers do not add up, svc looks up each person whose row
 * did not fail (O5).
 */
export async function readBatchResponse(response: BatchResponse, batch: SentBatch): Promise<BatchOutcome> {
  const { rows, replayed } = batch;
  const { summary } = response;
  const failed = failedIndexes(response, rows.length);
  const expected = rows.length - failed.size;
  const hasAllCounts = COUNTED_OUTCOMES.every((name) => Number.isInteger(summary[name]) && summary[name] >= 0);
  const addsUp = hasAllCounts && summary.failed === failed.size && summary.created + summary.updated === expected;
  const counts = addsUp ? { ...summary, missing: [] } : await countByReadBack(response, batch, failed);
  const failures = [...failed].map(([index, code]) => rowFailure(rows, index, code));
  const recorded = {
    status: 200,
    replayed,
    created: counts.created,
    updated: counts.updated,
    alreadySuppressed: [...failed.values()].filter((code) => code === SUPPRESSED_CODE).length,
    failures: [...failures, ...counts.missing.map((index) => rowFailure(rows, index, 'not_written'))],
  };
  const unnamed = addsUp || !hasAllCounts ? 0 : Math.max(0, summary.failed - failed.size - counts.missing.length);
  return {
    recorded,
    unnamed,
    accepts: (index) => addsUp && !failed.has(index),
    isSuppressed: (index) => failed.get(index) === SUPPRESSED_CODE,
  };
}

interface BatchOutcome {
  readonly recorded: RecordedResponse;
  /**
   * The number of failed rows in `summary` that `results` does not name. Leaves out rows that svc found itself, because
   * the audience does not have their people as sent.
   */
  readonly unnamed: number;
  /**
   * True if the service certainly accepted the row at this index as sent. False for all rows if the numbers do not add
   * up.
   */
  accepts(index: number): boolean;
  isSuppressed(index: number): boolean;
}

const COUNTED_OUTCOMES = ['created', 'updated', 'failed'] as const;

/**
 * The failed rows by index, with their error codes. Ignores an entry that names no row of the batch: `summary` still
 * counts it as failed.
 */
function failedIndexes({ results }: BatchResponse, length: number): Map<number, string> {
  const failed = new Map<number, string>();
  for (const entry of results as readonly unknown[]) {
    const { index, status, error } = Object(entry) as Readonly<Record<string, unknown>>;
    const isRefused = status === 'failed' || (error !== undefined && error !== null);
    const position = typeof index === 'string' && /^\d+$/.test(index) ? Number(index) : index;
    if (isRefused && typeof position === 'number' && Number.isInteger(position) && position >= 0 && position < length) {
      const { code } = Object(error) as Readonly<Record<string, unknown>>;
      failed.set(position, typeof code === 'string' && code !== '' ? code : 'failed');
    }
  }
  return failed;
}

async function countByReadBack(response: BatchResponse, batch: SentBatch, failed: ReadonlyMap<number, string>) {
  const missing: number[] = [];
  let foundCount = 0;
  for (let index = 0; index < batch.rows.length; index++) {
    if (failed.has(index)) {
      continue;
    }
    if (await batch.isWritten(index)) {
      foundCount += 1;
    } else {
      missing.push(index);
    }
  }
  const created = Math.min(Math.max(0, Math.trunc(response.summary.created)), foundCount);
  return { created, updated: foundCount - created, missing };
}

const UNNAMED_FAILURES_NOTE = 'unnamed_failures';

/**
 * Records for a request how many failed rows the service did not name. A later response to this request replaces the
 * number.
 */
export function noteUnnamedFailures(
  { journal }: Pick<WriteContext, 'journal'>,
  request: string,
  unnamed: number,
): void {
  const known = (journal.readNote(UNNAMED_FAILURES_NOTE) ?? {}) as Readonly<Record<string, number>>;
  if (unnamed > 0 || known[request] !== undefined) {
    journal.writeNote(UNNAMED_FAILURES_NOTE, { ...known, [request]: unnamed });
  }
}

/** Throws (exit 3) if rows failed and the service did not say which (O5, L5). */
export function refuseUnnamedFailures({ journal }: Pick<WriteContext, 'journal'>): void {
  const unnamed = sumOf(
    Object.values((journal.readNote(UNNAMED_FAILURES_NOTE) ?? {}) as Readonly<Record<string, number>>),
  );
  if (unnamed > 0) {
    const message = `the service says that ${plural(unnamed, 'more row')} failed, but not which. svc looked the people up: the audience has all of them as they were sent`;
    throw new SvcError(EXIT.partial, 'unnamed_failures', message, {
      hint: `To compare the list with the audience: svc runs verify ${journal.run}`,
    });
  }
}

function rowFailure(rows: RowList, index: number, code: string): RowFailure {
  const { source, line } = rows.at(index)!;
  return { source, line, code };
}

/**
 * Takes rows out of the counts of a response if another request records their outcome. If that request came first, the
 * response counted these rows as `updated`. If the response is a replay from before that request, it counted them as
 * `created`.
 */
export function withoutUncountedRows(
  response: RecordedResponse,
  rows: RowList,
  isCounted: (row: RowPosition) => boolean,
): RecordedResponse {
  const failures = response.failures.filter(isCounted);
  const writtenBefore =
    Array.from(rows).filter((row) => !isCounted(row)).length - (response.failures.length - failures.length);
  const updated = Math.max(0, response.updated - writtenBefore);
  const created = response.created + response.updated - writtenBefore - updated;
  const alreadySuppressed = failures.filter(({ code }) => code === SUPPRESSED_CODE).length;
  return { ...response, created, updated, alreadySuppressed, failures };
}
