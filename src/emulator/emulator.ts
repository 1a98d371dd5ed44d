import type { Transport } from '../base/context.ts';
import type { Clock } from '../base/lib/clock.ts';
import { LIMITS } from '../wire/limits.ts';
import { type Admin, createAdmin } from './admin/admin.ts';
import { handleAdmin } from './admin/routes.ts';
import { applySeed, type SeedFile } from './admin/seed.ts';
import type { EmulatorContext } from './context/action-context.ts';
import { createIds } from './context/formats.ts';
import { chooseVariants } from './context/variants.ts';
import type { FaultScript } from './faults/fault.ts';
import { createFaults } from './faults/script.ts';
import { handleRequest, refuseUnreadable } from './http/handle-request.ts';
import type { Pipeline } from './http/handled-request.ts';
import { createRequestLog } from './http/request-log.ts';
import { createRouter } from './http/router.ts';
import { type ListeningServer, listenOnPort } from './http/server.ts';
import { createInProcessTransport } from './in-process-transport.ts';
import { createClaims } from './limits/idempotency.ts';
import { createRateLimiter } from './limits/rate-limiter.ts';
import { createMcp } from './mcp/mcp.ts';
import type { ArrivingRequest, ServiceResponse } from './protocol/request-response.ts';
import { ROUTES } from './routes/table.ts';
import { openFirstAccount, type StoreIdentity } from './setup/bootstrap.ts';
import { openKeptClock } from './setup/kept-clock.ts';
import type { AutomationRow } from './store/automations.ts';
import { type AccountPlan, FIRST_ORGANIZATION } from './store/organizations.ts';
import { findRow } from './store/rows.ts';
import { openStore, type Store } from './store/store.ts';
import type { WebhookSender } from './webhooks/send.ts';
import { createWorker, type Worker } from './webhooks/worker.ts';

/** Options of the emulated service. `clock` and `randomHex` are required. */
export interface EmulatorOptions {
  readonly clock: Clock;
  /**
   * Measures and limits webhook attempts. By default `clock`. If `clock` runs faster than the real time, this must be
   * the real clock, because a receiver takes real time.
   */
  readonly networkClock?: Clock | undefined;
  /** Returns random hex digits in lower case, `length` of them. */
  randomHex(length: number): string;
  /** The folder of the SQLite store. Without a folder, the store is temporary. */
  readonly dataDir?: string | undefined;
  /** The plan of a new store, by default `paid`. A seed may set another plan. An existing store keeps its plan. */
  readonly plan?: AccountPlan | undefined;
  /** True if `plan` replaces the plan of the seed. */
  readonly isPlanFixed?: boolean | undefined;
  /** How many requests an organization may send in a minute. 0 means that there is no limit. */
  readonly rateLimit?: number | undefined;
  /** The reading for each open point of the service document, by the name of the variant. */
  readonly variants?: Readonly<Record<string, string>> | undefined;
  readonly faults?: FaultScript | undefined;
  /** The first contents of a new store. Ignored if the store exists already. */
  readonly seed?: SeedFile | undefined;
  /** True to accept webhook endpoints on this machine, which the service itself refuses. */
  readonly allowLoopbackWebhooks?: boolean | undefined;
  /** True if the request log keeps the bodies of requests. */
  readonly recordBodies?: boolean | undefined;
  /** Sends webhook deliveries. By default they go over the network. */
  readonly sendWebhook?: WebhookSender | undefined;
}

/** A running emulator: one store, with HTTP, requests inside the process, and the admin functions. */
export interface Emulator {
  /** The id of the store. It stays the same after a restart with the same data folder. */
  readonly storeId: string;
  /** An API key with all scopes. It stays the same after a restart with the same data folder. */
  readonly apiKey: string;
  readonly audienceId: string;
  /** True if the data folder had a store already. That store keeps its plan and contents. */
  readonly isExistingStore: boolean;
  /** What users do in the web app of the service, as functions. */
  readonly admin: Admin;
  /** Responds to a request without a socket. Rejects with ConnectionEnded if a scripted fault closes the connection. */
  handle(request: ArrivingRequest): Promise<ServiceResponse>;
  /** A transport for a client that calls `handle` and uses no network. Ignores the origin of the URL. */
  transport(): Transport;
  /** Serves HTTP on 127.0.0.1. For port 0 the system chooses a free port. */
  listen(port: number): Promise<ListeningServer>;
  close(): Promise<void>;
}

