import { spawnSync } from 'node:child_process';

/**
 * Megabytes on disk of the package as it is published. It has no dependencies, so this is what an installation takes.
 */
export function packedMegabytes(): number {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ unpackedSize }] = JSON.parse(stdout);
  return Math.round(unpackedSize / 10_000) / 100;
}
