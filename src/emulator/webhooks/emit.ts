import type { Quirks } from '../quirks.ts';
import { insertDelivery, insertEvent } from '../store/deliveries.ts';
import { listSubscribers } from '../store/webhooks.ts';
import { timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';

/** Queues an event for every active endpoint that subscribes to its type; sending is the worker's. */
export function emit(world: World, organization: number, event: { type: string; data: object }): void {
  const { quirks } = world;
  const subscribers = listSubscribers(world.store, organization, event.type).filter(
    ({ status }) => status === 'active' || quirks.inactive_webhook === 'delivers',
  );
  if (subscribers.length === 0) {
    return;
  }
  const now = world.clock.now();
  const { type, data } = event;
  const seq = insertEvent(world.store, { organization, type, created_at: now }, (id) =>
    JSON.stringify({ id: world.ids.make('event', id), type, created_at: timestamp(now), data }),
  );
  for (const webhook of subscribers) {
    const delivery = { webhook: webhook.seq, event: seq, type };
    for (let copies = quirks.event_duplicates === 'all' ? 2 : 1; copies > 0; copies -= 1) {
      insertDelivery(world.store, delivery, now + holdBack(type, quirks));
    }
  }
  world.wake();
}

// What comes first in the life of a message is held back until the rest has gone out.
const HELD_BACK_MS: ReadonlyMap<string, number> = new Map([
  ['email.sent', 5_000],
  ['email.delivered', 2_500],
]);

function holdBack(type: string, quirks: Quirks): number {
  return quirks.event_order === 'reversed' ? (HELD_BACK_MS.get(type) ?? 0) : 0;
}
