import { existsSync, statSync } from 'node:fs';
import type { Context } from '../../base/context.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { whyForeign } from '../../base/os/named-file.ts';

/** Refuses to replace a file that holds something, unless the user agrees with --force. */
export function refuseExisting(path: string, force: boolean | undefined): void {
  if (!force && existsSync(path) && statSync(path).size > 0) {
    throw new SvcError(EXIT.usage, 'output_exists', `${safe(path)} exists already`, {
      hint: 'Name another file, or replace it with --force.',
    });
  }
}

/** Refuses files of other users, and devices, because the last step replaces the file (K8). */
export function refuseForeign(path: string, { platform }: Pick<Context, 'platform'>): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const why = whyForeign(path, platform.user) ?? (found && !found.isFile() ? 'it is no file' : undefined);
  if (why !== undefined) {
    throw new SvcError(EXIT.usage, 'bad_output', `${safe(path)}: ${why}`, {
      hint: 'Name another file, or leave --output out: the result goes to standard output.',
    });
  }
}
