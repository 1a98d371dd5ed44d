import type { Identity } from '../bootstrap.ts';
import type { Faults } from '../faults.ts';
import type { RateLimits } from '../rate-limits.ts';
import type { RequestLog } from '../request-log.ts';
import type { ShiftedClock } from '../shifted-clock.ts';
import type { World } from '../world.ts';
import { createAccountAdmin } from './account.ts';
import { createAutomationAdmin } from './automations.ts';
import { createContactAdmin } from './contacts.ts';
import type { Admin } from './types.ts';
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
    addFault: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    stealRequests: (count) => rates.steal(1, count, clock.now()),
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
