import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../base/context.ts';
import { badUsage, EXIT, errorCode, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { isStdinName } from '../../base/os/user-named-file.ts';
import type { Settings } from './settings/settings.ts';

/** Throws if both the API key and one of these paths are standard input, because svc can read it only once. */
export function checkStdinOnce({ key }: Settings, paths: readonly (string | undefined)[]): void {
  if (key.kind === 'file' && isStdinName(key.path) && paths.some(isStdinName)) {
    throw badUsage(
      'standard input is named twice: for the API key and for something else',
      'Put the key into a file of yours alone: --api-key-file <path>',
    );
  }
}

/** Asks the user to type the list, before svc reads standard input from a terminal. */
export function noteStdinWait(paths: readonly string[], { stdin, stderr }: Context): void {
  if (paths.some(isStdinName) && isTerminal(stdin)) {
    stderr.write('Type or paste the list; Ctrl-D on a line of its own ends it.\n');
  }
}

export function isTerminal(stdin: object): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true;
}

/** Reads a file, or standard input for `-`. If it can't be read, the error names the flag. */
export async function readBytes(flag: string, path: string, context: Context): Promise<Buffer> {
  if (isStdinName(path)) {
    return readStdin(context);
  }
  try {
    return await readFile(resolve(context.cwd, path));
  } catch (cause) {
    throw new SvcError(EXIT.usage, 'input_unreadable', `${flag}: ${terminalSafe(path)} can't be read`, {
      hint: whyUnreadable(cause),
      cause,
    });
  }
}

export function whyUnreadable(cause: unknown): string {
  return WHY[errorCode(cause)] ?? (cause instanceof Error ? terminalSafe(cause.message) : '');
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  ENOTDIR: 'There is no such file.',
  EISDIR: 'That is a folder.',
  EACCES: 'You are not allowed to read it.',
};

export async function readStdin({ stdin }: Context): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stdin) {
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}
