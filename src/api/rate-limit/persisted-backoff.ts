import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/lib/clock.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import { ensurePrivateFolder, writePrivateFile } from '../../base/os/files.ts';

/**
 * The longest stored wait that counts, in milliseconds. A longer one is ignored: with one request, a new process finds
 * out whether the service still asks for the wait.
 */
const LONGEST_MS = 30 * 60_000;

/**
 * Stores the wait after a 429 in the state folder, so that the next process waits too (P4). `account` has the texts
 * that identify the account and its key. `read` returns the milliseconds that are left, or undefined if the wait is
 * over. The first 429 creates the file.
 *
 * The file uses the wall clock, because two processes share no other clock. If that clock was set back, the full wait
 * starts again, but only once (P7).
 */
export function createPersistedBackoff(stateFolder: string, account: readonly string[], clock: Clock) {
  const path = join(stateFolder, 'pauses', sha256Hex(account.join('\n')).slice(0, 16));
  const save = (ms: number) => {
    try {
      ensurePrivateFolder(dirname(path));
      const from = Math.floor(clock.now());
      writePrivateFile(path, `${from} ${from + Math.ceil(ms)}\n`);
    } catch {
      // Without the file, the next process gets a 429 and waits then, so nothing is lost.
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
        // The wall clock was set back, so the full wait starts again. Storing it makes sure that this happens only once
        // (P7).
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
