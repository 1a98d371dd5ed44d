import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../base/context.ts';
import { SvcError } from '../base/errors.ts';
import { EXIT } from '../base/exit.ts';
import { safe } from '../base/text.ts';

/** The bytes of a file, or of standard input for `-`. A file that can't be read is a usage error that names the flag. */
export async function readBytes(flag: string, path: string, context: Context): Promise<Buffer> {
  if (path === '-') {
    return readStdin(context);
  }
  try {
    return await readFile(resolve(context.cwd, path));
  } catch (cause) {
    throw new SvcError(EXIT.usage, 'input_unreadable', `${flag}: ${safe(path)} can't be read`, { cause });
  }
}

async function readStdin({ stdin }: Context): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stdin) {
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}
