import { LIMITS } from '../../wire/limits.ts';
import type { Page } from '../../wire/shapes.ts';
import { invalidRequest } from '../protocol/envelope.ts';
import type { PageRequest } from '../store/rows.ts';

/**
 * Reads `limit` and `after` of a query. Throws 400 `invalid_request` for an unknown cursor, and for a limit outside of
 * 1 to 100.
 */
export function readPageRequest(query: URLSearchParams): PageRequest {
  return { limit: readLimit(query.get('limit')), before: readCursor(query.get('after')) };
}

/**
 * Makes a page of rows that are sorted newest first. The caller must read one row more than `limit`: if this row is
 * there, a further page follows.
 */
export function toPage<Row extends { readonly seq: number }, T>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { data: shown.map(toItem), has_more: hasMore, next_cursor: hasMore ? writeCursor(last.seq) : null };
}

function readLimit(text: string | null): number {
  if (text === null) {
    return LIMITS.pageSizeDefault;
  }
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMITS.pageSizeMax) {
    throw invalidRequest(`limit must be an integer from 1 to ${LIMITS.pageSizeMax}.`, 'limit');
  }
  return limit;
}

// Uses plain base64 instead of base64url. Some cursors then contain `+`, `/` or `=`, so a client that does not escape
// them fails in tests.
function writeCursor(seq: number): string {
  return Buffer.from(`>?~${seq}`).toString('base64');
}

function readCursor(text: string | null): number {
  if (text === null) {
    return Number.MAX_SAFE_INTEGER;
  }
  const match = /^>\?~(\d{1,15})$/.exec(Buffer.from(text, 'base64').toString('latin1'));
  if (!match) {
    throw invalidRequest('after is not a cursor of this list.', 'after');
  }
  return Number(match[1]);
}
