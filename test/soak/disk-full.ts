import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small disk for a state folder. */
export interface SmallDisk {
  readonly state: string;
  /** Makes room on the disk. */
  grow(): void;
  remove(): void;
}

/** Mounts a disk of this many KiB. Undefined if the machine or user may not mount. */
export function mountDisk(kib: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'));
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${kib}k,mode=0700`, 'tmpfs', folder)) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  return {
    state,
    grow: () => {
      run('mount', '-o', 'remount,size=64m', folder);
    },
    remove: () => {
      run('umount', folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function run(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
