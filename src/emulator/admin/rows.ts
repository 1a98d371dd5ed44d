import type { Context } from '../context.ts';
import type { IdKind } from '../domain/formats.ts';
import { FIRST_ORGANIZATION } from '../setup/bootstrap.ts';
import { type AutomationRow, findAutomation } from '../store/automations.ts';
import { findWebhook, type WebhookRow } from '../store/webhooks.ts';

/** A page that holds all rows. */
export const EVERYTHING = { limit: 10_000_000, before: Number.MAX_SAFE_INTEGER };

/** The row number of an id that must exist in this store. */
export function parseId(context: Context, kind: IdKind, id: string): number {
  const seq = context.ids.parse(kind, id);
  if (seq === undefined) {
    throw new RangeError(`no ${kind} ${id}`);
  }
  return seq;
}

/** An automation of the first organization, which must exist. */
export function getAutomation(context: Context, id: string): AutomationRow {
  const row = findAutomation(context.store, FIRST_ORGANIZATION, parseId(context, 'automation', id));
  if (row === undefined) {
    throw new RangeError(`no automation ${id}`);
  }
  return row;
}

/** An endpoint of the first organization, which must exist. */
export function getWebhook(context: Context, id: string): WebhookRow {
  const row = findWebhook(context.store, FIRST_ORGANIZATION, parseId(context, 'webhook', id));
  if (row === undefined) {
    throw new RangeError(`no webhook ${id}`);
  }
  return row;
}
