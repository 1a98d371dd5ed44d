import { globSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const LONG_AGO = 1_700_000_000.5;

/**
 * Lets all runs of a state folder look as if they ended long ago. A command reads such a run once, and a run that
 * changed a moment ago more often. So without this, the number of reads would depend on how fast a test is.
 */
export function ageRuns(stateFolder: string): void {
  for (const path of globSync('runs/*/run.db', { cwd: stateFolder })) {
    utimesSync(join(stateFolder, path), LONG_AGO, LONG_AGO);
  }
}
