import type { WebhookEndpoint } from '../../wire/shapes.ts';
import type { EmulatorContext } from '../context/action-context.ts';
import { queueEvents } from '../domain/events.ts';
import { adminRow } from '../domain/owned-rows.ts';
import type { AccountChange, FaultRule, FaultScript } from '../faults/fault.ts';
import type { Faults } from '../faults/script.ts';
import type { LoggedRequest, RequestLog } from '../http/request-log.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { webhookItem } from '../routes/webhooks.ts';
import type { StoreIdentity } from '../setup/bootstrap.ts';
import type { ShiftedClock } from '../setup/shifted-clock.ts';
import { type AccountPlan, FIRST_ORGANIZATION, getOrganization } from '../store/organizations.ts';
import { ALL_ROWS, findRow, listPage, updateRow } from '../store/rows.ts';
import { countSuppressions } from '../store/suppressions.ts';
import { type DeliveryRow, deleteWebhook, insertDelivery, type WebhookRow } from '../store/webhooks.ts';
import type { Worker } from '../webhooks/worker.ts';
import { type AccountAdmin, createAccountAdmin } from './account.ts';
import { type AutomationAdmin, createAutomationAdmin } from './automations.ts';
import { type ContactAdmin, createContactAdmin } from './contacts.ts';

/**
 * The emulator's time (`now`, in milliseconds since the epoch), the plan of the first organization, and how many
 * objects of each kind that organization has. `requests` is the number of logged requests.
 */
export interface EmulatorState {
  readonly now: number;
  readonly store_id: string;
  readonly plan: AccountPlan;
  readonly audiences: number;
  readonly contacts: number;
  readonly suppressions: number;
  readonly automations: number;
  readonly enrollments: number;
  readonly webhooks: number;
  readonly requests: number;
}

/**
 * What users do in the web app, what other programs do in the account, and what tests read. These functions need no API
 * key, and no rate limit applies to them. An unknown id throws RangeError.
 */
export interface Admin extends AccountAdmin, ContactAdmin, AutomationAdmin, WebhookAdmin {
  state(): EmulatorState;
  faults(): readonly FaultRule[];
  addFault(rule: FaultRule): void;
  /** Adds all rules of a script. Adds none if one of them is invalid. */
  addFaults(script: FaultScript): void;
  clearFaults(): void;
  /** Counts this many requests against the rate limit, as if other programs had sent them. Stops at the limit. */
  consumeQuota(count: number): void;
  /** The latest requests, oldest first. */
  requests(): readonly LoggedRequest[];
  clearRequests(): void;
  /**
   * Moves the emulator's clock forward; a negative `ms` moves it back. On the way it stops at each time at which work
   * is due, for example at each of the seven attempts of a delivery, and waits until this work is done. If no work is
   * due, the clock moves at once.
   */
  advance(ms: number): Promise<void>;
  /**
   * Plays the scripted fault `change`. If it has `revoke_key`, it revokes the API key in `authorization`, the header of
   * the request.
   */
  change(change: AccountChange, authorization?: string): void;
}

/** The parts of the emulator that the admin functions read and change. */
export interface AdminParts {
  readonly context: EmulatorContext;
  readonly faults: Faults;
  readonly rateLimiter: RateLimiter;
  readonly log: RequestLog;
  readonly clock: ShiftedClock;
  readonly identity: StoreIdentity;
  readonly worker: Worker;
}

/** Makes the admin functions of one emulator. */
export function createAdmin(parts: AdminParts): Admin {
  const { context, faults, rateLimiter, log, clock } = parts;
  const account = createAccountAdmin(context);
  const automations = createAutomationAdmin(parts);
  return {
    ...account,
    ...createContactAdmin(parts),
    ...automations,
    ...createWebhookAdmin(context),
    state: () => readState(parts),
    faults: () => faults.rules(),
    addFault: (rule) => faults.add(rule),
    addFaults: (script) => faults.addScript(script),
    clearFaults: () => faults.clear(),
    consumeQuota: (count) => rateLimiter.consumeQuota(FIRST_ORGANIZATION, count, clock.now()),
    requests: () => log.all(),
    clearRequests: () => log.clear(),
    advance: (ms) => advance(parts, ms),
    change({ plan, revoke_key, automation }, authorization) {
      if (plan !== undefined) {
        account.setPlan(plan);
      }
      if (revoke_key === true && authorization !== undefined) {
        account.revokeKey(authorization.replace(/^Bearer +/i, ''));
      }
      if (automation !== undefined) {
        automations.setAutomationStatus(automation.id, automation.status);
      }
    },
  };
}

