import type { RowPosition } from '../../base/lib/rows.ts';
import type { RecordedResponse, RowFailure } from '../../runs/store/recorded-request.ts';
import type { BatchResponse } from '../../wire/shapes.ts';
import { EXPECTED_FAILURE } from './record-and-send.ts';

interface SentBatch {
  readonly rows: readonly RowPosition[];
  readonly replayed: boolean;
  addressAt(index: number): string;
  readonly isThere: IsThere;
}

/** Looks up whether an address is in the audience. Used only if the numbers of a response do not add up. */
type IsThere = (email: string) => Promise<boolean>;

/**
 * What the response to a contact batch says about its rows. `results` may hold failures only, be out of order or
 * incomplete, so rows are found by `index` (O7). If the sum does not fit, svc reads the batch back (O5).
 */
export async function readBatchResponse(response: BatchResponse, batch: SentBatch): Promise<ReadBatch> {
  const { rows, replayed } = batch;
  const { summary } = response;
  const failed = failedIndexes(response, rows.length);
  const expected = rows.length - failed.size;
  const whole = COUNTS.every((name) => Number.isInteger(summary[name]) && summary[name] >= 0);
  const adds = whole && summary.failed === failed.size && summary.created + summary.updated === expected;
  const counts = adds ? { ...summary, missing: [] } : await readBack(response, batch, failed);
  const failures = [...failed].map(([index, code]) => rowFailure(rows, index, code));
  const recorded = {
    status: 200,
    replayed,
    created: counts.created,
    updated: counts.updated,
    alreadySuppressed: [...failed.values()].filter((code) => code === EXPECTED_FAILURE).length,
    failures: [...failures, ...counts.missing.map((index) => rowFailure(rows, index, 'not_written'))],
  };
  return {
    recorded,
    accepts: (index) => adds && !failed.has(index),
    isSuppressed: (index) => failed.get(index) === EXPECTED_FAILURE,
  };
}

interface ReadBatch {
  readonly recorded: RecordedResponse;
  /**
   * True for the index of a row that was certainly accepted as sent. False for all rows if the numbers do not add up:
   * an existing contact may still have older fields.
   */
  accepts(index: number): boolean;
  isSuppressed(index: number): boolean;
}

const COUNTS = ['created', 'updated', 'failed'] as const;

/**
 * Ignores an entry that is not an object or names no row of the batch. The counts of the response still show that a row
 * failed.
 */
function failedIndexes({ results }: BatchResponse, length: number): Map<number, string> {
  const failed = new Map<number, string>();
  for (const entry of results as readonly unknown[]) {
    const { index, status, error } = Object(entry) as Readonly<Record<string, unknown>>;
    const refused = status === 'failed' || (error !== undefined && error !== null);
    if (refused && typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < length) {
      const { code } = Object(error) as Readonly<Record<string, unknown>>;
      failed.set(index, typeof code === 'string' && code !== '' ? code : 'failed');
    }
  }
  return failed;
}

async function readBack(response: BatchResponse, batch: SentBatch, failed: ReadonlyMap<number, string>) {
  const missing: number[] = [];
  let found = 0;
  for (const index of batch.rows.keys()) {
    if (failed.has(index)) {
      continue;
    }
    if (await batch.isThere(batch.addressAt(index))) {
      found += 1;
    } else {
      missing.push(index);
    }
  }
  const created = Math.min(Math.max(0, Math.trunc(response.summary.created)), found);
  return { created, updated: found - created, missing };
}

function rowFailure(rows: readonly RowPosition[], index: number, code: string): RowFailure {
  const { source, line } = rows[index]!;
  return { source, line, code };
}
