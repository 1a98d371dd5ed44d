import { statSync } from 'node:fs';
import { SvcError } from '../lib/errors.ts';
import { EXIT } from '../lib/exit.ts';

/** The problem when files that this process holds open are gone from their paths; undefined while they stand there. */
export type Anchor = () => SvcError | undefined;

/**
 * Remembers which files stand at these paths now. SQLite goes on without an error in a file that was deleted, moved or
 * replaced, and what it writes then is lost. So a file has to stand at its path with the same device and inode (D8).
 * Paths where nothing stands yet are left out.
 */
export function anchor(paths: readonly string[], hint: string): Anchor {
  const files = paths.map((path) => ({ path, identity: identityOf(path) }));
  const opened = files.filter(({ identity }) => identity !== undefined);
  return () => {
    const lost = opened.find(({ path, identity }) => identityOf(path) !== identity);
    return lost && new SvcError(EXIT.failed, STATE_LOST, messageOf(lost.path), { hint });
  };
}

/** True for the problem that an anchor finds. */
export function isStateLost(error: { readonly code: string } | undefined): boolean {
  return error?.code === STATE_LOST;
}

const STATE_LOST = 'state_lost';

function messageOf(path: string): string {
  return `stopped before the next request: ${path} was deleted, moved or replaced while svc was using it`;
}

/** Undefined also where the path can't be looked at. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
