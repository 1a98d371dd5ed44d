import { insertSuppressions } from './store/suppressions.ts';
import type { World } from './world.ts';

/** Puts canonical addresses on the account's list; those already on it stay as they are. */
export function suppress(
  world: World,
  organization: number,
  what: { reason: string; emails: readonly string[] },
): void {
  const entry = { organization, reason: what.reason, created_at: world.clock.now() };
  insertSuppressions(world.store, entry, what.emails);
}
