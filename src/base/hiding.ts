import type { Context, OutputStream, ProcessContext } from './context.ts';
import { createScrub, type Scrub } from './lib/scrub.ts';

/** A context whose standard output and error replace every secret that was hidden before the write (K8). */
export function withHiding(processContext: ProcessContext): Context {
  const scrubs = new Map<string, Scrub>();
  const scrub: Scrub = (text) => [...scrubs.values()].reduce((clean, one) => one(clean), text);
  const hide = (secret: string, mark?: string) => {
    scrubs.set(secret, createScrub(secret, mark));
  };
  // Getters are copied as getters: their values are costly, and most commands need none.
  return Object.defineProperties({} as Context, {
    ...Object.getOwnPropertyDescriptors(processContext),
    stdout: {
      value: withWrite(processContext.stdout, (text) => processContext.stdout.write(scrub(text))),
      enumerable: true,
    },
    stderr: {
      value: withWrite(processContext.stderr, (text) => processContext.stderr.write(scrub(text))),
      enumerable: true,
    },
    hide: { value: hide, enumerable: true },
    scrub: { value: scrub, enumerable: true },
  });
}

/** The stream with another `write`. All other properties stay live. */
export function withWrite(stream: OutputStream, write: (text: string) => void): OutputStream {
  return {
    write,
    flushed: async () => stream.flushed?.(),
    get closed() {
      return stream.closed === true;
    },
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns;
    },
  };
}
