import { LIMITS } from '../../wire/limits.ts';
import type { World } from '../context.ts';
import { refuse } from '../http/envelope.ts';
import { countContacts } from '../store/audiences.ts';
import { getOrganization } from '../store/organizations.ts';

/** Throws 403 `plan_limit_reached`, with the headroom in its message, when a write would pass the free plan's cap. */
export function assertHeadroom(world: World, organization: number, added: number): void {
  if (added === 0 || getOrganization(world.store, organization).plan === 'paid') {
    return;
  }
  const which = world.quirks.cap_counts === 'subscribed' ? 'subscribed' : 'total';
  const headroom = Math.max(0, LIMITS.freePlanSubscribers - countContacts(world.store, organization, which));
  if (added > headroom) {
    const message = `The free plan holds ${LIMITS.freePlanSubscribers} subscribers: room for ${headroom} more, ${added} asked for.`;
    throw refuse(403, 'plan_limit_reached', message);
  }
}
