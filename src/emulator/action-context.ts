import type { Clock } from '../base/lib/clock.ts';
import type { Ids } from './domain/formats.ts';
import type { RouteResponse } from './http/envelope.ts';
import type { Store } from './store/store.ts';
import type { Variants } from './variants.ts';

/** Everything that an action can use. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly variants: Variants;
  readonly ids: Ids;
  readonly allowLoopbackWebhooks: boolean;
  /** Random lower-case hex, `length` characters long. */
  randomHex(length: number): string;
  /** Wakes the background worker because something became due. */
  wake(): void;
}

/** The caller: its organization, a flag if that organization may not call, and the scopes of its key. */
export interface Caller {
  readonly organization: number;
  readonly key: number;
  readonly forbidden: boolean;
  readonly scopes: readonly string[];
}

/** A parsed JSON object whose fields are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** One call of one route. `params` are the decoded `{…}` parts of the path in order. */
export interface Call {
  readonly context: Context;
  readonly caller: Caller;
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** Rows of a batch that a scripted fault drops although the response counts them. */
  readonly dropRows: number;
}

/** One row of the route table. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/v1/audiences/{audience_id}`: parts in braces match any one segment. */
  readonly path: string;
  readonly scope?: string;
  /** True for POST /v1/emails only. It has a rate limit of its own, within the limit of all requests. */
  readonly transactional?: boolean;
  readonly action: (call: Call) => RouteResponse;
}
