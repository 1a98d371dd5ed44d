import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { isStdinName } from '../../base/os/named-file.ts';

/**
 * Reads the bytes of a file, or of standard input for `-`. A file that cannot be read is a usage error that names the
 * flag.
 */
export async function readBytes(flag: string, path: string, context: Context): Promise<Buffer> {
  if (isStdinName(path)) {
    return readStdin(context);
  }
  try {
    return await readFile(resolve(context.cwd, path));
  } catch (cause) {
    throw new SvcError(EXIT.usage, 'input_unreadable', `${flag}: ${safe(path)} can't be read`, {
      hint: whyUnreadable(cause),
      cause,
    });
  }
}

/** Why a file cannot be read, in a few words. */
export function whyUnreadable(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return WHY[code] ?? (cause instanceof Error ? safe(cause.message) : '');
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  ENOTDIR: 'There is no such file.',
  EISDIR: 'That is a folder.',
  EACCES: 'You are not allowed to read it.',
};

async function readStdin({ stdin }: Context): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stdin) {
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}
