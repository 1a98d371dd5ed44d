import { expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/finding.ts';
import { withAnswers } from '../../../../src/commands/mailing-list-commands/mapping/mapping-file.ts';
import type { Question } from '../../../../src/run-lifecycle/data/questioner.ts';
import { questionsOf } from '../../../../src/run-lifecycle/stops/questions.ts';

const stop = (check: string, flags: string | undefined, more: Partial<Finding> = {}): Finding => ({
  check,
  level: 'stop',
  message: check,
  hint: flags === undefined ? 'Unpack it' : `svc migrate a.csv ${flags}`,
  flags,
  ...more,
});

const selected = (question: Question | undefined) => question?.choices.filter(({ isLikely }) => isLikely);

test.each([
  '--default-status subscribed',
  '--default-status list.csv=subscribed',
  "--status-map 'Consent:perhaps'=subscribed --status-map no=skip",
  '--status-map=-1=subscribed',
  '--reason unsubscribed',
  '--allow-automation aut_1',
  '--max-failures 30',
  '--max-new-fields 80',
  '--allow-joined-files',
  "--allow-heading 'Left in 2023'",
  "--allow-legend '* = left'",
  '--allow-blanks List',
  '--plan paid',
  '--full',
])('preselects "stop" when the likeliest answer is %s (C4, C11)', (flags) => {
  const [question] = questionsOf([stop('no_status', flags)]) ?? [];
  expect(selected(question)).toEqual([expect.objectContaining({ flags: undefined })]);
  expect(question?.choices[0]?.isLikely).toBe(false);
});

test.each([
  ['--map State=status', ['--map', 'State=status']],
  ["--map 'A b=attributes.a_2'", ['--map', 'A b=attributes.a_2']],
  ['--date-order dmy', ['--date-order', 'dmy']],
  ['--default-status gone.csv=unsubscribed', ['--default-status', 'gone.csv=unsubscribed']],
])('preselects the likeliest answer when it is harmless: %s', (flags, words) => {
  const [question] = questionsOf([stop('columns', flags)]) ?? [];
  expect(selected(question)).toMatchObject([{ flags: words }]);
});

test.each([
  ['subscribed', 'subscribed', 'skip'],
  ['unsubscribed', 'unsubscribed', 'unsubscribed'],
  ['bounced', 'bounced', 'bounced'],
  ['pending', 'skip', 'skip'],
])('when a word likely means %s, shows %s first and preselects %s (C4)', (likely, first, initial) => {
  const value = { column: 'State', value: 'yes', answer: 'yes', rows: 3, likely, ignore: 'State=ignore' };
  const [question] = questionsOf([stop('unknown_status', '--status-map yes=skip', { values: [value] })]) ?? [];
  expect(question?.choices[0]?.flags).toEqual(['--status-map', `yes=${first}`]);
  expect(selected(question)).toMatchObject([{ flags: ['--status-map', `yes=${initial}`] }]);
});

test('ignores the column when the user says that it is not about mail (C4)', () => {
  const value = { column: 'State', value: 'yes', answer: 'yes', rows: 3, likely: 'skip', ignore: 'State=ignore' };
  const [question] = questionsOf([stop('unknown_status', '--status-map yes=skip', { values: [value] })]) ?? [];
  const choice = question?.choices.find(({ answersGroup }) => answersGroup);
  expect(choice).toMatchObject({ label: 'the column "State" is not about mail', flags: ['--map', 'State=ignore'] });
});

test('names the file in each answer when several files have no state (C4)', () => {
  const silent = (file: string) =>
    stop('no_status', '--default-status subscribed', { examples: [{ file, line: 2 }], total: 1 });
  const questions = questionsOf([silent('a.csv'), silent('b.csv')]) ?? [];
  const flags = questions.map(({ choices }) => choices.map((choice) => choice.flags?.[1]));
  expect(flags).toEqual([
    ['a.csv=subscribed', 'a.csv=unsubscribed', 'a.csv=skip', undefined],
    ['b.csv=subscribed', 'b.csv=unsubscribed', 'b.csv=skip', undefined],
  ]);
});

test('names the folder in each answer when two files have one name (C11)', () => {
  const silent = (path: string) =>
    stop('no_status', `--default-status ${path}=subscribed`, { examples: [{ file: 'list.csv', line: 2 }], total: 1 });
  const [first] = questionsOf([silent('a/list.csv'), silent('b/list.csv')]) ?? [];
  const flags = first?.choices.map((choice) => choice.flags?.[1]);
  expect(flags).toEqual(['a/list.csv=subscribed', 'a/list.csv=unsubscribed', 'a/list.csv=skip', undefined]);
});

test('asks no question when one of the problems has no answer', () => {
  expect(questionsOf([stop('columns', '--map a=email'), stop('columns', undefined)])).toBeUndefined();
});

test('prefers a flag of the command line to an answer (C4)', () => {
  const typed = { dateOrder: 'dmy', map: ['A=email'] } as const;
  const answers = { dateOrder: 'mdy', encoding: 'cp852', map: ['B=ignore'] } as const;
  expect(withAnswers<object>(typed, answers, (name) => name in typed)).toEqual({
    dateOrder: 'dmy',
    encoding: 'cp852',
    map: ['A=email', 'B=ignore'],
  });
});
