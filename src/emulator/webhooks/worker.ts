import type { World } from '../world.ts';
import type { WebhookSender } from './send.ts';

export interface Worker {
  wake(): void;
  stopped(): Promise<void>;
}

export function createWorker(
  _world: () => World,
  _outside: { signal: AbortSignal; send: WebhookSender | undefined },
): Worker {
  return { wake: () => {}, stopped: () => Promise.resolve() };
}