/**
 * Starts the emulated service. Its clock is `options.clock`, moved by as much as the store says (see `openKeptClock`).
 * Throws SvcError for an invalid data folder, seed, variant or fault.
 */
export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  const store = openStore(options.dataDir);
  const closing = new AbortController();
  // The store is opened and filled in one transaction, so an invalid seed leaves nothing in it.
  const { identity, context, worker, pipeline, admin } = openOrClose(store, options, closing.signal);
  worker.wake();
  const servers = new Set<ListeningServer>();
  const handle = (request: ArrivingRequest) => handleRequest(pipeline, request);
  return {
    storeId: identity.storeId,
    apiKey: identity.apiKey,
    audienceId: context.ids.make('audience', identity.audience),
    isExistingStore: !identity.isFresh,
    admin,
    handle,
    transport: () => createInProcessTransport(handle),
    async listen(port) {
      const refuse = (status: number) => refuseUnreadable(pipeline, status);
      const listening = await listenOnPort({ handle, refuseUnreadable: refuse }, port);
      servers.add(listening);
      return listening;
    },
    async close() {
      closing.abort(new Error('the emulator was closed'));
      await Promise.all([...servers].map((server) => server.close()));
      await worker.stopped();
      store.close();
    },
  };
}

interface EmulatorParts {
  readonly identity: StoreIdentity;
  readonly context: EmulatorContext;
  readonly worker: Worker;
  readonly pipeline: Pipeline;
  readonly admin: Admin;
}

function openOrClose(store: Store, options: EmulatorOptions, closing: AbortSignal): EmulatorParts {
  try {
    return store.transaction(() => open(store, options, closing));
  } catch (error) {
    store.close();
    throw error;
  }
}

function open(store: Store, options: EmulatorOptions, closing: AbortSignal): EmulatorParts {
  const clock = openKeptClock(store, options.clock);
  // The default replaces only a missing script, so a fault file that contains `null` is still refused.
  const { plan, randomHex, faults: faultScript = [] } = options;
  const identity = openFirstAccount(store, { plan, now: clock.now(), randomHex });
  const worker = createWorker(() => context, {
    signal: closing,
    send: options.sendWebhook,
    networkClock: options.networkClock ?? options.clock,
  });
  const context: EmulatorContext = {
    store,
    clock,
    randomHex,
    ids: createIds(identity.storeId.slice(0, 8)),
    variants: chooseVariants(options.variants),
    allowLoopbackWebhooks: options.allowLoopbackWebhooks ?? false,
    wake: worker.wake,
  };
  const hasAutomation = (id: string) => {
    const seq = context.ids.parse('automation', id) ?? 0;
    return findRow<AutomationRow>(store, 'automations', { seq, organization: FIRST_ORGANIZATION }) !== undefined;
  };
  const faults = createFaults(faultScript, clock.now, hasAutomation);
  const rateLimiter = createRateLimiter(options.rateLimit ?? LIMITS.requestsPerMinute, context.variants);
  const log = createRequestLog(options.recordBodies ?? false);
  const admin = createAdmin({ context, faults, rateLimiter, log, clock, identity, worker });
  const pipeline: Pipeline = {
    context,
    faults,
    rateLimiter,
    log,
    claims: createClaims(store, clock.now),
    findRoute: createRouter(ROUTES),
    admin: (request) => handleAdmin(admin, request),
    mcp: createMcp(context),
    changeAccount: (change, authorization) => admin.change(change, authorization),
    sleep: (ms) => clock.sleep(ms, closing),
  };
  if (identity.isFresh && options.seed !== undefined) {
    applySeed(admin, options.seed, { variants: context.variants, plan: options.isPlanFixed ? plan : undefined });
  }
  return { identity, context, worker, pipeline, admin };
}
