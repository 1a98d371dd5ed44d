import type { Suppression, SuppressionResponse } from '../../wire/shapes.ts';
import type { CallOptions, Client } from '../client.ts';
import { contentKey, type KeySource, type SendOptions, type WriteOutcome } from '../retry/key-source.ts';
import { createObjectDecoder, createObjectReader } from './json-bodies.ts';
import {
  type CursorPage,
  type ListEndpoint,
  type ListOptions,
  listCursorPages,
  MAX_PAGES_OF_LONG_LISTS,
} from './pages.ts';

/** Up to 1,000 addresses with one reason, as the exact bytes of the request. */
export interface SuppressionBatch {
  readonly body: Buffer;
  /** Random hex digits, so that the same content gets a new key. Undefined if the key depends only on the content. */
  readonly keySuffix: string | undefined;
}

export function suppressionsKey(client: Client, { body, keySuffix }: SuppressionBatch): KeySource['keyForVersion'] {
  return (keyVersion) => contentKey({ op: 'suppressions', destination: [client.origin], body, keyVersion, keySuffix });
}

/** POST /v1/suppressions. It may be repeated: after an unknown outcome, the same key is sent again. */
export function postSuppressions(
  client: Client,
  { body }: SuppressionBatch,
  { keySource, signal }: SendOptions,
): Promise<WriteOutcome<SuppressionResponse>> {
  return client.post(
    { ...keySource, segments: SEGMENTS, body, policy: 'repeatable', parseResponse: readSuppressions },
    signal,
  );
}

/**
 * GET /v1/suppressions, all pages. The document does not show if the list has pages, so a page without `has_more` is
 * the last. If that page is full, calls `onMayHaveMore`, because the service may have more suppressions.
 */
export async function* listSuppressions(
  client: Client,
  options: ListOptions = {},
  onMayHaveMore?: () => void,
): AsyncGenerator<Suppression> {
  for await (const { items, mayHaveMore } of listSuppressionPages(client, options)) {
    mayHaveMore && onMayHaveMore?.();
    yield* items;
  }
}

/** GET /v1/suppressions, page by page. `mayHaveMore` is true for a full page without `has_more`. */
export function listSuppressionPages(client: Client, options: ListOptions): AsyncGenerator<CursorPage<Suppression>> {
  return listCursorPages(client, { ...LISTING, ...options });
}

/**
 * GET /v1/suppressions?limit=1. The service document recommends it as a check after an import. Undefined if the list is
 * empty.
 */
export async function firstSuppression(client: Client, options?: CallOptions): Promise<Suppression | undefined> {
  const page = decodeList(await client.get(SEGMENTS, { limit: 1 }, options));
  return page.data.length === 0 ? undefined : decodeSuppression(page.data[0]);
}

const SEGMENTS = ['suppressions'] as const;
const decodeSuppression = createObjectDecoder<Suppression>('a suppression', {
  id: 'string',
  email: 'any?',
  reason: 'any?',
});
const LISTING = {
  segments: SEGMENTS,
  decode: decodeSuppression,
  mayNotPage: true,
  maxPages: MAX_PAGES_OF_LONG_LISTS,
} satisfies ListEndpoint<Suppression>;
const decodeList = createObjectDecoder<{ readonly data: readonly unknown[] }>('the list of suppressions', {
  data: 'array',
});
const readSuppressions = createObjectReader<SuppressionResponse>({ total_suppressed_after: 'count' });
