import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/lib/clock.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import { ensurePrivateFolder, writePrivateFile } from '../../base/os/files.ts';

/** A longer pause is asked about again by a new process: one request shows whether it still holds. */
const LONGEST_MS = 30 * 60_000;

/**
 * How long the service wants no request of this account, kept in the state folder so that the next process doesn't ask
 * earlier either (P4). An account is an origin and a key. In milliseconds: `read` gives what is left, undefined when nothing
 * is known or the time is over. The file dates the pause by the wall clock, the only one that two processes share. Where that
 * was set back since, the pause begins again once, and no pause is longer than it was (P7). Makes nothing before the first 429.
 */
export function pauseOf(state: string, account: readonly string[], clock: Clock) {
  const path = join(state, 'pauses', sha256Hex(account.join('\n')).slice(0, 16));
  const save = (ms: number) => {
    try {
      ensurePrivateFolder(dirname(path));
      const from = Math.floor(clock.now());
      writePrivateFile(path, `${from} ${from + Math.ceil(ms)}\n`);
    } catch {
      // Without the file the next process learns of the pause from a 429 of its own.
    }
  };
  return {
    save,
    read(): number | undefined {
      const now = clock.now();
      const [from = Number.NaN, until = Number.NaN] = readNumbers(path);
      const length = until - from;
      if (!(length > 0 && length <= LONGEST_MS) || now >= until) {
        return undefined;
      }
      if (now < from) {
        // From now on it is dated by the clock as it is.
        save(length);
        return length;
      }
      return until - now;
    },
  };
}

function readNumbers(path: string): number[] {
  try {
    return readFileSync(path, 'utf8').split(' ').map(Number);
  } catch {
    return [];
  }
}
