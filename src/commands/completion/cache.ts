import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../base/lib/hash.ts';
import { ensurePrivateFolder, writePrivateFile } from '../../base/os/files.ts';

/** An id and what it stands for, as the service said it. */
export interface Remembered {
  readonly value: string;
  readonly about: string;
}

/** Where an answer is kept: by what was asked, of whom, under which key (a fingerprint). */
export interface CachePlace {
  readonly state: string;
  readonly name: string;
  readonly now: number;
}

const FRESH_MS = 60_000;

/** The answer of less than a minute ago, else a new one, which is kept 0600 in the state folder. */
export async function cached(
  { state, name, now }: CachePlace,
  ask: () => Promise<Remembered[]>,
): Promise<Remembered[]> {
  const folder = join(state, 'completion');
  const path = join(folder, `${sha256Hex(name).slice(0, 16)}.json`);
  const kept = read(path);
  if (kept && now - kept.at >= 0 && now - kept.at < FRESH_MS) {
    return kept.found;
  }
  const found = await ask();
  ensurePrivateFolder(folder);
  writePrivateFile(path, JSON.stringify({ at: now, found }));
  return found;
}

interface Kept {
  readonly at: number;
  readonly found: Remembered[];
}

function read(path: string): Kept | undefined {
  if (!existsSync(path)) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isKept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'number' &&
    'found' in value &&
    Array.isArray(value.found) &&
    value.found.every((each) => typeof each?.value === 'string' && typeof each?.about === 'string')
  );
}
