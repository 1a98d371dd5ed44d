/** One attempt of one HTTP request. `url` is absolute; `body` are the exact bytes. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** An answer with its whole body. Header names are lower-case; a header that came twice is joined with ", ". */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * The seam to the network: sends one attempt and follows no redirect. Rejects when no whole answer arrived; once the
 * signal aborts the socket is really closed (rule I5).
 */
export interface Transport {
  send(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  close(): Promise<void>;
}
