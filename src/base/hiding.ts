import type { Context, OutputStream, Surroundings } from './context.ts';
import { createScrub, type Scrub } from './scrub.ts';

/** The same surroundings, with standard output and error scrubbed of every secret that was hidden before the write (K8). */
export function withHiding(around: Surroundings): Context {
  const scrubs = new Map<string, Scrub>();
  const scrub: Scrub = (text) => [...scrubs.values()].reduce((clean, one) => one(clean), text);
  const hide = (secret: string, mark?: string) => {
    scrubs.set(secret, createScrub(secret, mark));
  };
  // Getters are copied as such: what they make is costly, and most commands need none of it.
  return Object.defineProperties({} as Context, {
    ...Object.getOwnPropertyDescriptors(around),
    stdout: { value: scrubbed(around.stdout, scrub), enumerable: true },
    stderr: { value: scrubbed(around.stderr, scrub), enumerable: true },
    hide: { value: hide, enumerable: true },
  });
}

function scrubbed(stream: OutputStream, scrub: Scrub): OutputStream {
  return {
    write: (text) => stream.write(scrub(text)),
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
