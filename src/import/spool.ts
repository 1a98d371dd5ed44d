import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ensurePrivateFolder, openPrivateWriter } from '../base/files.ts';
import { sha256Hex } from '../base/hash.ts';
import { fileBytes } from './disk.ts';
import { labelOf } from './label.ts';

/** What `-` and relative paths mean, and the folder of the run, where input that can't be read twice is kept. */
export interface SpoolOptions {
  readonly cwd: string;
  readonly stdin: AsyncIterable<Buffer>;
  readonly folder: string;
  /** Whoever types a list, or waits for one, may change their mind. */
  readonly signal?: AbortSignal | undefined;
}

const STDIN = 'stdin';
const PIPED = 'piped-';
const STDIN_PATHS: readonly string[] = ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];

/** True for standard input by any of its names, FIFOs and `<(…)`: what can't be read twice. */
export function passesOnce(path: string, cwd: string): boolean {
  return STDIN_PATHS.includes(path) || statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * The file behind an input. What can't be read twice is written to the run's folder first (0600), and from then on that
 * file is the input, whatever has become of the path.
 */
export async function spooled(path: string, { cwd, stdin, folder, signal }: SpoolOptions): Promise<string> {
  const kept = spoolPlace(path, folder);
  if (existsSync(kept)) {
    return kept;
  }
  const place = resolve(cwd, path);
  if (STDIN_PATHS.includes(path)) {
    await spool(untilAborted(stdin, signal), kept);
  } else if (passesOnce(path, cwd)) {
    await spool(fileBytes({ place, label: labelOf({ path, entry: undefined }) }), kept);
  } else {
    return place;
  }
  return kept;
}

/** The file that an input is read from when its run goes on. */
export function placeAgain(path: string, { cwd, folder }: Pick<SpoolOptions, 'cwd' | 'folder'>): string {
  const kept = spoolPlace(path, folder);
  return STDIN_PATHS.includes(path) || existsSync(kept) ? kept : resolve(cwd, path);
}

/** Removes what was spooled for a run that needs it no longer. */
export function removeSpools(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name === STDIN || name.startsWith(PIPED)) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

function spoolPlace(path: string, folder: string): string {
  return join(folder, STDIN_PATHS.includes(path) ? STDIN : `${PIPED}${sha256Hex(path).slice(0, 12)}`);
}

/** What comes of a stream until the signal aborts, though it may be waiting for more. */
async function* untilAborted(bytes: AsyncIterable<Buffer>, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  signal?.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  const reader = bytes[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([reader.next(), aborted]);
    if (next.done) {
      return;
    }
    yield next.value;
  }
}

async function spool(bytes: AsyncIterable<Buffer>, path: string): Promise<void> {
  ensurePrivateFolder(dirname(path));
  // Under another name until it is whole: a run that dies here must not take the half for the list.
  const draft = openPrivateWriter(`${path}.part`);
  try {
    for await (const chunk of bytes) {
      draft.write(chunk);
    }
  } finally {
    draft.close();
  }
  renameSync(draft.path, path);
}
