import type { ContactItem } from '../import/types.ts';
import type { RowFailure, UnitAnswer } from '../journal/types.ts';
import type { BatchResponse } from '../wire/shapes.ts';
import { EXPECTED_FAILURE } from './deliver.ts';

/** The batch that was answered. */
export interface AnsweredBatch {
  readonly items: readonly ContactItem[];
  readonly replayed: boolean;
  readonly isThere: IsThere;
}

/** Looks up whether an address is in the audience; used only where an answer doesn't add up. */
export type IsThere = (email: string) => Promise<boolean>;

/**
 * What the answer to a contact batch says of its rows. `results` may hold failures only, be out of order or short, so it
 * is joined on `index`; a sum that doesn't come out is settled by reading the batch back (rules O5, O7).
 */
export async function readBatchAnswer(response: BatchResponse, batch: AnsweredBatch): Promise<UnitAnswer> {
  const { items, replayed, isThere } = batch;
  const { summary } = response;
  const failed = failedIndexes(response, items.length);
  const expected = items.length - failed.size;
  const adds = summary.failed === failed.size && summary.created + summary.updated === expected;
  const counts = adds ? { ...summary, missing: [] } : await readBack(response, { items, failed, isThere });
  const failures = [...failed].map(([index, code]) => rowFailure(items, index, code));
  return {
    status: 200,
    replayed,
    created: counts.created,
    updated: counts.updated,
    alreadySuppressed: [...failed.values()].filter((code) => code === EXPECTED_FAILURE).length,
    failures: [...failures, ...counts.missing.map((index) => rowFailure(items, index, 'not_written'))],
  };
}

function failedIndexes(response: BatchResponse, length: number): Map<number, string> {
  const failed = new Map<number, string>();
  for (const result of response.results) {
    const refused = result.status === 'failed' || result.error !== undefined;
    if (refused && Number.isInteger(result.index) && result.index >= 0 && result.index < length) {
      failed.set(result.index, result.error?.code ?? 'failed');
    }
  }
  return failed;
}

interface Doubtful {
  readonly items: readonly ContactItem[];
  readonly failed: ReadonlyMap<number, string>;
  readonly isThere: IsThere;
}

async function readBack(response: BatchResponse, { items, failed, isThere }: Doubtful) {
  const missing: number[] = [];
  let found = 0;
  for (const [index, item] of items.entries()) {
    if (failed.has(index)) {
      continue;
    }
    if (await isThere(item.contact.email)) {
      found += 1;
    } else {
      missing.push(index);
    }
  }
  const created = Math.min(Math.max(0, response.summary.created), found);
  return { created, updated: found - created, missing };
}

function rowFailure(items: readonly ContactItem[], index: number, code: string): RowFailure {
  const item = items[index]!;
  return { source: item.source, line: item.line, code };
}