async function advance({ clock, worker }: AdminParts, ms: number): Promise<void> {
  const end = clock.now() + ms;
  for (let due = worker.nextDue(); due !== undefined && due <= end; due = worker.nextDue()) {
    clock.advance(Math.max(0, due - clock.now()));
    await worker.caughtUp();
  }
  // The clock runs meanwhile, so it may be past `end` already. Then it stays as it is. A negative `ms` moves it back.
  clock.advance(ms < 0 ? ms : Math.max(0, end - clock.now()));
  worker.wake();
}

function readState({ context, identity, log }: AdminParts): EmulatorState {
  const count = (sql: string) => context.store.get<{ count: number }>(sql, FIRST_ORGANIZATION)?.count ?? 0;
  return {
    now: context.clock.now(),
    store_id: identity.storeId,
    plan: getOrganization(context.store, FIRST_ORGANIZATION).plan,
    audiences: count('select count(*) as count from audiences where organization = ?'),
    contacts: count('select coalesce(sum(total), 0) as count from audiences where organization = ?'),
    suppressions: countSuppressions(context.store, FIRST_ORGANIZATION),
    automations: count('select count(*) as count from automations where organization = ?'),
    enrollments: count(
      'select count(*) as count from enrollments join automations on automations.seq = automation where organization = ?',
    ),
    webhooks: count('select count(*) as count from webhooks where organization = ?'),
    requests: log.all().length,
  };
}

/** Manages webhook endpoints and deliveries, as users do it in the web app. */
export interface WebhookAdmin {
  /** Sends an event of any type to each endpoint that subscribes to it. */
  emitEvent(type: string, data: object): void;
  /** The endpoints with their signing secrets, newest first. */
  webhooks(): Required<WebhookEndpoint>[];
  deleteWebhook(webhookId: string): void;
  /** The signing secret of an endpoint. The API shows it only in the response to the creation. */
  webhookSecret(webhookId: string): string;
  /** Gives an endpoint a new signing secret, and returns it. */
  rotateSecret(webhookId: string): string;
  /** Sends the payload of a delivery again as a new delivery, with the same event id. */
  resendDelivery(deliveryId: string): void;
}

function createWebhookAdmin(context: EmulatorContext): WebhookAdmin {
  const { store } = context;
  const webhookOf = (id: string) => adminRow<WebhookRow>(context, 'webhook', id);
  return {
    emitEvent: (type, data) => queueEvents(context, FIRST_ORGANIZATION, { type, data: [data] }),
    webhooks: () =>
      listPage<WebhookRow>(store, 'webhooks', { organization: FIRST_ORGANIZATION }, ALL_ROWS).map((row) => ({
        ...webhookItem(context.ids, row),
        secret: row.secret,
      })),
    deleteWebhook: (id) => deleteWebhook(store, webhookOf(id).seq),
    webhookSecret: (id) => webhookOf(id).secret,
    rotateSecret(id) {
      const secret = `whsec_${context.randomHex(48)}`;
      updateRow<WebhookRow>(store, 'webhooks', webhookOf(id).seq, { secret });
      return secret;
    },
    resendDelivery(id) {
      const delivery = findRow<DeliveryRow>(store, 'deliveries', { seq: context.ids.parse('delivery', id) ?? 0 });
      if (delivery === undefined) {
        throw new RangeError(`no delivery ${id}`);
      }
      const { webhook, event, event_type } = delivery;
      insertDelivery(store, { webhook, event, event_type }, context.clock.now());
      context.wake();
    },
  };
}
