import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startService } from '../../contract/service.ts';

const run = promisify(execFile);
const has = (program: string) => spawnSync(program, ['--version']).status === 0;

test.runIf(has('python3'))('the emulator serves a Python client written from the document alone', async () => {
  const { url, emulator, audience } = await startService({ rateLimit: 0, allowLoopbackWebhooks: true });
  const script = join(import.meta.dirname, 'outside/flows.py');
  const { stdout } = await run('python3', [script, url, emulator.apiKey, audience, String(await freePort())]);
  expect(stdout.trim()).toBe('85');
});

test.runIf(has('curl'))('the emulator serves reads, writes, replays and refusals to curl', async () => {
  const { url, emulator, audience } = await startService();
  const key = ['-H', `Authorization: Bearer ${emulator.apiKey}`];
  const json = ['-H', 'Content-Type: application/json', '-H', 'Idempotency-Key: from-curl'];
  const curl = async (...args: string[]) => {
    const { stdout } = await run('curl', ['-sS', '-w', '\n%{http_code} %header{idempotency-replayed}', ...args]);
    const [body = '', end = ''] = stdout.split(/\n(?=[^\n]*$)/);
    return { end: end.trim(), body: body === '' ? undefined : JSON.parse(body) };
  };
  const create = [...key, ...json, '-d', '{"name":"Readers"}', `${url}/v1/audiences`];
  const [first, again] = [await curl(...create), await curl(...create)];
  expect([first.end, again.end, again.body]).toEqual(['201', '201 true', first.body]);
  const renamed = await curl(
    ...key,
    ...json,
    '-X',
    'PATCH',
    '-d',
    '{"name":"Letters"}',
    `${url}/v1/audiences/${audience}`,
  );
  expect([renamed.end, renamed.body.name]).toEqual(['200', 'Letters']);
  expect((await curl(`${url}/v1/audiences`)).body.error.code).toBe('invalid_api_key');
  expect((await curl(...key, '-d', 'name=x', `${url}/v1/audiences`)).body.error.code).toBe('invalid_request');
  expect((await curl(...key, '-X', 'DELETE', `${url}/v1/audiences/${audience}`)).body).toEqual({
    id: audience,
    deleted: true,
  });
});

/** A port that is free at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
