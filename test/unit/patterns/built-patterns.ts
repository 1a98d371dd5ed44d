import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread that loads modules, and sends back the regular expressions that they build. A thread of its own, because
 * other tests of the process may have loaded the modules already. Then they would build nothing.
 */
const found: { readonly source: string; readonly flags: string; readonly file: string }[] = [];
let file = '';
globalThis.RegExp = new Proxy(globalThis.RegExp, {
  construct(target, values) {
    const built: RegExp = Reflect.construct(target, values);
    found.push({ source: built.source, flags: built.flags, file });
    return built;
  },
});
for (file of workerData as readonly string[]) {
  await import(file);
}
parentPort?.postMessage(found);
