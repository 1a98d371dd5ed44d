import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import { IS_FULL } from '../support/sweep.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the published package', () => {
  test('installs and runs the published package without a warning', { timeout: 120_000 }, () => {
    const folder = tempFolder();
    const tarball = pack(join(folder, 'checkout'));
    const installed = run(folder, 'npm', 'install', '-g', '--offline', '--prefix', folder, tarball);
    expect([installed.status, installed.stderr]).toEqual([0, '']);
    const files = readdirSync(join(folder, 'lib/node_modules/@svc-cli/svc'));
    expect(files).toEqual([
      ...[
        'LICENSE',
        'README.md',
        'THIRD-PARTY-LICENSES',
        'bin',
        'dist',
        'docs',
        'man',
        'package.json',
        'samples',
        'schema',
        'src',
      ],
    ]);

    expect(readdirSync(join(folder, 'share/man/man1'))).toContain('svc-migrate.1');
    const bin = join(folder, 'bin/svc');
    expect(run(folder, process.execPath, bin, '--version').stdout).toBe(`${manifest.version}\n`);
    const sample = join(ROOT, 'samples/mailchimp-export.zip');
    const migrated = run(folder, process.execPath, bin, 'migrate', sample, '--emulator', '--json');
    expect([migrated.stderr, JSON.parse(migrated.stdout).status]).toEqual(['', 'completed']);
    expectTables(folder, bin);
    expect(onOldNode(folder, bin)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'svc: needs Node 22.19 or newer, and this is 20.1.0. Install one from https://nodejs.org.\n',
    });
  });

  test('the error on an old Node suggests npx when svc runs from a checkout', () => {
    expect(onOldNode(tempFolder(), join(ROOT, 'bin/svc.js'))).toEqual({
      status: 2,
      stdout: '',
      stderr: 'svc: needs Node 22.19 or newer, and this is 20.1.0. Run "npx svc" in the folder of svc.\n',
    });
  });

  test('package.json pins major versions, the lock file names no registry host', () => {
    const ranges = Object.values(manifest.devDependencies);
    expect(ranges.filter((range) => !/^\^?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    // What jschardet guesses decides results, and undici is imported by internal paths. So both have an exact version.
    expect([manifest.devDependencies.jschardet, manifest.devDependencies.undici]).toEqual(['4.0.0', '8.12.4']);
    expect(Object.values(lock.packages).filter((entry) => 'resolved' in entry)).toEqual([]);
  });
});

/** Reads a list that needs a table of jschardet, one of iconv-lite and one of any-ascii. */
function expectTables(folder: string, bin: string): void {
  const list = join(folder, 'list.csv');
  writeFileSync(list, iconv.encode(`Email,名前,Город\n${'p@example.com,山田太郎さん,京都\n'.repeat(20)}`, 'shift_jis'));
  const refused = JSON.parse(
    run(folder, process.execPath, bin, 'migrate', list, '--emulator', '--dry-run', '--json').stdout,
  );
  expect(refused.inputs[0].encoding).toBe('shift_jis');
  expect(refused.findings[0].flags).toBe("--map '名前=attributes.ming_qian'");
}

/**
 * Packs a copy of this checkout, because packing changes package.json for a moment. The scripts run here, since `npm
 * pack` would also run `prepare`, a second build.
 */
function pack(checkout: string): string {
  for (const path of [
    'package.json',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'bin',
    'docs',
    'man',
    'schema',
    'scripts',
    'src',
    'samples',
  ]) {
    cpSync(join(ROOT, path), join(checkout, path), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  // Node 22 warns about its SQLite, which the scripts load.
  const silently = ['env', 'NODE_OPTIONS=--disable-warning=ExperimentalWarning', 'sh', '-c'] as const;
  // The smallest tables take half a minute more. They differ only in how well they are compressed.
  const prepack = manifest.scripts.prepack.replace(IS_FULL ? '' : ' --smallest', '');
  expect(run(checkout, ...silently, prepack)).toMatchObject({ status: 0, stderr: '' });
  // The file of the repository has the licenses of all bundled code (`npm run licenses`).
  const licensesIn = (folder: string) => readFileSync(join(folder, 'THIRD-PARTY-LICENSES'), 'utf8');
  expect(licensesIn(checkout)).toBe(licensesIn(ROOT));
  const { stdout } = run(checkout, 'npm', 'pack', '--silent', '--ignore-scripts');
  expect(run(checkout, 'sh', '-c', manifest.scripts.postpack).status).toBe(0);
  expect(readFileSync(join(checkout, 'package.json'), 'utf8')).toBe(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return join(checkout, stdout.trim());
}

/** The npm settings of this process must not reach the program. */
function run(folder: string, command: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, encoding: 'utf8' });
}

/** How the program ends on a Node that is too old, and what it prints. */
function onOldNode(folder: string, bin: string): Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'> {
  const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.1.0'}})`;
  const { status, stdout, stderr } = run(folder, process.execPath, '--import', old, bin, '--version');
  return { status, stdout, stderr };
}
