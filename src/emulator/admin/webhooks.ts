import type { World } from '../context.ts';
import { webhookItem } from '../routes/shapes.ts';
import { FIRST_ORGANIZATION } from '../setup/bootstrap.ts';
import { findDelivery, insertDelivery } from '../store/deliveries.ts';
import { deleteWebhook, findWebhook, listWebhooks, updateWebhook, type WebhookRow } from '../store/webhooks.ts';
import { emit } from '../webhooks/emit.ts';
import { EVERYTHING, parseId } from './rows.ts';
import type { Admin } from './types.ts';

type WebhookAdmin = Pick<
  Admin,
  'emitEvent' | 'webhooks' | 'deleteWebhook' | 'webhookSecret' | 'rotateSecret' | 'resendDelivery'
>;

/** Webhooks, as the app shows and repairs them. */
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

function getWebhook(world: World, id: string): WebhookRow {
  const row = findWebhook(world.store, FIRST_ORGANIZATION, parseId(world, 'webhook', id));
  if (row === undefined) {
    throw new RangeError(`no webhook ${id}`);
  }
  return row;
}
