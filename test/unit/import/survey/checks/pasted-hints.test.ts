import { expect, test } from 'vitest';
import { PASTED_LISTS } from './lists/paste-lists.ts';
import { pasteHints } from './paste-hints.ts';

test.each(PASTED_LISTS)('subscribes no opted-out person when the user pastes all hints: %s (C11)', async (_, files) => {
  const list = await pasteHints(files);
  const mailed = (list?.contacts ?? []).filter(({ status }) => status === undefined).map(({ email }) => email);
  const suppressed = Object.values(list?.suppressions ?? {}).flat();
  expect({
    mailed: mailed.filter((email) => email.startsWith('left')),
    suppressed: suppressed.filter((email) => email.startsWith('good')),
  }).toEqual({ mailed: [], suppressed: [] });
});
