import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TypedAnswers } from '../../../../../../src/import/mapping/answers/outranked-answers.ts';
import type { ReadingOptions } from '../../../../../../src/import/mapping/reading-answers.ts';
import { openGolden } from '../../../../../support/golden.ts';
import { readList } from '../../../support.ts';
import { errorLines, findingLines, peopleLines } from './finding-text.ts';
import { listsIn } from './paste-lists.ts';

/** Each list has its answers in the line below the title. */
const LISTS = listsIn(readFileSync(join(import.meta.dirname, 'answered-lists.txt'), 'utf8')).map(
  ([head, files]): [title: string, answers: Partial<ReadingOptions>, files: Readonly<Record<string, string>>] => {
    const [title = '', answers = ''] = head.split('\n? ');
    return [title, JSON.parse(answers), files];
  },
);

const SEED = '0123456789abcdef';

/** The answers as the user types them. */
function typedOf({ map = [], statusMap = {}, defaultStatus = {} }: Partial<ReadingOptions>): TypedAnswers {
  const pairs = (answers: Readonly<Record<string, string>>) =>
    Object.entries(answers).map(([subject, state]) => (subject === '*' ? state : `${subject}=${state}`));
  return {
    map,
    statusMap: Object.entries(statusMap).map((pair) => pair.join('=')),
    defaultStatus: pairs(defaultStatus),
  };
}

const golden = openGolden(join(import.meta.dirname, 'answered-findings.txt'));

test.each(LISTS)('prints the recorded findings and people: %s (C11)', async (title, answers, files) => {
  const lines = await readList(files, answers, SEED, typedOf(answers)).then(
    (list) => [...findingLines(list), ...peopleLines(list)],
    errorLines,
  );
  golden.check(title, lines);
});

test('has exactly one block for each list in answered-findings.txt', () => {
  expect(golden.titles()).toEqual(LISTS.map(([title]) => title));
});
