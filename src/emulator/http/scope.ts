import type { Caller, Route } from '../context.ts';
import { refuse } from './envelope.ts';

/** Throws 403 `insufficient_scope` where the key lacks what the route or tool asks for. */
export function assertScope({ scope }: Pick<Route, 'scope'>, { scopes }: Caller): void {
  if (scope !== undefined && !scopes.includes(scope)) {
    throw refuse(403, 'insufficient_scope', `This key lacks the scope ${scope}; create a new key with it.`);
  }
}
