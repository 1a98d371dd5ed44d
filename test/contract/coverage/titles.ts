import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every test of the repository as `file › title`, the title as it is written: parameters are not filled in. */
export function readTitles(root: string): string[] {
  const files = globSync('**/*.test.ts', { cwd: root }).sort();
  return files.flatMap((file) => titlesIn(readFileSync(join(root, file), 'utf8')).map((title) => `${file} › ${title}`));
}

// A title is the text that a call of `test`, or of what `test.each(…)` returned, has before its function.
const TITLE = /(?:\btest|\))\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1,\s*(?:async )?\(/g;

/** The titles of one file, in its order. */
export function titlesIn(text: string): string[] {
  return [...text.matchAll(TITLE)].map((match) => (match[2] ?? '').replace(/\\(.)/g, '$1'));
}
