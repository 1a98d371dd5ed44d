import type { Transport, WireRequest } from '../base/context.ts';
import { ConnectionEnded, type ServiceRequest, type ServiceResponse } from './protocol/request-response.ts';

/**
 * A client transport that calls the emulator without a socket. If a scripted fault closes the connection, `send`
 * rejects with the error that a socket would have.
 */
export function createInProcessTransport(handle: (request: ServiceRequest) => Promise<ServiceResponse>): Transport {
  return {
    send(request, signal) {
      if (signal.aborted) {
        return Promise.reject(signal.reason);
      }
      return untilAborted(handle(toServiceRequest(request)).catch(asNetworkError), signal);
    },
    close: () => Promise.resolve(),
  };
}

function toServiceRequest({ method, url, headers, body }: WireRequest): ServiceRequest {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { method, path: url.pathname + url.search, headers: Object.fromEntries(lower), body: body ?? Buffer.alloc(0) };
}

function asNetworkError(error: unknown): never {
  if (error instanceof ConnectionEnded) {
    throw Object.assign(new Error(error.message), {
      code: error.connectionEnd.kind === 'reset' ? 'ECONNRESET' : 'UND_ERR_SOCKET',
    });
  }
  throw error;
}

// The emulator finishes a request even if the client hangs up, as the real service does.
function untilAborted(response: Promise<ServiceResponse>, signal: AbortSignal): Promise<ServiceResponse> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    response.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
