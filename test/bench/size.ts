import { spawnSync } from 'node:child_process';

/** Megabytes of the published package on disk. It has no dependencies, so an installation takes no more. */
export function packedMegabytes(): number {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ unpackedSize }] = JSON.parse(stdout);
  return Math.round(unpackedSize / 10_000) / 100;
}
