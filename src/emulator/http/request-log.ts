import type { RequestHead } from './request-response.ts';

/** One request as the emulator saw it. `status` is undefined if the connection ended without a whole response. */
export interface LoggedRequest {
  readonly at: number;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly status: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly replayed: boolean;
  readonly requestId: string;
  /** The text of the body, if the emulator records bodies and it was read. */
  readonly body: string | undefined;
}

type LoggedResult = Pick<LoggedRequest, 'at' | 'status' | 'replayed' | 'requestId'>;

/** The last requests, oldest first. Never holds a key. */
export interface RequestLog {
  add(request: RequestHead & { readonly body: Buffer | undefined }, result: LoggedResult): void;
  all(): readonly LoggedRequest[];
  clear(): void;
}

const MAX_LOGGED = 10_000;

/** An empty log that keeps the last 10,000 requests, so that memory doesn't grow with a run. */
export function createRequestLog(recordBodies: boolean): RequestLog {
  let entries: LoggedRequest[] = [];
  return {
    add(request, result) {
      const { method, path } = request;
      const body = recordBodies ? request.body?.toString() : undefined;
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
