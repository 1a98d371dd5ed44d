import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread that loads modules, and sends back the regular expressions that they build. A thread of its own, because
 * other tests of the process may have loaded the modules already. Then they would build nothing.
 */
const found: { readonly source: string; readonly flags: string; readonly file: string }[] = [];
let importing = '';

/** The module that builds a pattern now. Another one may have imported it. `word-patterns.ts` builds for others. */
function builder(): string {
  const paths = new Error('where').stack?.matchAll(/file:\/\/(\S+?\.ts):\d/g) ?? [];
  const [path = importing] = [...paths]
    .map(([, one]) => one)
    .filter((one) => /\/src\/(?!.*word-patterns)/.test(one ?? ''));
  return path;
}

// A deep call has its module far up.
Error.stackTraceLimit = 50;
globalThis.RegExp = new Proxy(globalThis.RegExp, {
  construct(target, values) {
    const built: RegExp = Reflect.construct(target, values);
    found.push({ source: built.source, flags: built.flags, file: builder() });
    return built;
  },
});
for (importing of workerData as readonly string[]) {
  await import(importing);
}
parentPort?.postMessage(found);
