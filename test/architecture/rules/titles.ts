import { titlesIn } from '../../contract/coverage/titles.ts';
import { eachModule, type Rule } from '../rule.ts';

/** The most characters of a title. So a list of failed tests shows each title on one line. */
const LONGEST = 72;

/** Titles are short, and have one form: `does X when Y (C1, C2)`. */
export const shortTitles: Rule = {
  claim: `titles of tests have at most ${LONGEST} characters, "when" for a condition and commas between rule codes`,
  broken: eachModule(['test/'], ({ path, text }) =>
    path.endsWith('.test.ts') ? titlesIn(text).flatMap(problemsOf) : [],
  ),
  proof: {
    files: {
      'test/a.test.ts': [
        `test('${'x'.repeat(LONGEST)}', () => {});`,
        `test('${'y'.repeat(LONGEST + 1)}', () => {});`,
        `test.each(CASES)('does %s${'z'.repeat(LONGEST)}', async () => {});`,
        `test('${'w'.repeat(LONGEST + 3)}', { timeout: 60_000 }, () => {});`,
        `test('does this if it can', () => {});`,
        `test('names its rules (C1 C2)', () => {});`,
        `test('names its rules (C1, C2)', () => {});`,
      ].join('\n'),
    },
    says: [
      `test/a.test.ts: ${LONGEST + 1} characters: ${'y'.repeat(LONGEST + 1)}`,
      `test/a.test.ts: ${LONGEST + 7} characters: does %s${'z'.repeat(LONGEST)}`,
      `test/a.test.ts: ${LONGEST + 3} characters: ${'w'.repeat(LONGEST + 3)}`,
      'test/a.test.ts: "if" instead of "when": does this if it can',
      'test/a.test.ts: no commas between the rules: names its rules (C1 C2)',
    ],
  },
};

function problemsOf(title: string): string[] {
  return [
    ...(title.length > LONGEST ? [`${title.length} characters: ${title}`] : []),
    ...(title.includes(' if ') ? [`"if" instead of "when": ${title}`] : []),
    ...(/\([A-Z]\d+ /.test(title) ? [`no commas between the rules: ${title}`] : []),
  ];
}
