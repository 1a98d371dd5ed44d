import { closeSync, constants, openSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../../base/context.ts';
import { formatLogTime } from '../../../base/lib/duration.ts';
import { EXIT, errorMessage, SvcError } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { isFolder, writeAll } from '../../../base/os/files.ts';
import { reasonNotToOverwrite } from '../../../base/os/user-named-file.ts';

/** The file of --log-file. It holds no secret. */
export interface LogFile {
  /** Appends lines that already begin with their time. Never throws, because a full disk must not stop the run. */
  write(text: string): void;
  /** Appends a text. Each of its lines begins with the present time. */
  writePage(text: string): void;
  /** Why a write failed. Undefined if all writes worked. */
  problem(): string | undefined;
  close(): void;
}

/** Opens the log file, to append to it. Called before anything is sent. Only this user can read a new file (K8). */
export function openLogFile(name: string, context: Context): LogFile {
  const handle = open(resolve(context.cwd, name), context);
  let failed: string | undefined;
  const write = (text: string) => {
    try {
      if (failed === undefined) {
        writeAll(handle, context.scrub(text));
      }
    } catch (error) {
      failed = errorMessage(error);
    }
  };
  return {
    write,
    writePage: (text) => {
      const time = formatLogTime(context.clock.now());
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      write(lines.map((line) => `${time} ${line}\n`).join(''));
    },
    problem: () => failed,
    close: () => closeSync(handle),
  };
}

function open(path: string, { platform }: Context): number {
  try {
    const why = reasonNotToOverwrite(path, platform.user) ?? (isFolder(path) ? 'it is a folder' : undefined);
    if (why !== undefined) {
      throw new Error(why);
    }
    return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
  } catch (error) {
    const message = `the log can't be written to ${terminalSafe(path)}: ${terminalSafe(errorMessage(error))}`;
    throw new SvcError(EXIT.usage, 'log_unwritable', message, {
      hint: 'Name another file with --log-file. Nothing was done.',
      cause: error,
    });
  }
}
