import { refuse } from './envelope.ts';

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Refuses requests that a web page could make reach a loopback port (rule K7): a foreign `Host` (DNS rebinding) and an
 * `Origin` other than the emulator's own. In-process requests carry neither.
 */
export function assertLocal(headers: Readonly<Record<string, string>>): void {
  const { host, origin } = headers;
  if (host !== undefined && !LOOPBACK_HOST.test(host)) {
    throw refuse(403, 'forbidden', 'The emulator answers on loopback names only.');
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw refuse(403, 'forbidden', 'The emulator answers no foreign origin.');
  }
}
