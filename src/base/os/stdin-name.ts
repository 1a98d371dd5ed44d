import { normalize } from 'node:path';

/** Every name of standard input: what a flag takes for it, and where the system shows it. */
const NAMES: ReadonlySet<string> = new Set([
  '-',
  '/dev/stdin',
  '/dev/fd/0',
  '/proc/self/fd/0',
  '/proc/thread-self/fd/0',
]);

/** True for standard input by any of its names, with detours such as `/dev/../dev/stdin`. It can be read once only. */
export function isStdinName(path: string | undefined): boolean {
  return path !== undefined && NAMES.has(normalize(path));
}
