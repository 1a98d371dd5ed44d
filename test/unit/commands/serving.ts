import type { RunOptions, World } from '../../support/world.ts';

/**
 * Starts a server, runs `work` with the line that says where the server listens, and stops the server. Returns the
 * result of `work` and what the server wrote.
 */
export async function whileServing<T>(
  world: World,
  line: string,
  work: (started: string) => Promise<T>,
  options: RunOptions = {},
): Promise<{ readonly result: T; readonly ended: Awaited<ReturnType<World['svc']>> }> {
  const stop = new AbortController();
  const started = Promise.withResolvers<string>();
  const onWriteToStderr = (part: string) => part.startsWith('Listening on') && started.resolve(part);
  const running = world.svc(line, { ...options, signal: stop.signal, onWrite: started.resolve, onWriteToStderr });
  running.then(({ err }) => started.reject(new Error(`not started: ${err}`)), started.reject);
  try {
    const result = await work(await started.promise);
    stop.abort(new Error('enough'));
    return { result, ended: await running };
  } finally {
    stop.abort(new Error('enough'));
    await running;
  }
}
