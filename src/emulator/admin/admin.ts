import type { World } from '../context.ts';
import type { Faults } from '../faults/faults.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { RateLimits } from '../limits/rate-limiter.ts';
import { FIRST_ORGANIZATION, type Identity } from '../setup/bootstrap.ts';
import type { ShiftedClock } from '../setup/shifted-clock.ts';
import { getOrganization } from '../store/organizations.ts';
import { createAccountAdmin } from './account.ts';
import { createAutomationAdmin } from './automations.ts';
import { createContactAdmin } from './contacts.ts';
import type { Admin, EmulatorState } from './types.ts';
import { createWebhookAdmin } from './webhooks.ts';

/** What the admin functions stand on. */
export interface AdminParts {
  readonly world: World;
  readonly faults: Faults;
  readonly rates: RateLimits;
  readonly log: RequestLog;
  readonly clock: ShiftedClock;
  readonly identity: Identity;
}

/** The admin functions over one emulator. */
export function createAdmin(parts: AdminParts): Admin {
  const { world, faults, rates, log, clock } = parts;
  const account = createAccountAdmin(parts);
  const automations = createAutomationAdmin(parts);
  return {
    ...account,
    ...createContactAdmin(parts),
    ...automations,
    ...createWebhookAdmin(parts),
    state: () => readState(parts),
    faults: () => faults.rules(),
    addFault: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    stealRequests: (count) => rates.steal(FIRST_ORGANIZATION, count, clock.now()),
    requests: () => log.all(),
    clearRequests: () => log.clear(),
    advance(ms) {
      clock.advance(ms);
      world.wake();
    },
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

function readState({ world, identity, log }: AdminParts): EmulatorState {
  const count = (sql: string) => world.store.get<{ count: number }>(sql, FIRST_ORGANIZATION)?.count ?? 0;
  return {
    now: world.clock.now(),
    store_id: identity.storeId,
    plan: getOrganization(world.store, FIRST_ORGANIZATION).plan,
    audiences: count('select count(*) as count from audiences where organization = ?'),
    contacts: count('select coalesce(sum(total), 0) as count from audiences where organization = ?'),
    suppressions: count('select count(*) as count from suppressions where organization = ?'),
    automations: count('select count(*) as count from automations where organization = ?'),
    enrollments: count(
      'select count(*) as count from enrollments join automations on automations.seq = automation where organization = ?',
    ),
    webhooks: count('select count(*) as count from webhooks where organization = ?'),
    requests: log.all().length,
  };
}
