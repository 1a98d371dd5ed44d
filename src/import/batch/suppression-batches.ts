import type { SuppressedPerson } from '../../runs/people/suppressed-people.ts';
import { LIMITS } from '../../wire/limits.ts';
import { looseKey } from '../../wire/person-key.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';

/** The request of one POST /v1/suppressions: up to 1,000 addresses with one reason, and the bytes of its body. */
interface SuppressionRequest {
  /** The number of the request among those with the same reason, from 0. */
  readonly index: number;
  readonly items: readonly SuppressedPerson[];
  readonly body: Buffer;
}

/**
 * The maximum number of items in a request that suppresses people under other spellings of their addresses. If the
 * service refuses all of them, bisecting takes 64 more requests, which is the whole budget (P3).
 */
export const MAX_RESPELLED_ITEMS = 33;

/** Cuts suppressed addresses into requests of up to `size`. */
export function* suppressionBatches(
  reason: SuppressionReason,
  addresses: Iterable<SuppressedPerson>,
  size: number = LIMITS.batchItems,
): Generator<SuppressionRequest> {
  let index = 0;
  let waiting: readonly SuppressedPerson[] = [];
  let items: SuppressedPerson[] = [];
  for (const item of addresses) {
    items.push(item);
    if (items.length === size) {
      const [now, later] = splitRequest([...waiting, ...items], size);
      waiting = later;
      yield { index: index++, items: now, body: suppressionBody(reason, now) };
      items = [];
    }
  }
  for (let open: readonly SuppressedPerson[] = [...waiting, ...items]; open.length > 0; ) {
    const [now, later] = splitRequest(open, size);
    open = later;
    yield { index: index++, items: now, body: suppressionBody(reason, now) };
  }
}

/** The body of one request. The client hashes and sends exactly these bytes. */
export function suppressionBody(reason: SuppressionReason, items: readonly SuppressedPerson[]): Buffer {
  return Buffer.from(JSON.stringify({ reason, emails: items.map(({ email }) => email) }));
}

// Splits items into those of the next request and the rest. The request has at most `size` items, and no two addresses
// that the service could take for one (F8).
function splitRequest(items: readonly SuppressedPerson[], size: number): [SuppressedPerson[], SuppressedPerson[]] {
  const keys = new Set<string>();
  const now: SuppressedPerson[] = [];
  const later: SuppressedPerson[] = [];
  for (const item of items) {
    const key = looseKey(item.email);
    const fits = now.length < size && !keys.has(key);
    keys.add(key);
    (fits ? now : later).push(item);
  }
  return [now, later];
}
