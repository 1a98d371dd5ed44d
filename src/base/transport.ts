/** One attempt of one HTTP request. `url` is absolute, and `body` holds the exact bytes. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** A response with its whole body. Header names are lower-case. Repeated headers are joined with ", ". */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The access to the network. Sends one attempt and follows no redirect. Rejects if no complete response arrived. An
 * abort of the signal closes the socket (rule I5).
 */
export interface Transport {
  send(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  close(): Promise<void>;
}
