import type { WebhookEndpoint } from '../../wire/shapes.ts';
import type { Context } from '../context.ts';
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
export function createWebhookAdmin({ context }: { context: Context }): WebhookAdmin {
  return {
    emitEvent: (type, data) => emit(context, FIRST_ORGANIZATION, { type, data: [data] }),
    webhooks: () =>
      listWebhooks(context.store, FIRST_ORGANIZATION, EVERYTHING).map((row) => ({
        ...webhookItem(context.ids, row),
        secret: row.secret,
      })),
    deleteWebhook: (id) => deleteWebhook(context.store, getWebhook(context, id).seq),
    webhookSecret: (id) => getWebhook(context, id).secret,
    rotateSecret(id) {
      const secret = `whsec_${context.randomHex(48)}`;
      updateWebhook(context.store, { ...getWebhook(context, id), secret });
      return secret;
    },
    resendDelivery(id) {
      const delivery = findDelivery(context.store, parseId(context, 'delivery', id));
      if (delivery === undefined) {
        throw new RangeError(`no delivery ${id}`);
      }
      const { webhook, event, event_type } = delivery;
      insertDelivery(context.store, { webhook, event, type: event_type }, context.clock.now());
      context.wake();
    },
  };
}
