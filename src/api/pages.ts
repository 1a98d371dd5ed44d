import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { LIMITS } from '../wire/limits.ts';
import type { Query } from './base-url.ts';
import type { Client } from './client.ts';
import { createDecode, type Decode } from './decode.ts';

/** A list endpoint. `limit` is the size of a page, 1 to 100. */
export interface Listing<T> {
  readonly segments: readonly string[];
  readonly query?: Query | undefined;
  readonly decode: Decode<T>;
  readonly limit?: number | undefined;
  /** A list of which it is not shown whether it pages: a page that says nothing of more is the last. */
  readonly mayNotPage?: boolean | undefined;
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
 * All pages of a list, newest first, each read when it is asked for. An empty page that promises more, or a cursor that
 * is missing or came before, is an error and not a loop (rule L1).
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
  const seen = new Set<string>();
  let { after } = listing;
  do {
    const read = listing.mayNotPage ? decodeAnyPage : decodePage;
    const page = read(await client.get(segments, { ...listing.query, limit, after }, { signal }));
    const next = nextCursor(page, seen);
    const unsure = typeof page.has_more !== 'boolean' && page.data.length >= limit;
    yield { items: page.data.map(listing.decode), next, unsure };
    after = next;
  } while (after !== undefined);
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

function nextCursor(page: RawPage, seen: Set<string>): string | undefined {
  if (!page.has_more) {
    return undefined;
  }
  const cursor = page.next_cursor;
  if (page.data.length === 0) {
    throw endless('an empty page says that there is more');
  }
  if (typeof cursor !== 'string' || cursor === '') {
    throw endless('a page says that there is more, but not where');
  }
  if (seen.has(cursor)) {
    throw endless('a cursor came twice');
  }
  seen.add(cursor);
  return cursor;
}

function endless(what: string): SvcError {
  return new SvcError(EXIT.failed, 'unexpected_answer', `a list of the service cannot be read to its end: ${what}`);
}
