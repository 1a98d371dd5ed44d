import type { Clock } from '../base/lib/clock.ts';
import type { Ids } from './domain/formats.ts';
import type { RouteResponse } from './http/envelope.ts';
import type { Store } from './store/store.ts';
import type { Variants } from './variants.ts';

/** What the functions behind the routes use: the store, the time, the settings. */
export interface EmulatorContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly variants: Variants;
  readonly ids: Ids;
  readonly allowLoopbackWebhooks: boolean;
  /** Random lower-case hex, `length` characters long. */
  randomHex(length: number): string;
  /** Wakes the background worker. Call it after storing work that is due now, such as a webhook delivery. */
  wake(): void;
}

/** The sender of a request, known by its API key. `forbidden`: its organization may not use the API. */
export interface Caller {
  readonly organization: number;
  readonly key: number;
  readonly forbidden: boolean;
  readonly scopes: readonly string[];
}

/** A parsed JSON object whose fields are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** One request as a route's action gets it. `params` are the decoded `{…}` parts of the path, in order. */
export interface RouteCall {
  readonly context: EmulatorContext;
  readonly caller: Caller;
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  /** The number of rows of a batch that a scripted fault drops. The action counts these rows as written. */
  readonly dropRows: number;
}

/** An endpoint of the service: its method, path and required scope, and the function that responds. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, such as `/v1/audiences/{audience_id}`. A part in braces matches any text without a slash. */
  readonly path: string;
  readonly scope?: string;
  /**
   * True for POST /v1/emails only. This route has a second, lower rate limit. The limit for all requests applies too.
   */
  readonly transactional?: boolean;
  readonly action: (call: RouteCall) => RouteResponse;
}
