import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Client } from '../client.ts';
import type { Query } from '../http/base-url.ts';
import { createDecode, type Decode } from './bodies.ts';

/** A list endpoint. `limit` is the size of a page, 1 to 100. */
export interface Listing<T> {
  readonly segments: readonly string[];
  readonly query?: Query | undefined;
  readonly decode: Decode<T>;
  readonly limit?: number | undefined;
  /** A list of which it is not shown whether it pages: a page that says nothing of more is the last. */
  readonly mayNotPage?: boolean | undefined;
  /** Pages beyond which the list is an error, 1,000 unless said otherwise. */
  readonly maxPages?: number | undefined;
  /** Asks how many entries the list has, once it is long; undefined where that is not known. */
  count?(): Promise<number | undefined>;
  /** Cursor to begin at, from an earlier page. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A page and how it goes on. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; undefined after the last. */
  readonly next: string | undefined;
  /** True where a full page says nothing of more, so that nobody knows whether there is. */
  readonly unsure: boolean;
}

/** What may be asked of any list. */
export type ListOptions = Pick<Listing<unknown>, 'limit' | 'signal'>;

/**
 * All pages of a list, newest first, each read when it is asked for. A list that cannot come to its end is an error and
 * not a loop: an empty page that promises more, a cursor that is missing or came before, a page that brings nothing new,
 * far more entries than the service counts, or too many pages (rule L1).
 */
export async function* listPages<T>(client: Client, listing: Listing<T>): AsyncGenerator<readonly T[]> {
  for await (const { items } of listCursorPages(client, listing)) {
    yield items;
  }
}

/** The same pages with their cursors, for lists that are read on later. */
export async function* listCursorPages<T>(client: Client, listing: Listing<T>): AsyncGenerator<CursorPage<T>> {
  const { segments, signal } = listing;
  const limit = checkLimit(listing.limit ?? LIMITS.pageSizeMax);
  const read = listing.mayNotPage ? decodeAnyPage : decodePage;
  const progress = createProgressCheck(listing);
  let { after } = listing;
  for (let number = 1; ; number += 1) {
    const page = read(await client.get(segments, { ...listing.query, limit, after }, { signal, page: number }));
    const next = page.has_more ? await progress.nextCursor(page, number) : undefined;
    const unsure = typeof page.has_more !== 'boolean' && page.data.length >= limit;
    yield { items: page.data.map(listing.decode), next, unsure };
    if (next === undefined) {
      return;
    }
    after = next;
  }
}

/** All objects of a list, newest first. */
export async function* listAll<T>(client: Client, listing: Listing<T>): AsyncGenerator<T> {
  for await (const page of listPages(client, listing)) {
    yield* page;
  }
}

/** The size of a page as a person may ask for it; a usage error outside 1 to 100. */
function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMITS.pageSizeMax) {
    throw new SvcError(EXIT.usage, 'invalid_limit', `a page holds 1 to ${LIMITS.pageSizeMax} entries, not ${limit}`);
  }
  return limit;
}

interface RawPage {
  readonly data: readonly unknown[];
  readonly has_more?: boolean;
  readonly next_cursor?: unknown;
}

const decodeAnyPage = createDecode<RawPage>('a list', { data: 'array', has_more: 'boolean?' });
const decodePage = createDecode<RawPage>('a list', { data: 'array', has_more: 'boolean' });

/** For lists that people make by hand. */
const MAX_PAGES = 1_000;

/** For lists that grow by themselves: 10 million entries. */
export const MAX_PAGES_OF_LONG_LISTS = 100_000;

/** From this page on a list is long: it is compared with its count. */
const LONG_LIST_PAGE = 20;

/** Entries may be added while a list is read: twice the count, and this many more. */
const EXTRA_ENTRIES = 10_000;

// Ids that are remembered, the newest of them: what repeats comes back within so many, or meets a ceiling.
const REMEMBERED = 100_000;

/** Checks that each page brings a list nearer to its end, and gives the cursor of the next one (rule L1). */
function createProgressCheck({ count, maxPages: mostPages = MAX_PAGES }: Listing<unknown>) {
  const cursors = new Set<string>();
  const ids = new Set<unknown>();
  let entries = 0;
  let counted: number | undefined;

  const bringsNothingNew = (data: readonly unknown[]) => {
    const fresh = data.map(idOf).filter((id) => id === undefined || !ids.has(id));
    fresh.forEach((id) => ids.add(id));
    for (const oldest of ids.keys().take(Math.max(0, ids.size - REMEMBERED))) {
      ids.delete(oldest);
    }
    return fresh.length === 0;
  };

  return {
    async nextCursor({ data, next_cursor: cursor }: RawPage, number: number): Promise<string> {
      entries += data.length;
      if (data.length === 0) {
        throw endless('an empty page says that there is more');
      }
      if (typeof cursor !== 'string' || cursor === '') {
        throw endless('a page says that there is more, but not where');
      }
      if (cursors.has(cursor)) {
        throw endless('a cursor came twice');
      }
      if (bringsNothingNew(data)) {
        throw endless('a page repeats what came before and says that there is more');
      }
      counted = number === LONG_LIST_PAGE ? await count?.() : counted;
      if (counted !== undefined && entries > 2 * counted + EXTRA_ENTRIES) {
        throw endless(`the service counts ${counted} entries, but ${entries} came and it says that there are more`);
      }
      if (number >= mostPages) {
        throw endless(`${number} pages came, and it says that there are more`);
      }
      cursors.add(cursor);
      return cursor;
    },
  };
}

function idOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
}

function endless(what: string): SvcError {
  return new SvcError(EXIT.failed, 'unexpected_answer', `a list of the service cannot be read to its end: ${what}`);
}
