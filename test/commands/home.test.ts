import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

test.each([[{}], [{ HOME: '' }]])('with the environment %j the working directory is not taken for a home', (env) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-home-'));
  mkdirSync(join(folder, '.config', 'svc'), { recursive: true, mode: 0o700 });
  const planted = { profiles: { default: { base_url: 'https://evil.example.com' } } };
  writeFileSync(join(folder, '.config', 'svc', 'config.json'), JSON.stringify(planted), { mode: 0o600 });
  const line = [resolve('src/main.ts'), 'auth', 'status', '--json'];
  const { stdout, status } = spawnSync(process.execPath, line, { cwd: folder, env, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([status, stdout.includes('evil.example.com'), stdout.includes(folder)]).toEqual([0, false, false]);
});
