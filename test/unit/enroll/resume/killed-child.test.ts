import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../../../src/base/lib/clock.ts';
import { createEmulator } from '../../../../src/emulator/emulator.ts';
import { startProgram } from '../../../support/program.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { addresses, bare, counts } from '../support.ts';

const PEOPLE = addresses(60);

/** A service on a real socket in this process, and the built program in its own process. */
async function createPlace() {
  const folder = tempFolder();
  const emulator = await createEmulator({ clock: createSystemClock(), randomHex: hex });
  const { url } = await emulator.listen(0);
  onTestFinished(() => emulator.close());
  emulator.admin.addContacts(PEOPLE.map((email) => ({ email })));
  const automation = emulator.admin.createAutomation({ reentry: 'always' });
  writeFileSync(join(folder, 'list.csv'), bare(PEOPLE));
  const words = [
    'automations',
    'enroll',
    automation,
    join(folder, 'list.csv'),
    '--json',
    '--yes',
    '--state-dir',
    join(folder, 'state'),
  ];
  const env = { SVC_BASE_URL: url, SVC_API_KEY: emulator.apiKey };
  return {
    emulator,
    automation,
    start: () => startProgram(words, env),
  };
}

test('enrolls every person once after repeated SIGKILLs (D1)', async () => {
  const { emulator, automation, start } = await createPlace();
  const enrolled = () => emulator.admin.enrollments(automation).length;
  for (const kill of [1, 25]) {
    const { child, exit } = start();
    const timer = setInterval(() => enrolled() >= kill && child.kill('SIGKILL'), 1);
    const { signal } = await exit;
    clearInterval(timer);
    expect({ kill, signal }).toEqual({ kill, signal: 'SIGKILL' });
  }

  const { code, out } = await start().exit;

  expect({ code, rows: counts(JSON.parse(out).rows) }).toEqual({ code: 0, rows: { read: 60, enrolled: 60 } });
  const people = emulator.admin.enrollments(automation).map((enrollment) => enrollment.email);
  expect(people.sort()).toEqual([...PEOPLE].sort());
}, 60_000);

function hex(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}
