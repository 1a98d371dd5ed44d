import type { Context, Route } from '../action-context.ts';
import type { AccountChange, Fault } from '../faults/fault.ts';
import type { FaultEffects } from '../faults/play-faults.ts';
import type { Faults } from '../faults/script.ts';
import type { Claims } from '../limits/idempotency.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { McpCaller } from '../mcp/tool.ts';
import type { RequestLog } from './request-log.ts';
import type { ArrivingRequest, ServiceRequest, ServiceResponse } from './request-response.ts';
import type { Match } from './router.ts';

/** Everything that handling a request needs. */
export interface Pipeline {
  readonly context: Context;
  readonly claims: Claims;
  readonly rateLimiter: RateLimiter;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly match: (method: string, path: string) => Match<Route> | undefined;
  /** Responds under `/_emulator/`, after the checks of host and key. */
  admin(request: ServiceRequest): ServiceResponse;
  /** Responds at `/mcp`, after the checks of host, key and rate. */
  mcp(request: ServiceRequest, by: McpCaller): Promise<ServiceResponse>;
  change(change: AccountChange, authorization: string | undefined): void;
  sleep(ms: number): Promise<void>;
}

/** One request while it is handled. */
export interface RequestState {
  readonly request: ArrivingRequest;
  /** Undefined until it is read. */
  body: Buffer | undefined;
  readonly requestId: string;
  readonly faults: readonly Fault[];
  readonly effects: FaultEffects;
  /** The organization of the rate in the headers. The first one until the key is known. */
  organization: number;
}
