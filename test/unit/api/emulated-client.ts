import { type Client, type ClientOptions, createClient } from '../../../src/api/client.ts';
import type { Emulator } from '../../../src/emulator/emulator.ts';

/** A client of an emulated service, in this process, without sockets. `options` replace its limits and jitter. */
export function clientOf(
  emulator: Emulator,
  { clock, ...options }: Pick<ClientOptions, 'clock'> & Partial<Pick<ClientOptions, 'limits' | 'random'>>,
): Client {
  return createClient({
    baseUrl: new URL('http://127.0.0.1:1'),
    apiKey: emulator.apiKey,
    transport: emulator.transport(),
    clock,
    emit: () => {},
    random: () => 0.5,
    limits: { rate: 600, reserve: 120, maxWaitMs: 30 * 60_000 },
    ...options,
  });
}
