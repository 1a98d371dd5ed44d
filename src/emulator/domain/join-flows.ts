import type { World } from '../context.ts';
import { listJoinFlows } from '../store/automations.ts';
import { insertEnrollments } from '../store/enrollments.ts';

/** Fires the `audience_join` flows of an audience at people who joined it as subscribed; a paused flow keeps them waiting. */
export function fireJoinFlows(world: World, audience: number, emails: readonly string[]): void {
  if (emails.length === 0) {
    return;
  }
  for (const flow of listJoinFlows(world.store, audience)) {
    const state = flow.status === 'paused' ? 'waiting' : 'running';
    const entry = { automation: flow.seq, state, source: 'join', created_at: world.clock.now() };
    insertEnrollments(world.store, entry, emails);
  }
}
