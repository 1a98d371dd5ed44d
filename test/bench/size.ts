import { execFileSync, spawnSync } from 'node:child_process';

/**
 * Megabytes of the published package on disk. It has no dependencies, so an installation takes no more. Builds dist/ as
 * `prepack` does; the program in it stays the same.
 */
export function packedMegabytes(): number {
  execFileSync(process.execPath, ['--no-warnings', 'scripts/build.ts', '--smallest'], { stdio: 'ignore' });
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ unpackedSize }] = JSON.parse(stdout);
  return Math.round(unpackedSize / 10_000) / 100;
}
