import { LIMITS } from '../../wire/limits.ts';
import type { Page } from '../../wire/shapes.ts';
import { invalid } from './envelope.ts';

/** The page of a list request: at most `limit` rows with a number below `before`. */
export interface PageRequest {
  readonly limit: number;
  readonly before: number;
}

/** A page that holds all rows. */
export const EVERYTHING: PageRequest = { limit: 10_000_000, before: Number.MAX_SAFE_INTEGER };

/** Reads `limit` and `after`. Throws 400 `invalid_request` for a limit outside 1–100 or an unknown cursor. */
export function readPage(query: URLSearchParams): PageRequest {
  return { limit: readLimit(query.get('limit')), before: readCursor(query.get('after')) };
}

/** Makes a page from rows, newest first. One row more than the limit was read. */
export function toPage<Row extends { readonly seq: number }, T>(
  rows: readonly Row[],
  limit: number,
  shape: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { data: shown.map(shape), has_more: more, next_cursor: more ? writeCursor(last.seq) : null };
}

function readLimit(text: string | null): number {
  if (text === null) {
    return LIMITS.pageSizeDefault;
  }
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMITS.pageSizeMax) {
    throw invalid(`limit must be an integer from 1 to ${LIMITS.pageSizeMax}.`, 'limit');
  }
  return limit;
}

// Standard base64, not base64url: some cursors hold + / =, so a client that doesn't encode them fails.
function writeCursor(seq: number): string {
  return Buffer.from(`>?~${seq}`).toString('base64');
}

function readCursor(text: string | null): number {
  if (text === null) {
    return Number.MAX_SAFE_INTEGER;
  }
  const match = /^>\?~(\d{1,15})$/.exec(Buffer.from(text, 'base64').toString('latin1'));
  if (!match) {
    throw invalid('after is not a cursor of this list.', 'after');
  }
  return Number(match[1]);
}
