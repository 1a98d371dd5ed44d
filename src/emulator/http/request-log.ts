import type { RequestHead } from '../protocol/request-response.ts';

/**
 * A request that the emulator received. `at` is in milliseconds since the epoch. `status` is undefined if the
 * connection closed before the whole response was sent.
 */
export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly replayed: boolean;
  readonly requestId: string;
  /** The body as text. Undefined if the emulator records no bodies, or if it did not read the body. */
  readonly body: string | undefined;
}

type LoggedResult = Pick<LoggedRequest, 'at' | 'status' | 'replayed' | 'requestId'>;

/**
 * The latest requests, oldest first. The log has no header except the idempotency key, so only a recorded body can
 * contain an API key.
 */
export interface RequestLog {
  add(request: RequestHead & { readonly body: Buffer | undefined }, result: LoggedResult): void;
  all(): readonly LoggedRequest[];
  clear(): void;
}

const MAX_LOGGED = 10_000;

/** Makes an empty log. It keeps the last 10,000 requests, so that its memory does not grow without end. */
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
