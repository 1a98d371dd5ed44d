import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Client } from '../client.ts';
import type { QueryParameters } from '../http/base-url.ts';
import { createObjectDecoder, type Decode } from './json-bodies.ts';

/** A list endpoint. `limit` is the page size, from 1 to 100. */
export interface ListEndpoint<T> {
  readonly segments: readonly string[];
  readonly query?: QueryParameters | undefined;
  readonly decode: Decode<T>;
  readonly limit?: number | undefined;
  /**
   * True if the document does not show whether the list has pages. Then a page without `has_more` counts as the last
   * one.
   */
  readonly mayNotPage?: boolean | undefined;
  /** The maximum number of pages, by default 1,000. With more pages the read fails. */
  readonly maxPages?: number | undefined;
  /** Reads the number of entries. Called once, for a long list. Undefined if the number is not known. */
  count?(): Promise<number | undefined>;
  /** The cursor to start at. It comes from an earlier page. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CursorPage<T> {
  readonly items: readonly T[];
  /** The cursor of the next page. Undefined after the last page. */
  readonly nextCursor: string | undefined;
  /** True if a full page has no `has_more`, so that there may be more entries. */
  readonly mayHaveMore: boolean;
}

export type ListOptions = Pick<ListEndpoint<unknown>, 'limit' | 'signal'>;

/**
 * All pages of a list, newest first, each read when it is needed. A list without an end is an error (L1). Its signs
 * are: an empty page with `has_more`, a missing or repeated cursor, a page without new entries, far more entries than
 * the count, or too many pages.
 */
export async function* listPages<T>(client: Client, listing: ListEndpoint<T>): AsyncGenerator<readonly T[]> {
  for await (const { items } of listCursorPages(client, listing)) {
    yield items;
  }
}

/** All pages of a list, each with the cursor of the next one, so that a later process can continue there. */
export async function* listCursorPages<T>(client: Client, listing: ListEndpoint<T>): AsyncGenerator<CursorPage<T>> {
  const { segments, signal } = listing;
  const limit = checkLimit(listing.limit ?? LIMITS.pageSizeMax);
  const read = listing.mayNotPage ? decodeAnyPage : decodePage;
  const progress = createProgressCheck(listing);
  let { after } = listing;
  for (let number = 1; ; number += 1) {
    const page = read(await client.get(segments, { ...listing.query, limit, after }, { signal, page: number }));
    const next = page.has_more ? await progress.nextCursor(page, number) : undefined;
    const mayHaveMore = typeof page.has_more !== 'boolean' && page.data.length >= limit;
    yield { items: page.data.map(listing.decode), nextCursor: next, mayHaveMore };
    if (next === undefined) {
      return;
    }
    after = next;
  }
}

/** All objects of a list, newest first. */
export async function* listAll<T>(client: Client, listing: ListEndpoint<T>): AsyncGenerator<T> {
  for await (const page of listPages(client, listing)) {
    yield* page;
  }
}

/** Returns the page size if it is from 1 to 100. Any other number is a usage error. */
function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMITS.pageSizeMax) {
    throw new SvcError(EXIT.usage, 'invalid_limit', `a page can have 1 to ${LIMITS.pageSizeMax} entries, not ${limit}`);
  }
  return limit;
}

interface RawPage {
  readonly data: readonly unknown[];
  readonly has_more?: boolean;
  readonly next_cursor?: unknown;
}

const decodeAnyPage = createObjectDecoder<RawPage>('a list', { data: 'array', has_more: 'boolean?' });
const decodePage = createObjectDecoder<RawPage>('a list', { data: 'array', has_more: 'boolean' });

/** The limit of pages for a list whose entries users create by hand, such as audiences. */
const MAX_PAGES = 1_000;

/** The limit of pages for a list that grows by itself, such as contacts: 10 million entries with 100 on a page. */
export const MAX_PAGES_OF_LONG_LISTS = 100_000;

/** After this many pages a list is long. svc then reads its count, to notice a list without an end. */
const LONG_LIST_PAGE = 20;

/** A list may have twice its count plus this many entries, because entries may be added while svc reads it. */
const EXTRA_ENTRIES = 10_000;

// svc remembers this many of the newest ids. It does not notice when an older id repeats. Then the limits on pages and
// entries end the read.
const MAX_IDS = 100_000;

/** Checks that each page makes progress, and returns the cursor of the next page (L1). */
function createProgressCheck({ count, maxPages = MAX_PAGES }: ListEndpoint<unknown>) {
  const cursors = new Set<string>();
  const ids = new Set<unknown>();
  let entries = 0;
  let counted: number | undefined;

  const hasNothingNew = (data: readonly unknown[]) => {
    const fresh = data.map(idOf).filter((id) => id === undefined || !ids.has(id));
    fresh.forEach((id) => ids.add(id));
    for (const oldest of ids.keys().take(Math.max(0, ids.size - MAX_IDS))) {
      ids.delete(oldest);
    }
    return fresh.length === 0;
  };

  return {
    async nextCursor({ data, next_cursor: cursor }: RawPage, number: number): Promise<string> {
      entries += data.length;
      if (data.length === 0) {
        throw endlessListError('has_more is set on an empty page');
      }
      if (typeof cursor !== 'string' || cursor === '') {
        throw endlessListError('has_more is set, but next_cursor is missing');
      }
      if (cursors.has(cursor)) {
        throw endlessListError('a cursor was repeated');
      }
      if (hasNothingNew(data)) {
        throw endlessListError('has_more is set, but the page has no new entries');
      }
      counted = number === LONG_LIST_PAGE ? await count?.() : counted;
      if (counted !== undefined && entries > 2 * counted + EXTRA_ENTRIES) {
        throw endlessListError(
          `the service counts ${counted} entries, but ${entries} were listed and has_more is still set`,
        );
      }
      if (number >= maxPages) {
        throw endlessListError(`${number} pages were read, and has_more is still set`);
      }
      cursors.add(cursor);
      return cursor;
    },
  };
}

function idOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
}

function endlessListError(what: string): SvcError {
  return new SvcError(EXIT.failed, 'unexpected_answer', `a list of the service cannot be read to its end: ${what}`);
}
