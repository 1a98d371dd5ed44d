import type { RunOptions } from './world.ts';

/** Options for a run: `act` is called after the response of the `nth` POST request. It may stop the run there. */
export function afterPost(nth: number, act: (stopper: AbortController) => void): RunOptions {
  const stopper = new AbortController();
  let posts = 0;
  return {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        if (request.method === 'POST') {
          posts += 1;
          if (posts === nth) {
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
