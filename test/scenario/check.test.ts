import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { people } from '../support/lists.ts';
import { everyNth } from '../support/sweep.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { start, startEmulator } from './program.ts';

const PEOPLE = 1_000;
const CONTACTS = Array.from({ length: PEOPLE }, (_, index) => ({
  email: `person${index}@example.com`,
  first_name: `Name ${index}`,
}));

test.each(everyNth(['SIGKILL', 'SIGINT'] as const, 2))(
  'contacts check continues after a %s where it stopped (V2, D1)',
  async (signal) => {
    const folder = tempFolder();
    const list = join(folder, 'list.csv');
    writeFileSync(list, people(PEOPLE));
    const faults = join(folder, 'faults.json');
    const rule = { kind: 'slow', ms: 2_500, when: 'before', match: { route: 'GET /v1/audiences/*/contacts' } };
    // The signal comes during the seventh page.
    writeFileSync(faults, JSON.stringify({ rules: [{ ...rule, after: 6, times: 1 }] }));
    const seed = join(folder, 'seed.json');
    writeFileSync(seed, JSON.stringify({ contacts: CONTACTS }));
    const emulator = await startEmulator(['--rate-limit', '0', '--faults', faults, '--seed', seed]);
    const env = { ...emulator.env, SVC_STATE_DIR: join(folder, 'state') };

    const line = ['contacts', 'check', list, '--json', '-v'];
    const killed = start(line, env);
    await new Promise<void>((resolve) => {
      let log = '';
      killed.child.stderr.on('data', (data: Buffer) => {
        log += String(data);
        if (pagesIn(log) > 5) {
          resolve();
        }
      });
    });
    killed.child.kill(signal);
    await killed.exit;

    const again = await start(line, env).exit;
    expect([again.code, JSON.parse(again.out).counts.same]).toEqual([0, PEOPLE]);
    expect(pagesIn(again.err)).toBeLessThanOrEqual(PEOPLE / 100 - 5);
  },
  180_000,
);

/** The number of contact pages in a `-v` log. */
function pagesIn(log: string): number {
  return log.split('\n').filter((line) => /GET \/v1\/audiences\/[^/]+\/contacts(\?| )/.test(line)).length;
}
