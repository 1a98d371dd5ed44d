import type { RequestHead } from './request-response.ts';

/**
 * A request that the emulator received. `status` is undefined if the connection closed without a whole response. `at`
 * is in milliseconds since the epoch.
 */
export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly replayed: boolean;
  readonly requestId: string;
  /** The body as text. Undefined if the emulator does not record bodies, or the body was never read. */
  readonly body: string | undefined;
}

type LoggedResult = Pick<LoggedRequest, 'at' | 'status' | 'replayed' | 'requestId'>;

/**
 * The latest requests, oldest first. It stores no header except the idempotency key, so an API key can only be in a
 * recorded body.
 */
export interface RequestLog {
  add(request: RequestHead & { readonly body: Buffer | undefined }, result: LoggedResult): void;
  all(): readonly LoggedRequest[];
  clear(): void;
}

const MAX_LOGGED = 10_000;

/** An empty log. It keeps the last 10,000 requests, so that its memory is bounded. */
export function createRequestLog(shouldRecordBodies: boolean): RequestLog {
  let entries: LoggedRequest[] = [];
  return {
    add(request, result) {
      const { method, path } = request;
      const body = shouldRecordBodies ? request.body?.toString() : undefined;
      entries.push({ method, path, idempotencyKey: request.headers['idempotency-key'], body, ...result });
      if (entries.length >= 2 * MAX_LOGGED) {
        entries = entries.slice(-MAX_LOGGED);
      }
    },
    all: () => entries.slice(-MAX_LOGGED),
    clear() {
      entries = [];
    },
  };
}
