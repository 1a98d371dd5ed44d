import { refuse } from './envelope.ts';
import type { Quirks } from './quirks.ts';
import type { Caller, Route } from './world.ts';

/** Throws 403 `insufficient_scope` where the key lacks what the route or tool asks for. */
export function assertScope(route: Asking, caller: Caller, quirks: Quirks): void {
  if (route.scope !== undefined && !caller.scopes.includes(route.scope)) {
    throw refuse(403, 'insufficient_scope', `This key lacks the scope ${route.scope}; create a new key with it.`);
  }
  const reads = route.scope !== undefined || route.method === undefined || route.method === 'GET';
  if (!reads && caller.scopes.length === 0 && quirks.base_grant === 'reads_only') {
    throw refuse(403, 'insufficient_scope', 'A key without scopes reads only; create a new key with one.');
  }
}

/** A route, or a tool, which has no method. */
type Asking = Partial<Pick<Route, 'scope' | 'method'>>;
