import type { Quirks } from '../quirks.ts';
import { insertDelivery, insertEvent } from '../store/deliveries.ts';
import { listSubscribers } from '../store/webhooks.ts';
import { timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';

/** What happened, once for each `data`: a bounce happens to one address, a call suppresses many. */
export interface Happening {
  readonly type: string;
  readonly data: readonly object[];
}

/** Queues an event for each thing that happened, for every endpoint that subscribes to its type; sending is the worker's. */
export function emit(world: World, organization: number, { type, data }: Happening): void {
  const subscribers = listSubscribers(world.store, organization, type).filter(
    ({ status }) => status === 'active' || world.quirks.inactive_webhook === 'delivers',
  );
  if (subscribers.length === 0 || data.length === 0) {
    return;
  }
  for (const one of data) {
    const event = insert(world, organization, { type, data: one });
    subscribers.forEach((webhook) => queue(world, { webhook: webhook.seq, event, type }));
  }
  world.wake();
}

function insert({ store, clock, ids }: World, organization: number, happened: { type: string; data: object }): number {
  const now = clock.now();
  const { type, data } = happened;
  return insertEvent(store, { organization, type, created_at: now }, (id) =>
    JSON.stringify({ id: ids.make('event', id), type, created_at: timestamp(now), data }),
  );
}

function queue({ store, clock, quirks }: World, delivery: { webhook: number; event: number; type: string }): void {
  const due = clock.now() + holdBack(delivery.type, quirks);
  for (let copies = quirks.event_duplicates === 'all' ? 2 : 1; copies > 0; copies -= 1) {
    insertDelivery(store, delivery, due);
  }
}

// What comes first in the life of a message is held back until the rest has gone out.
const HELD_BACK_MS: ReadonlyMap<string, number> = new Map([
  ['email.sent', 5_000],
  ['email.delivered', 2_500],
]);

function holdBack(type: string, quirks: Quirks): number {
  return quirks.event_order === 'reversed' ? (HELD_BACK_MS.get(type) ?? 0) : 0;
}
