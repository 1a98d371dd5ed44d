import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

test.each([[{}], [{ HOME: '' }]])('does not use the working directory as home folder, environment %j', (env) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-home-'));
  mkdirSync(join(folder, '.config', 'svc'), { recursive: true, mode: 0o700 });
  const planted = { profiles: { default: { base_url: 'https://evil.example.com' } } };
  writeFileSync(join(folder, '.config', 'svc', 'config.json'), JSON.stringify(planted), { mode: 0o600 });
  const line = [resolve('src/main.ts'), 'auth', 'status', '--json'];
  const { stdout, status } = spawnSync(process.execPath, line, { cwd: folder, env, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([status, stdout.includes('evil.example.com'), stdout.includes(folder)]).toEqual([0, false, false]);
});

test('exits with an error when the disk has no room for the output (D3)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-full-'));
  const shell = `trap '' XFSZ; ulimit -f 0; '${process.execPath}' '${resolve('src/main.ts')}' help exit-codes > out.txt`;
  const { status, stderr } = spawnSync('sh', ['-c', shell], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([1, expect.stringContaining('svc: the output could not be written: EFBIG')]);
});
