import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startEmulator } from '../bench/processes/emulator-process.ts';

const MIB = 2 ** 20;
const PART = Buffer.alloc(MIB, 'x');

/** Uploads this many MiB before it reads the response, and returns the status. */
async function upload(url: string, key: string, mib: number): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'content-length': mib * MIB };
  const sent = request(`${url}/v1/audiences`, { method: 'POST', headers });
  const answered = once(sent, 'response');
  for (let count = 0; count < mib; count += 1) {
    if (!sent.write(PART)) {
      await once(sent, 'drain');
    }
  }
  sent.end();
  const [response] = await answered;
  response.resume();
  return response.statusCode;
}

test('the emulator uses under 60 MB at 20 refused uploads of 32 MiB (K7)', async () => {
  const emulator = await startEmulator();
  try {
    await upload(emulator.url, 'wrong', 1);
    const before = emulator.peakMiB();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => upload(emulator.url, 'wrong', 32)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(emulator.peakMiB() - before).toBeLessThan(60);
  } finally {
    await emulator.stop();
  }
});
