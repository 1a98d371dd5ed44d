import type { EmulatorContext, Route } from '../context/action-context.ts';
import type { AccountChange, ScriptedFault } from '../faults/fault.ts';
import type { FaultEffects } from '../faults/play-faults.ts';
import type { Faults } from '../faults/script.ts';
import type { Claims } from '../limits/idempotency.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { McpCaller } from '../mcp/tool.ts';
import type { ArrivingRequest, ServiceRequest, ServiceResponse } from '../protocol/request-response.ts';
import type { RequestLog } from './request-log.ts';
import type { RouteMatch } from './router.ts';

/** The parts of the emulator that handle each request. */
export interface Pipeline {
  readonly context: EmulatorContext;
  readonly claims: Claims;
  readonly rateLimiter: RateLimiter;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly findRoute: (method: string, path: string) => RouteMatch<Route> | undefined;
  /** Responds to a request under `/_emulator/`. The caller must have checked host and API key. */
  admin(request: ServiceRequest): Promise<ServiceResponse>;
  /** Responds to a request at `/mcp`. The caller must have checked host, API key and rate limit. */
  mcp(request: ServiceRequest, caller: McpCaller): Promise<ServiceResponse>;
  /** Plays the scripted fault `change`. `authorization` is the header with the API key that the fault may revoke. */
  changeAccount(change: AccountChange, authorization: string | undefined): void;
  sleep(ms: number): Promise<void>;
}

/** A request while the emulator handles it. */
export interface HandledRequest {
  readonly request: ArrivingRequest;
  /** The body. Undefined until it is read. */
  body: Buffer | undefined;
  readonly requestId: string;
  readonly faults: readonly ScriptedFault[];
  readonly effects: FaultEffects;
  /**
   * The organization whose rate limit the response headers show. Until the API key is known, it is the first
   * organization.
   */
  organization: number;
}
