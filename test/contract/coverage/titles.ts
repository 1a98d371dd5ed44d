import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every test of the repository as `file › title`, the title as it is written: parameters are not filled in. */
export function readTitles(root: string): string[] {
  const files = globSync('**/*.test.ts', { cwd: root }).sort();
  return files.flatMap((file) => titlesIn(readFileSync(join(root, file), 'utf8')).map((title) => `${file} › ${title}`));
}

// A title is the text before the function in a call of `test`, of what `test.each(…)` returned, or of an alias such as
// `small`. Options such as `{ timeout: 60_000 }` may stand between them.
const CALL = String.raw`(?:\b(?:it|test|small)(?:\.\w+)?|\))\(`;
const TEXT = String.raw`(['"${'`'}])((?:\\.|(?!\1)[^\n])*)\1`;
const TITLE = new RegExp(String.raw`${CALL}\s*${TEXT},\s*(?:\{[^{}]*\},\s*)?(?:async )?\(`, 'g');

/** The titles of one file, in its order. */
export function titlesIn(text: string): string[] {
  return [...text.matchAll(TITLE)].map((match) => (match[2] ?? '').replace(/\\(.)/g, '$1'));
}
