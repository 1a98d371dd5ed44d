import type { Clock } from '../../base/lib/clock.ts';
import type { JsonObject } from '../protocol/body.ts';
import { createRefusal, type RouteResponse } from '../protocol/envelope.ts';
import type { Store } from '../store/store.ts';
import type { Ids } from './formats.ts';
import type { Variants } from './variants.ts';

/** What the functions behind the routes use: the store, the time, the settings. */
export interface EmulatorContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly variants: Variants;
  readonly ids: Ids;
  readonly allowLoopbackWebhooks: boolean;
  /** Returns random hex digits in lower case, `length` of them. */
  randomHex(length: number): string;
  /** Wakes the background worker. To be called after storing work that is due at once, such as a webhook delivery. */
  wake(): void;
}

/** The sender of a request, found by its API key. `forbidden` is true if its organization may not use the API. */
export interface Caller {
  readonly organization: number;
  readonly key: number;
  readonly forbidden: boolean;
  readonly scopes: readonly string[];
}

/** One request, as the action of a route gets it. `params` are the decoded `{…}` parts of the path, in their order. */
export interface RouteCall {
  readonly context: EmulatorContext;
  readonly caller: Caller;
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** For a scripted fault: how many of the last rows of a batch the action counts as written, but does not write. */
  readonly dropRows: number;
}

/** An endpoint of the service: its method, path and required scope, and the function that responds. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, such as `/v1/audiences/{audience_id}`. A part in braces matches any text without a slash. */
  readonly path: string;
  readonly scope?: string;
  /** True only for POST /v1/emails. Besides the rate limit for all requests, this route has a second, lower one. */
  readonly transactional?: boolean;
  readonly action: (call: RouteCall) => RouteResponse;
}

/** Throws 403 `insufficient_scope` if the API key lacks the scope of the route or tool. */
export function assertScope({ scope }: Pick<Route, 'scope'>, { scopes }: Caller): void {
  if (scope !== undefined && !scopes.includes(scope)) {
    throw createRefusal(403, 'insufficient_scope', `This key lacks the scope ${scope}; create a new key with it.`);
  }
}
