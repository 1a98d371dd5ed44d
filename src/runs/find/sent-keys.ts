import { readListedRun } from '../store/read-run.ts';
import { listReadableRuns } from './list-runs.ts';

/**
 * Returns a test for an idempotency key of a contact batch: did another run of this state folder send it? Such a run
 * explains a replay (I7). The runs are read once, at the first question.
 */
export function createSentKeys(state: string, ownRun: string): (key: string) => boolean {
  let keys: ReadonlySet<string> | undefined;
  return (key) => {
    keys ??= new Set(listReadableRuns(state).flatMap(({ run }) => (run === ownRun ? [] : keysOf(state, run))));
    return keys.has(key);
  };
}

function keysOf(state: string, run: string): readonly string[] {
  const rows = readListedRun(state, run, ({ db }) => db.prepare(KEYS).all());
  return (rows ?? []).map(({ key }) => String(key));
}

// Also the keys of requests whose outcome is unknown.
const KEYS = `SELECT key FROM units WHERE kind = 'contacts'`;
