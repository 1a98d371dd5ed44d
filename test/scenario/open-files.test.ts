import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../src/base/lib/clock.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { people } from '../support/lists.ts';
import { startProgram } from '../support/program.ts';
import { everyNth } from '../support/sweep.ts';
import { tempFolder } from '../support/temp-folder.ts';

const under = (limit: number) => ['sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh'];

// Node itself needs 22 files to start. With fewer it ends before the program runs.
test.each(everyNth([22, 24, 26, 28, 30, 32, 36, 40, 48, 56, 64], 2))(
  'svc completes, or sends nothing, when it may open only %i files (D9)',
  async (limit) => {
    const emulator = await createEmulator({ clock: createSystemClock(), randomHex: (length) => 'a'.repeat(length) });
    onTestFinished(() => emulator.close());
    const { url } = await emulator.listen(0);
    const folder = tempFolder();
    const list = join(folder, 'list.csv');
    writeFileSync(list, `${people(30)}nobody,N,subscribed\n`);
    mkdirSync(join(folder, 'state'), { mode: 0o700 });
    const env = { SVC_BASE_URL: url, SVC_API_KEY: emulator.apiKey, SVC_STATE_DIR: join(folder, 'state'), HOME: folder };

    const { code, err } = await startProgram(['migrate', list, '--json', '--yes'], env, { under: under(limit) }).exit;

    const { requests, contacts } = emulator.admin;
    const posts = requests().filter(({ method }) => method === 'POST');
    if (code === 3) {
      expect(contacts()).toHaveLength(30);
    } else {
      expect([code, posts]).toEqual([1, []]);
      expect(err).toMatch(/too_many_files|can't be loaded/);
    }
    expect(code).toBe(limit >= 64 ? 3 : code);
  },
);
