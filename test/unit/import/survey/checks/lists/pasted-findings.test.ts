import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGolden } from '../../../../../support/golden.ts';
import { readList } from '../../../support.ts';
import { pasteHints } from '../paste-hints.ts';
import { errorLines, findingLines, peopleLines } from './finding-text.ts';
import { PASTED_LISTS } from './paste-lists.ts';

const golden = openGolden(join(import.meta.dirname, 'pasted-findings.txt'));

test.each(PASTED_LISTS)('prints the recorded findings, answers and people: %s (C11)', async (title, files) => {
  const asRead = await readList(files).catch((error: Error) => error);
  const first = asRead instanceof Error ? errorLines(asRead) : findingLines(asRead);
  const answered = await pasteHints(files, {}, asRead instanceof Error ? undefined : asRead);
  golden.check(title, [...first, ...(answered ? peopleLines(answered) : ['no answer leads on'])]);
});

test('has exactly one block for each list in pasted-findings.txt', () => {
  expect(golden.titles()).toEqual(PASTED_LISTS.map(([title]) => title));
});
