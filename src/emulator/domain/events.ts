import type { EmulatorContext } from '../context/action-context.ts';
import { timestamp } from '../context/formats.ts';
import { insertDelivery, insertEvent, listSubscribedWebhooks } from '../store/webhooks.ts';

/**
 * Events of one type, one for each item of `data`. One request can cause many events, for example if it suppresses many
 * addresses.
 */
export interface EventGroup {
  readonly type: string;
  readonly data: readonly object[];
}

/** Queues the events for each active endpoint that subscribes to their type. The worker sends them later. */
export function queueEvents(context: EmulatorContext, organization: number, { type, data }: EventGroup): void {
  const subscribers = listSubscribedWebhooks(context.store, organization, type).filter(
    ({ status }) => status === 'active',
  );
  if (subscribers.length === 0 || data.length === 0) {
    return;
  }
  for (const one of data) {
    const event = insert(context, organization, { type, data: one });
    for (const { seq } of subscribers) {
      insertDelivery(context.store, { webhook: seq, event, event_type: type }, context.clock.now());
    }
  }
  context.wake();
}

function insert(
  { store, clock, ids }: EmulatorContext,
  organization: number,
  happened: { type: string; data: object },
): number {
  const now = clock.now();
  const { type, data } = happened;
  return insertEvent(store, { organization, type, created_at: now }, (id) =>
    JSON.stringify({ id: ids.make('event', id), type, created_at: timestamp(now), data }),
  );
}
