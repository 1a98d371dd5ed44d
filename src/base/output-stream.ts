import type { OutputStream } from './context.ts';

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
