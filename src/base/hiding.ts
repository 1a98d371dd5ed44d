import type { Context, OutputStream, Surroundings } from './context.ts';
import { createScrub, type Scrub } from './lib/scrub.ts';

/** The same surroundings, with standard output and error scrubbed of every secret that was hidden before the write (K8). */
export function withHiding(processContext: Surroundings): Context {
  const scrubs = new Map<string, Scrub>();
  const scrub: Scrub = (text) => [...scrubs.values()].reduce((clean, one) => one(clean), text);
  const hide = (secret: string, mark?: string) => {
    scrubs.set(secret, createScrub(secret, mark));
  };
  // Getters are copied as such: what they make is costly, and most commands need none of it.
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
  });
}

/** The same stream, with another way to write. What it says of itself stays live. */
export function withWrite(stream: OutputStream, write: (text: string) => void): OutputStream {
  return {
    write,
    settled: async () => stream.settled?.(),
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
