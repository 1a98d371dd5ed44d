import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type List = [head: string, files: Readonly<Record<string, string>>];

/** The lists in a text. Each has the line `== title`, and a line `-- name` above each of its files. */
export function listsIn(text: string): List[] {
  return text
    .split(/^== /m)
    .slice(1)
    .map((block): List => {
      const [head = '', ...files] = block.split(/^-- |\n-- /m);
      return [
        head.trim(),
        Object.fromEntries(
          files.map((file) => [file.slice(0, file.indexOf('\n')), `${file.slice(file.indexOf('\n') + 1).trimEnd()}\n`]),
        ),
      ];
    });
}

/** Lists as people keep them. The people `left1` and so on opted out; the people `good1` and so on agreed. */
export const PASTED_LISTS = listsIn(readFileSync(join(import.meta.dirname, '..', 'pasted-lists.txt'), 'utf8'));
