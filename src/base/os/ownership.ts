import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { UserId } from '../context.ts';
import { shellWord } from '../lib/text.ts';

/** How other users can read or change a file, and a command or a sentence that says how to stop that. */
export interface Exposure {
  readonly why: string;
  readonly fix: string;
}

/** The mode bit of a folder such as `/tmp`, in which users can delete only their own files. */
export const STICKY = 0o1000;
const ROOT = 0;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/**
 * Why svc must not write a secret to an open file. Undefined if the file is safe: it belongs to this user, has no
 * second name (hard link), and other users can't write to it (K8).
 */
export function fileExposure(path: string, stat: Stats, user: UserId): Exposure | undefined {
  if (user === undefined) {
    return undefined;
  }
  if (stat.uid !== user) {
    return { why: `${path} belongs to another user`, fix: 'Use a file of your own.' };
  }
  return permissionExposure(path, stat);
}

/**
 * How other users can change a file or folder that holds a key or settings. Undefined if they can't, or if the path
 * does not exist. The owner must be this user or root.
 */
export function exposureOf(path: string, user: UserId): Exposure | undefined {
  const [link, stat] = [statOf(path, lstatSync), statOf(path, statSync)];
  if (user === undefined || !link || !stat || !(stat.isFile() || stat.isDirectory())) {
    return undefined;
  }
  if (isOwnedByOther(link, user) || isOwnedByOther(stat, user)) {
    return { why: `${path} belongs to another user`, fix: 'Use one of your own.' };
  }
  return permissionExposure(path, stat) ?? folderExposure(dirname(path), user);
}

/**
 * How other users could replace a file in this folder: through the folder, through one of its parents, or through a
 * link. Undefined if they can't.
 */
export function folderExposure(folder: string, user: UserId): Exposure | undefined {
  if (user === undefined) {
    return undefined;
  }
  for (const path of new Set([...ancestors(folder), ...ancestors(realOf(folder))])) {
    const stat = statOf(path, lstatSync);
    if (stat && isOwnedByOther(stat, user)) {
      return {
        why: `${path} belongs to another user, who can replace what is in it`,
        fix: 'Use a folder of your own.',
      };
    }
    if (stat?.isDirectory() && isReplaceable(stat, { user, isNear: path === folder })) {
      return { why: `other users can replace files in ${path}`, fix: `chmod go-w ${shellWord(path)}` };
    }
  }
  return undefined;
}

/** True if neither this user nor root owns the file. */
export function isOwnedByOther(stat: Stats, user: UserId): boolean {
  return user !== undefined && stat.uid !== user && stat.uid !== ROOT;
}

function permissionExposure(path: string, stat: Stats): Exposure | undefined {
  if (stat.mode & (GROUP_WRITES | OTHERS_WRITE)) {
    return { why: `other users can write to ${path}`, fix: `chmod go-w ${shellWord(path)}` };
  }
  return stat.isFile() && stat.nlink > 1
    ? { why: `${path} has a second name (a hard link)`, fix: `find / -xdev -samefile ${shellWord(path)}` }
    : undefined;
}

/**
 * True if other users can replace a file in the folder. In a sticky folder such as /tmp they can't, because users can
 * change only their own files there. A group may write to a folder of root, because root has decided that. A group with
 * the same number as the user may write to a parent folder, because on many systems the user is its only member.
 */
function isReplaceable({ mode, uid, gid }: Stats, { user, isNear }: { user: number; isNear: boolean }): boolean {
  const group = uid === user && (isNear || gid !== uid) ? GROUP_WRITES : 0;
  const writers = group | OTHERS_WRITE;
  return (mode & STICKY) === 0 && (mode & writers) !== 0;
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The stats of a path. Undefined if there is no file, or if a parent is no folder or can't be read. */
function statOf(path: string, stat: typeof statSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
