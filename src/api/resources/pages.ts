import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Client } from '../client.ts';
import type { QueryParameters } from '../http/base-url.ts';
import { createObjectDecoder, type Decode } from './json-bodies.ts';

/** A list endpoint. `limit` is the page size, 1 to 100. */
export interface ListEndpoint<T> {
  readonly segments: readonly string[];
  readonly query?: QueryParameters | undefined;
  readonly decode: Decode<T>;
  readonly limit?: number | undefined;
  /** True if the document doesn't show whether the list has pages. Then a page without `has_more` is the last. */
  readonly mayNotPage?: boolean | undefined;
  /** The read fails after more pages than this. The default is 1,000. */
  readonly maxPages?: number | undefined;
  /** Reads the number of entries, called once for a long list; undefined if unknown. */
  count?(): Promise<number | undefined>;
  /** The cursor to start at, from an earlier page. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CursorPage<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; undefined after the last. */
  readonly nextCursor: string | undefined;
  /** True if a full page has no `has_more`, so that further entries may exist. */
  readonly mayHaveMore: boolean;
}

export type ListOptions = Pick<ListEndpoint<unknown>, 'limit' | 'signal'>;

/**
 * All pages of a list, newest first, read on demand. An endless list is an error (L1). Its signs are an empty page
 * with `has_more`, a missing or repeated cursor, or a page without new entries. Other signs are far more entries than
 * the count, or too many pages.
 */
export async function* listPages<T>(client: Client, listing: ListEndpoint<T>): AsyncGenerator<readonly T[]> {
  for await (const { items } of listCursorPages(client, listing)) {
    yield items;
  }
}

/** All pages of a list with their cursors, so that a later process can continue. */
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

/** Returns a page size of 1 to 100; anything else is a usage error. */
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

/** The page limit for lists whose entries users create by hand, such as audiences. */
const MAX_PAGES = 1_000;

/** The page limit for lists that grow by themselves, such as contacts: 10 million entries at 100 a page. */
export const MAX_PAGES_OF_LONG_LISTS = 100_000;

/** A list with this many pages is long. svc then reads its count, to notice a list without an end. */
const LONG_LIST_PAGE = 20;

/** Entries may be added while svc reads. So a list may have twice its count plus this many entries. */
const EXTRA_ENTRIES = 10_000;

// The number of newest ids to remember. Ids that repeat later are not noticed. Then the limits on pages and entries end
// the read.
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
