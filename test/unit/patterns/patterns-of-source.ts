import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parseAst } from 'vite';

const ROOT = join(import.meta.dirname, '../../..');
/** The folders whose regular expressions run on text of users. */
const FOLDERS = ['src/import', 'src/platforms', 'src/base/lib', 'src/render'];
// The import of such a file starts to work for a thread.
const ENTRY = '-thread-entry.ts';

/** A regular expression, and the file that holds it. */
export interface FoundPattern {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
}

let found: Promise<readonly FoundPattern[]> | undefined;

/** All regular expressions of these folders: those in the text, and those that a module builds when it is loaded. */
export function patternsOfSource(): Promise<readonly FoundPattern[]> {
  found ??= findPatterns();
  return found;
}

async function findPatterns(): Promise<readonly FoundPattern[]> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith(ENTRY))
      .map((name) => join(folder, name)),
  );
  const written = files.flatMap((file) =>
    writtenIn(parseAst(readFileSync(join(ROOT, file), 'utf8'), { lang: 'ts' }), file),
  );
  const all = [...written, ...(await builtBy(files))];
  return [...new Map(all.map((found) => [`${found.source}/${found.flags}`, found])).values()];
}

function writtenIn(node: unknown, file: string): FoundPattern[] {
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  const { regex, ...fields } = node as { regex?: { pattern: string; flags: string } };
  const own = regex ? [{ source: regex.pattern, flags: regex.flags, file }] : [];
  return [...own, ...Object.values(fields).flatMap((field) => writtenIn(field, file))];
}

async function builtBy(files: readonly string[]): Promise<readonly FoundPattern[]> {
  const thread = new Worker(join(import.meta.dirname, 'built-patterns.ts'), {
    workerData: files.map((file) => join(ROOT, file)),
  });
  const [found] = (await once(thread, 'message')) as [readonly FoundPattern[]];
  await thread.terminate();
  return found.map((one) => ({ ...one, file: relative(ROOT, one.file) }));
}
