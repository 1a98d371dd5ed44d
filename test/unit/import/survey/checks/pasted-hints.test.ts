import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pasteHints } from './paste-hints.ts';

/** Lists as people keep them. The people `left1` and so on opted out; the people `good1` and so on agreed. */
const LISTS = readFileSync(join(import.meta.dirname, 'pasted-lists.txt'), 'utf8')
  .split(/^== /m)
  .slice(1)
  .map((text): [title: string, files: Readonly<Record<string, string>>] => {
    const [title = '', ...files] = text.split(/^-- |\n-- /m);
    return [
      title.trim(),
      Object.fromEntries(
        files.map((file) => [file.slice(0, file.indexOf('\n')), `${file.slice(file.indexOf('\n') + 1).trimEnd()}\n`]),
      ),
    ];
  });

test.each(LISTS)('subscribes no opted-out person when the user pastes all hints: %s (C11)', async (_, files) => {
  const list = await pasteHints(files);
  const mailed = (list?.contacts ?? []).filter(({ status }) => status === undefined).map(({ email }) => email);
  const suppressed = Object.values(list?.suppressions ?? {}).flat();
  expect({
    mailed: mailed.filter((email) => email.startsWith('left')),
    suppressed: suppressed.filter((email) => email.startsWith('good')),
  }).toEqual({ mailed: [], suppressed: [] });
});
