import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { shellWord } from '../lib/text.ts';

/** Who runs the program: the effective user id; undefined where the system has none. */
export type User = number | undefined;

/** How other users may get at a file or change it, and a whole command, or a sentence, that ends it. */
export interface Exposure {
  readonly why: string;
  readonly fix: string;
}

const ROOT = 0;
const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/** What is wrong with an open file that receives a secret: it must be this user's, have one name and be closed to writers (K8). */
export function fileExposure(path: string, stat: Stats, user: User): Exposure | undefined {
  if (user === undefined) {
    return undefined;
  }
  if (stat.uid !== user) {
    return { why: `${path} belongs to another user`, fix: 'Use a file of your own.' };
  }
  return permissionExposure(path, stat);
}

/** The same for what is read as a key or as settings: root may own it as well. Undefined where there is no such file. */
export function exposureOf(path: string, user: User): Exposure | undefined {
  const [link, stat] = [statOf(path, lstatSync), statOf(path, statSync)];
  if (user === undefined || !link || !stat || !(stat.isFile() || stat.isDirectory())) {
    return undefined;
  }
  if (isForeign(link, user) || isForeign(stat, user)) {
    return { why: `${path} belongs to another user`, fix: 'Use one of your own.' };
  }
  return permissionExposure(path, stat) ?? folderExposure(dirname(path), user);
}

/** Who else could put another file in the place of one in this folder: through it, one above it, or a link on the way. */
export function folderExposure(folder: string, user: User): Exposure | undefined {
  if (user === undefined) {
    return undefined;
  }
  for (const at of new Set([...ancestors(folder), ...ancestors(realOf(folder))])) {
    const stat = statOf(at, lstatSync);
    if (stat && isForeign(stat, user)) {
      return { why: `${at} belongs to another user, who can replace what is in it`, fix: 'Use a folder of your own.' };
    }
    if (stat?.isDirectory() && isReplaceable(stat, { user, isNear: at === folder })) {
      return { why: `other users can replace files in ${at}`, fix: `chmod go-w ${shellWord(at)}` };
    }
  }
  return undefined;
}

/** True for what neither this user nor root owns. */
export function isForeign(stat: Stats, user: User): boolean {
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
 * In a sticky folder such as /tmp everybody keeps to their own files. What root lets a group write is root's decision, and
 * further up a group of the user's own number is theirs alone, as many systems set it up.
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

/** Undefined also where something above is no folder, or closed. */
function statOf(path: string, stat: typeof statSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
