import type { Context } from '../../base/context.ts';
import { badUsage } from '../../base/lib/errors.ts';
import { isStdinName } from '../../base/os/named-file.ts';
import type { Settings } from './settings/settings.ts';

/**
 * Refuses a second use of standard input, which can be read only once. A command that reads its API key there can read
 * nothing else from it.
 */
export function checkStdinOnce({ key }: Settings, paths: readonly (string | undefined)[]): void {
  if (key.kind === 'file' && isStdinName(key.path) && paths.some(isStdinName)) {
    throw badUsage(
      'standard input is asked for twice: for the API key and for something else',
      'Put the key into a file of yours alone: --api-key-file <path>',
    );
  }
}

/** Shows a prompt before svc reads standard input from a terminal. */
export function noteStdinWait(paths: readonly string[], { stdin, stderr }: Context): void {
  if (paths.some(isStdinName) && isTerminal(stdin)) {
    stderr.write('Type or paste the list; Ctrl-D on a line of its own ends it.\n');
  }
}

/** True if standard input is a terminal, not a pipe or a file. */
export function isTerminal(stdin: object): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true;
}
