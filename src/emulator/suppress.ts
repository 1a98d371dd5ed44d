import { insertSuppressions } from './store/suppressions.ts';
import { emit } from './webhooks/emit.ts';
import type { World } from './world.ts';

// Three reasons have one word in requests and another in events; the rest is the same in both.
const WORDS = [
  { request: 'bounced', event: 'hard_bounce' },
  { request: 'complained', event: 'complaint' },
  { request: 'unsubscribed', event: 'unsubscribe' },
] as const;

/**
 * Puts canonical addresses on the account's list, telling receivers of each; those already on it stay as they are.
 * `reason` is a word of requests or of events; kept is the former.
 */
export function suppress(
  world: World,
  organization: number,
  what: { reason: string; emails: readonly string[] },
): void {
  const known = WORDS.find(({ request, event }) => request === what.reason || event === what.reason);
  const entry = { organization, reason: known?.request ?? what.reason, created_at: world.clock.now() };
  const reason = known?.event ?? what.reason;
  for (const email of insertSuppressions(world.store, entry, what.emails)) {
    emit(world, organization, { type: 'suppression.created', data: { object: 'suppression', email, reason } });
  }
}
