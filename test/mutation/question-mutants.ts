import type { Mutant } from './mutant.ts';

const QUESTIONS = ['test/unit/commands/questions.test.ts'];
const ONE_INPUT = ['test/unit/import/answers-for-one-input.test.ts'];
const PATTERNS = ['test/unit/patterns/linear-patterns.test.ts'];
const PURE = ['test/unit/migrate/questions.test.ts'];

/** Questions at a terminal, and their answers. */
export const QUESTION_MUTANTS: readonly Mutant[] = [
  {
    rule: 'C4',
    what: 'a value that looks like a yes is selected as subscribed',
    file: 'src/migrate/plan/questions.ts',
    from: "KEEPING_MAIL_AWAY.includes(likely) ? likely : 'skip'",
    to: 'likely',
    tests: PURE,
  },
  {
    rule: 'C4',
    what: 'the Enter key answers that all people agreed to get mail',
    file: 'src/migrate/plan/questions.ts',
    from: 'likely: at === 0 && !needsDecision(words),',
    to: 'likely: at === 0,',
    tests: PURE,
  },
  {
    rule: 'C4',
    what: 'an answer about one file holds for all',
    file: 'src/migrate/plan/questions.ts',
    from: 'const file = qualify',
    to: 'const file = stop.level === undefined',
    tests: PURE,
  },
  {
    rule: 'C4',
    what: 'a user who leaves a question gives the selected answer',
    file: 'src/commands/framework/output/prompts.ts',
    from: 'index === undefined ? undefined : choices[index]',
    to: 'choices[index ?? initial]',
    tests: QUESTIONS,
  },
  {
    rule: 'C4',
    what: 'an answer overrides a flag',
    file: 'src/commands/resumable-run/mapping-file.ts',
    from: 'isTyped(name) ? given : value',
    to: 'value',
    tests: PURE,
  },
  {
    rule: 'M7',
    what: 'svc asks questions although the line has --yes, --json or -q',
    file: 'src/commands/framework/output/prompts.ts',
    from: 'return yes || output.json || output.quiet ? undefined : prompter;',
    to: 'return yes && output.json && output.quiet ? undefined : prompter;',
    tests: QUESTIONS,
  },
  {
    rule: 'C4',
    what: 'a run that continues takes other answers than it began with',
    file: 'src/migrate/prepare/resolve-stops.ts',
    from: 'const questioner = run.resumed ? undefined : run.questioner;',
    to: 'const { questioner } = run;',
    tests: QUESTIONS,
  },
  {
    rule: 'C11',
    what: 'an answer for one of several inputs is offered for all of them',
    file: 'src/import/mapping/open-tables.ts',
    from: 'return tables.length < 2 ||',
    to: 'return tables.length > 0 ||',
    tests: ONE_INPUT,
  },
  {
    rule: 'C11',
    what: 'a cross under "Out" makes another list the one of people who left',
    file: 'src/import/survey/checks/no-status.ts',
    from: "states.some(([, state]) => state === 'subscribed')",
    to: 'states.length > 0',
    tests: ONE_INPUT,
  },
  {
    rule: 'D4',
    what: 'a word between brackets is searched in quadratic time',
    file: 'src/import/consent-columns/other-columns/read-words.ts',
    from: '[(*[{]+\\s*(?=\\S)',
    to: '[(*[{]+\\s*',
    tests: PATTERNS,
  },
  {
    rule: 'C10',
    what: 'a person who left one of two lists is unsubscribed without a question',
    file: 'src/import/consent-columns/several-columns/list-columns.ts',
    from: 'return stays && leaves;',
    to: 'return stays && leaves && columns.length === 0;',
    tests: ['test/unit/import/list-columns.test.ts'],
  },
  {
    rule: 'C10',
    what: 'the answer about two lists signs up a person whom another column keeps away',
    file: 'src/import/mapping/state/state-rule.ts',
    from: "others.state === 'unsubscribed' ? status : combineReadings(disagreement, others)",
    to: 'disagreement',
    tests: ['test/unit/import/list-columns.test.ts'],
  },
  {
    rule: 'C10',
    what: 'svc asks about a reason beside an opt-out as if it were another list',
    file: 'src/import/consent-columns/several-columns/list-columns.ts',
    from: '(areNames || !GENERAL.has(word))',
    to: '(areNames || word !== null)',
    tests: ['test/unit/import/list-columns.test.ts'],
  },
];
