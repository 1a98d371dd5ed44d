import type { SuppressedPerson } from '../../runs/store/suppressed-people.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';
import { looseKey } from '../record/address.ts';

/** One call of POST /v1/suppressions: up to 1,000 addresses with one reason, and the exact bytes. */
interface SuppressionRequest {
  /** Counts from 0 within the reason. */
  readonly index: number;
  readonly items: readonly SuppressedPerson[];
  readonly body: Buffer;
}

/**
 * The most respelled addresses in one call. If the service refuses all of them, bisecting takes 64 more requests, which
 * is the budget (P3).
 */
export const RESPELLED_ITEMS = 33;

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
      const [now, later] = splitCall([...waiting, ...items], size);
      waiting = later;
      yield { index: index++, items: now, body: suppressionBody(reason, now) };
      items = [];
    }
  }
  for (let rest: readonly SuppressedPerson[] = [...waiting, ...items]; rest.length > 0; ) {
    const [now, later] = splitCall(rest, size);
    rest = later;
    yield { index: index++, items: now, body: suppressionBody(reason, now) };
  }
}

/** The exact bytes of one call. */
export function suppressionBody(reason: SuppressionReason, items: readonly SuppressedPerson[]): Buffer {
  return Buffer.from(JSON.stringify({ reason, emails: items.map(({ email }) => email) }));
}

// The items for one call and the rest. A call holds at most `size` items, and no two addresses that the service could
// treat as one (rule F8).
function splitCall(items: readonly SuppressedPerson[], size: number): [SuppressedPerson[], SuppressedPerson[]] {
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
