import type { WireRequest } from '../../src/base/context.ts';
import type { RunOptions } from './world.ts';

/** How the request ends at which a run is stopped. */
type RequestEnd = 'never arrives' | 'no route' | 'response lost';

/** Options for a run that is stopped at the first request that `isMeant` accepts. */
export function stoppedAt(end: RequestEnd, isMeant: (request: WireRequest) => boolean = isPost): RunOptions {
  const stopper = new AbortController();
  return {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        if (!isMeant(request)) {
          return inner.send(request, signal);
        }
        if (end === 'response lost') {
          await inner.send(request, signal);
        }
        stopper.abort();
        throw Object.assign(new Error(end), { code: end === 'no route' ? 'ECONNREFUSED' : 'ECONNRESET' });
      },
    }),
  };
}

function isPost({ method }: WireRequest): boolean {
  return method === 'POST';
}
