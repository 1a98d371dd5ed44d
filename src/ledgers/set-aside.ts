import { renameSync, rmSync } from 'node:fs';
import { pathExists } from '../base/os/files.ts';
import { toStorageError } from '../base/os/storage-error.ts';

/**
 * Gives a file another name, so that a new file can take its place. Moves the log of a database first: if the log
 * stayed there, SQLite would take it for the log of the new database.
 */
export function setAside(path: string): void {
  try {
    let number = 1;
    while (pathExists(asidePath(path, number)) || pathExists(`${asidePath(path, number)}-wal`)) {
      number += 1;
    }
    if (pathExists(`${path}-wal`)) {
      renameSync(`${path}-wal`, `${asidePath(path, number)}-wal`);
    }
    rmSync(`${path}-shm`, { force: true });
    if (pathExists(path)) {
      renameSync(path, asidePath(path, number));
    }
  } catch (error) {
    throw toStorageError(error, path);
  }
}

/** The name of the nth file that was set aside from this path. */
export function asidePath(path: string, number: number): string {
  return `${path}.lost-${number}`;
}
