import { insertDelivery, insertEvent } from '../store/deliveries.ts';
import { listSubscribers } from '../store/webhooks.ts';
import { timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';

/** Queues an event for every active endpoint that subscribes to its type; sending is the worker's. */
export function emit(world: World, organization: number, event: { type: string; data: object }): void {
  const subscribers = listSubscribers(world.store, organization, event.type);
  if (subscribers.length === 0) {
    return;
  }
  const now = world.clock.now();
  const { type, data } = event;
  const seq = insertEvent(world.store, { organization, type, created_at: now }, (id) =>
    JSON.stringify({ id: world.ids.make('event', id), type, created_at: timestamp(now), data }),
  );
  for (const webhook of subscribers) {
    insertDelivery(world.store, { webhook: webhook.seq, event: seq, type }, now);
  }
  world.wake();
}
