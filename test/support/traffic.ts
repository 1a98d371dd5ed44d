import type { Transport, WireRequest, WireResponse } from '../../src/base/context.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON body of any shape, to be changed
type Json = any;

interface TrafficEdit {
  /** Matches method and path of the requests. */
  readonly of: RegExp;
  /** Changes the JSON body of a request. */
  readonly request?: (body: Json) => unknown;
  /** Changes the JSON body of a response, after the service acted. */
  readonly response?: (body: Json, request: WireRequest) => unknown;
  /** Called before the request is sent. */
  before?(request: WireRequest): unknown;
}

/** Options of a command whose requests and responses are changed on their way, as a faulty service would. */
export function withTraffic({ of, request: changeRequest, response: changeResponse, before }: TrafficEdit) {
  const send = async (inner: Transport, request: WireRequest, signal: AbortSignal): Promise<WireResponse> => {
    if (!of.test(`${request.method} ${decodeURIComponent(request.url.pathname)}`)) {
      return inner.send(request, signal);
    }
    await before?.(request);
    const body = changeRequest && request.body ? encoded(changeRequest(decoded(request.body))) : request.body;
    const response = await inner.send({ ...request, body } as WireRequest, signal);
    return changeResponse && response.body.length > 0
      ? { ...response, body: encoded(changeResponse(decoded(response.body), request)) }
      : response;
  };
  return {
    transport: (inner: Transport): Transport => ({
      close: () => inner.close(),
      send: (request, signal) => send(inner, request, signal),
    }),
  };
}

function decoded(body: Uint8Array): Json {
  return JSON.parse(Buffer.from(body).toString());
}

function encoded(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
