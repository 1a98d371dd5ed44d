import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { ensurePrivateFolder, writePrivateFile } from '../base/files.ts';
import { sha256Hex } from '../base/hash.ts';

/** A longer pause is asked about again by a new process: one request shows whether it still holds. */
const LONGEST_MS = 30 * 60_000;

/**
 * Until when the service wants no request of this account, kept in the state folder so that the next process doesn't ask
 * earlier either (rule P4). An account is an origin and a key. Times are local, in milliseconds; `read` is undefined
 * when nothing is known or the time is over. Makes nothing before the first 429.
 */
export function pauseOf(state: string, account: readonly string[], clock: Clock) {
  const path = join(state, 'pauses', sha256Hex(account.join('\n')).slice(0, 16));
  return {
    read(): number | undefined {
      const now = clock.now();
      const [from = Number.NaN, until = Number.NaN] = readNumbers(path);
      // A clock that was set back would make a pause of a minute last for days.
      return from <= now && now < until && until - from <= LONGEST_MS ? until : undefined;
    },
    keep(until: number): void {
      try {
        ensurePrivateFolder(dirname(path));
        writePrivateFile(path, `${Math.floor(clock.now())} ${Math.ceil(until)}\n`);
      } catch {
        // Without the file the next process learns of the pause from a 429 of its own.
      }
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
