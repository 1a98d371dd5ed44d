import type { Context } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { isStdinName } from '../../base/os/named-file.ts';
import type { Settings } from './settings/settings.ts';

/** Standard input can be read once: a command that takes its API key from there can take nothing else. */
export function checkStdinOnce({ key }: Settings, paths: readonly (string | undefined)[]): void {
  if (key.kind === 'file' && isStdinName(key.path) && paths.some(isStdinName)) {
    throw new SvcError(
      EXIT.usage,
      'usage',
      'standard input is asked for twice: for the API key and for something else',
      {
        hint: 'Put the key into a file of yours alone: --api-key-file <path>',
      },
    );
  }
}

/** Somebody who gave `-` at a terminal is told that it is they who are waited for. */
export function sayWhoIsWaitedFor(paths: readonly string[], { stdin, stderr }: Context): void {
  if (paths.some(isStdinName) && isTerminal(stdin)) {
    stderr.write('Type or paste the list; Ctrl-D on a line of its own ends it.\n');
  }
}

/** True where standard input is a person and no pipe or file. */
export function isTerminal(stdin: object): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true;
}
