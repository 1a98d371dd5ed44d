import type { WebhookEndpoint } from '../../wire/shapes.ts';
import type { World } from '../context.ts';
import { webhookItem } from '../routes/shapes.ts';
import { FIRST_ORGANIZATION } from '../setup/bootstrap.ts';
import { findDelivery, insertDelivery } from '../store/deliveries.ts';
import { deleteWebhook, listWebhooks, updateWebhook } from '../store/webhooks.ts';
import { emit } from '../webhooks/emit.ts';
import { EVERYTHING, getWebhook, parseId } from './rows.ts';

/** Webhooks, as the app shows and repairs them. */
export interface WebhookAdmin {
  /** Sends an event of any type to the endpoints that subscribe to it. */
  emitEvent(type: string, data: object): void;
  /** Endpoints with their secrets, newest first. */
  webhooks(): Required<WebhookEndpoint>[];
  deleteWebhook(webhookId: string): void;
  /** The signing secret, as the app reveals it. */
  webhookSecret(webhookId: string): string;
  /** Gives an endpoint a new secret and returns it. */
  rotateSecret(webhookId: string): string;
  /** Sends the original payload of a delivery once more, as a delivery of its own. */
  resendDelivery(deliveryId: string): void;
}

/** The functions of webhooks. */
export function createWebhookAdmin({ world }: { world: World }): WebhookAdmin {
  return {
    emitEvent: (type, data) => emit(world, FIRST_ORGANIZATION, { type, data: [data] }),
    webhooks: () =>
      listWebhooks(world.store, FIRST_ORGANIZATION, EVERYTHING).map((row) => ({
        ...webhookItem(world.ids, row),
        secret: row.secret,
      })),
    deleteWebhook: (id) => deleteWebhook(world.store, getWebhook(world, id).seq),
    webhookSecret: (id) => getWebhook(world, id).secret,
    rotateSecret(id) {
      const secret = `whsec_${world.randomHex(48)}`;
      updateWebhook(world.store, { ...getWebhook(world, id), secret });
      return secret;
    },
    resendDelivery(id) {
      const delivery = findDelivery(world.store, parseId(world, 'delivery', id));
      if (delivery === undefined) {
        throw new RangeError(`no delivery ${id}`);
      }
      const { webhook, event, event_type } = delivery;
      insertDelivery(world.store, { webhook, event, type: event_type }, world.clock.now());
      world.wake();
    },
  };
}
