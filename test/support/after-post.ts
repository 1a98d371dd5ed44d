import type { WireRequest } from '../../src/base/context.ts';
import type { RunOptions } from './world.ts';

/** Options for a run: `act` is called after the response of the `nth` POST request. It may stop the run there. */
export function afterPost(nth: number, act: (stopper: AbortController) => void): RunOptions {
  return afterResponse(nth, ({ method }) => method === 'POST', act);
}

/** Options for a run: `act` is called after the response of the `nth` request that `isMeant` accepts. */
export function afterResponse(
  nth: number,
  isMeant: (request: WireRequest) => boolean,
  act: (stopper: AbortController) => void,
): RunOptions {
  const stopper = new AbortController();
  let responses = 0;
  return {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        if (isMeant(request)) {
          responses += 1;
          if (responses === nth) {
            act(stopper);
          }
        }
        return response;
      },
    }),
  };
}

/** Options for a run that stops after the response of the `nth` POST request, before anything is read back. */
export function stoppedAfterPost(nth: number, reason?: unknown): RunOptions {
  return afterPost(nth, (stopper) => stopper.abort(reason));
}
