import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProgram } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The limit is enough memory for Node itself, and too little for a worker thread. Such a thread would make Node end the
// whole process.
const UNDER = ['sh', '-c', 'ulimit -v 4000000; exec "$@"', 'sh'];

test.runIf(existsSync('/proc/self/limits'))('svc surveys a large list under a low ulimit -v (D9)', async () => {
  const folder = tempFolder();
  const list = join(folder, 'list.csv');
  const note = 'a usual note '.repeat(200);
  const rows = Array.from({ length: 7_000 }, (_, index) => `p${index}@example.com,active,${note}\n`);
  writeFileSync(list, `Email,Status,Note\n${rows.join('')}`);
  const args = ['migrate', list, '--dry-run', '--emulator', '--plan', 'paid', '--json'];
  const { code, out } = await startProgram(
    args,
    { SVC_STATE_DIR: join(folder, 'state'), HOME: folder },
    { under: UNDER },
  ).exit;
  expect([code, JSON.parse(out).rows.read]).toEqual([0, 7_000]);
});
