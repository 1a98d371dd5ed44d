import { refuse } from './envelope.ts';
import type { Caller, Route } from './world.ts';

/** Throws 403 `insufficient_scope` where the key lacks what the route or tool asks for. */
export function assertScope(route: Pick<Route, 'scope'>, caller: Caller): void {
  if (route.scope !== undefined && !caller.scopes.includes(route.scope)) {
    throw refuse(403, 'insufficient_scope', `This key lacks the scope ${route.scope}; create a new key with it.`);
  }
}
