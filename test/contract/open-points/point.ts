import type { EmulatorOptions } from '../../../src/emulator/emulator.ts';
import type { Reply, Service } from '../service.ts';

/** A point that the service document leaves open, and what shows that the emulator plays our reading of it. */
export interface OpenPoint {
  /** The name of the point in docs/service-notes.md. */
  readonly point: string;
  readonly options?: Partial<EmulatorOptions>;
  play(service: Service): Promise<unknown>;
  /** What `play` returns under our reading. */
  readonly shows: unknown;
}

/** The error code of a response, or its status. */
export const codeOf = ({ status, json }: Reply): string | number => json?.error?.code ?? status;

/** The codes of several responses, in the order of the requests. Each is sent after the one before. */
export async function codesOf(requests: readonly (() => Promise<Reply>)[]): Promise<(string | number)[]> {
  const codes: (string | number)[] = [];
  for (const request of requests) {
    codes.push(codeOf(await request()));
  }
  return codes;
}

export const START = '2026-01-01T00:00:00.000Z';
