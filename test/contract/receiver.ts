import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One received delivery. */
export interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook receiver on this machine. */
export interface Receiver {
  readonly url: string;
  readonly arrivals: Arrival[];
  /** Resolves when this many deliveries have arrived in total. */
  arrived(count: number): Promise<Arrival[]>;
}

/**
 * Starts a receiver that responds to deliveries with these statuses in turn, then repeats the last. 0 means no
 * response.
 */
export async function startReceiver(...statuses: number[]): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const status = statuses[Math.min(arrivals.length, statuses.length - 1)] ?? 200;
      arrivals.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8') });
      if (status > 0) {
        response.writeHead(status, { location: '/elsewhere' }).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrivals,
    async arrived(count) {
      await until(() => arrivals.length >= count);
      return arrivals;
    },
  };
}

/** Lets sockets and promises run until the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
