import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createManualClock } from '../../src/base/manual-clock.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { createHex, people } from '../spec/service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const open = (dataDir: string, seed: string) =>
  createEmulator({ dataDir, clock: createManualClock(), randomHex: createHex(seed) });

test('store id, key, audience and data stay with a data directory; 0600 in 0700 (D6)', async () => {
  const folder = tempFolder();
  const first = await open(folder, 'one');
  first.admin.addContacts(people(3));
  await first.close();
  const second = await open(folder, 'two');
  const kept = [second.storeId, second.apiKey, second.audienceId, second.admin.contacts().length];
  expect(kept).toEqual([first.storeId, first.apiKey, first.audienceId, 3]);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'emulator.db')).mode & 0o777]).toEqual([0o700, 0o600]);
  await second.close();
});

test('two stores have different ids, and neither knows the other’s', async () => {
  const [one, two] = [await open(tempFolder(), 'one'), await open(tempFolder(), 'two')];
  expect(one.storeId).not.toBe(two.storeId);
  expect(() => two.admin.contacts(one.audienceId)).toThrow(RangeError);
  await one.close();
  await two.close();
});

test('Authentication 2: of a key that was made only the hash is stored', async () => {
  const folder = tempFolder();
  const emulator = await open(folder, 'one');
  const key = emulator.admin.createKey();
  await emulator.close();
  const stored = readFileSync(join(folder, 'emulator.db'));
  const hash = createHash('sha256').update(key).digest('hex');
  expect([stored.includes(key), stored.includes(hash)]).toEqual([false, true]);
});

test('the plan of a store that exists is kept unless another is asked for', async () => {
  const folder = tempFolder();
  const clock = createManualClock();
  const plans: string[] = [];
  for (const plan of ['free', undefined, 'paid', undefined] as const) {
    const emulator = await createEmulator({ dataDir: folder, clock, randomHex: createHex('plan'), plan });
    plans.push(emulator.admin.account().plan);
    await emulator.close();
  }
  expect(plans).toEqual(['free', 'free', 'paid', 'paid']);
});

const CHILD = `
import { createEmulator } from ${JSON.stringify(new URL('../../src/emulator/emulator.ts', import.meta.url).href)};
import { createSystemClock } from ${JSON.stringify(new URL('../../src/base/clock.ts', import.meta.url).href)};
const emulator = await createEmulator({ dataDir: process.argv[1], clock: createSystemClock(), randomHex: (n) => 'ab'.repeat(n).slice(0, n) });
const { url } = await emulator.listen(0);
console.log(JSON.stringify({ url, key: emulator.apiKey, audience: emulator.audienceId }));
`;

test('what was answered survives kill -9, effect and idempotency together', async () => {
  const folder = tempFolder();
  const child = spawn(process.execPath, ['--input-type=module', '-e', CHILD, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await child.stdout.take(1).toArray()) as [Buffer];
  const { url, key, audience } = JSON.parse(line.toString());
  const body = JSON.stringify({ upsert: true, contacts: people(100) });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'k' };
  const path = `/v1/audiences/${audience}/contacts/batch`;
  const answered = await (await fetch(`${url}${path}`, { method: 'POST', headers, body })).text();
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
  const emulator = await open(folder, 'again');
  expect(emulator.admin.contacts()).toHaveLength(100);
  const replay = await emulator.handle({ method: 'POST', path, headers, body: Buffer.from(body) });
  expect([replay.headers['idempotency-replayed'], replay.body.toString()]).toEqual(['true', answered]);
  await emulator.close();
});

test('two processes may share a data directory: each sees what the other wrote', async () => {
  const folder = tempFolder();
  const one = await open(folder, 'one');
  const two = await open(folder, 'two');
  one.admin.addContacts(people(1));
  two.admin.suppress(['x@example.com']);
  expect([two.admin.contacts().length, one.admin.suppressions().length]).toEqual([1, 1]);
  await one.close();
  await two.close();
});
