import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../../../src/emulator/emulator.ts';
import { createHex, people } from '../../../contract/service.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { everyNth } from '../../../support/sweep.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const open = (dataDir: string, seed: string) =>
  createEmulator({ dataDir, clock: createManualClock(), randomHex: createHex(seed) });

describe('the data directory of an emulator', () => {
  test('only its owner can read the data directory of an emulator (D6)', async () => {
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

  test('ids of an emulator differ from those of another data directory', async () => {
    const [one, two] = [await open(tempFolder(), 'one'), await open(tempFolder(), 'two')];
    expect(one.storeId).not.toBe(two.storeId);
    expect(() => two.admin.contacts(one.audienceId)).toThrow(RangeError);
    await one.close();
    await two.close();
  });

  test('Authentication 2: stores only the hash of a created key', async () => {
    const folder = tempFolder();
    const emulator = await open(folder, 'one');
    const key = emulator.admin.createKey();
    await emulator.close();
    const stored = readFileSync(join(folder, 'emulator.db'));
    const hash = createHash('sha256').update(key).digest('hex');
    expect([stored.includes(key), stored.includes(hash)]).toEqual([false, true]);
  });

  test('an emulator keeps its plan when it starts again with the same data', async () => {
    const folder = tempFolder();
    const clock = createManualClock();
    const plans: string[] = [];
    for (const plan of ['free', undefined, 'paid', undefined] as const) {
      const emulator = await createEmulator({ dataDir: folder, clock, randomHex: createHex('plan'), plan });
      plans.push(emulator.admin.account().plan);
      await emulator.close();
    }
    expect(plans).toEqual(['free', 'free', 'free', 'free']);
  });

  const CHILD = `
import { createEmulator } from ${JSON.stringify(new URL('../../../../src/emulator/emulator.ts', import.meta.url).href)};
import { createSystemClock } from ${JSON.stringify(new URL('../../../../src/base/lib/clock.ts', import.meta.url).href)};
const emulator = await createEmulator({ dataDir: process.argv[1], clock: createSystemClock(), randomHex: (n) => 'ab'.repeat(n).slice(0, n) });
const { url } = await emulator.listen(0);
console.log(JSON.stringify({ url, key: emulator.apiKey, audience: emulator.audienceId }));
`;

  /** The emulator in its own process, and the function that kills it. */
  async function startChild(folder: string) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', CHILD, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const [line] = (await child.stdout.take(1).toArray()) as [Buffer];
    const { url, key, audience } = JSON.parse(line.toString());
    const path = `/v1/audiences/${audience}/contacts/batch`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return {
      path,
      headers,
      async kill() {
        child.kill('SIGKILL');
        await exited;
      },
      send: async (number: number) => {
        const asked = {
          method: 'POST',
          headers: { ...headers, 'idempotency-key': `k${number}` },
          body: bodyOf(number),
        };
        return (await fetch(`${url}${path}`, asked)).text();
      },
    };
  }

  const BATCH = 200;
  const bodyOf = (number: number) => JSON.stringify({ upsert: true, contacts: people(BATCH, number * BATCH) });

  test.each(everyNth([1, 4, 9], 2))(
    'stores whole batches when the emulator is killed after %i batches',
    async (count) => {
      const folder = tempFolder();
      const child = await startChild(folder);
      const responses = new Map<number, string>();
      let killed: Promise<void> | undefined;
      const sendOn = async (first: number) => {
        for (let number = first; killed === undefined; number += 4) {
          const response = await child.send(number).catch(() => undefined);
          response !== undefined && responses.set(number, response);
          killed ??= responses.size >= count ? child.kill() : undefined;
        }
      };
      await Promise.all([0, 1, 2, 3].map(sendOn));
      await killed;
      const emulator = await open(folder, 'again');
      const there = new Map(emulator.admin.contacts().map(({ email }) => [email, true]));
      expect(there.size % BATCH).toBe(0);
      for (let number = 0; number < 20; number += 1) {
        const headers = { ...child.headers, 'idempotency-key': `k${number}` };
        const again = await emulator.handle({
          method: 'POST',
          path: child.path,
          headers,
          body: Buffer.from(bodyOf(number)),
        });
        const made = there.has(`p${number * BATCH}@example.com`);
        expect([number, again.headers['idempotency-replayed']]).toEqual([number, made ? 'true' : undefined]);
        expect(again.body.toString()).toBe(responses.get(number) ?? again.body.toString());
        expect(JSON.parse(again.body.toString()).summary.created).toBe(BATCH);
      }
      expect(emulator.admin.state().contacts).toBe(20 * BATCH);
      expect(emulator.admin.contact('p0@example.com')?.seq).toBeGreaterThan(0);
      await emulator.close();
    },
  );

  test('two emulator processes share one data directory', async () => {
    const folder = tempFolder();
    const one = await open(folder, 'one');
    const two = await open(folder, 'two');
    one.admin.addContacts(people(1));
    two.admin.suppress(['x@example.com']);
    expect([two.admin.contacts().length, one.admin.suppressions().length]).toEqual([1, 1]);
    await one.close();
    await two.close();
  });
});
