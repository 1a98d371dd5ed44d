import type { Mutant } from './mutant.ts';

const DOMAINS = ['test/unit/import/whole-domains.test.ts'];
const PREVIOUS = ['test/unit/import/previous-status.test.ts'];
const MARKS = ['test/unit/import/marks-inside-values.test.ts'];
const PASTED = ['test/unit/import/pasted-hints.test.ts'];
const NAMED = ['test/unit/import/named-for-leaving.test.ts'];
const UNREAD = ['test/unit/migrate/unread-opt-outs.test.ts'];

/** People who left, in rows that do not name them as other rows do. */
export const LEAVER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'C9',
    what: 'a whole domain in a list of people who left is only rejected',
    file: 'src/import/survey/checks/domains.ts',
    from: 'found.length === 0',
    to: 'found.length >= 0',
    tests: DOMAINS,
  },
  {
    rule: 'C9',
    what: 'the answer about a domain does not hold for its people',
    file: 'src/import/record/domains.ts',
    from: '? strictest(own, answer) : own',
    to: '? own : own',
    tests: DOMAINS,
  },
  {
    rule: 'C9',
    what: 'the first domain of a list is taken for its header',
    file: 'src/import/dialect/header-row.ts',
    from: 'width === 1 && isListOfDomains(rows)',
    to: 'width === 0 && isListOfDomains(rows)',
    tests: DOMAINS,
  },
  {
    rule: 'F8',
    what: 'a domain is sent as the address of a person',
    file: 'src/import/record/address.ts',
    from: '.length <= LONGEST_ADDRESS_OCTETS && !NO_NAME.test(text)',
    to: '.length <= LONGEST_ADDRESS_OCTETS',
    tests: DOMAINS,
  },
  {
    rule: 'C10',
    what: 'a previous status suppresses a person who is active',
    file: 'src/import/consent-columns/detect.ts',
    from: 'column.past ? asPast(found, cell) : found',
    to: 'found',
    tests: PREVIOUS,
  },
  {
    rule: 'C11',
    what: 'the first answer suppresses people whose rows say active',
    file: 'src/import/survey/checks/silence-answers.ts',
    from: 'reasonOf(offered) === undefined ? [named] : [away, named]',
    to: '[named]',
    tests: NAMED,
  },
  {
    rule: 'C11',
    what: 'a list without its bad addresses is suppressed, because its name says cleaned',
    file: 'src/platforms/mailchimp.ts',
    from: "return status !== 'cleaned' || ",
    to: "return status !== '' || ",
    tests: NAMED,
  },
  {
    rule: 'C10',
    what: 'an opt-out word beside a name signs the person up',
    file: 'src/import/consent-columns/other-columns/name-marks.ts',
    from: 'parts.some((part)',
    to: '[].some((part)',
    tests: MARKS,
  },
  {
    rule: 'C10',
    what: 'the fast reader passes over an opt-out word beside a name',
    file: 'src/import/record/ordinary-row.ts',
    from: 'mayHoldMark(bytes, start, end, isList)',
    to: 'mayHoldState(bytes, start, end, isList)',
    tests: MARKS,
  },
  {
    rule: 'C10',
    what: 'the tag "!newsletter" signs the person up',
    file: 'src/import/consent-columns/cells/notes.ts',
    from: 'return TAKEN_AWAY.test(tag) && ',
    to: "return tag === '' && ",
    tests: MARKS,
  },
  {
    rule: 'C9',
    what: 'another row signs a person up whose address is struck through',
    file: 'src/import/record/address-columns.ts',
    from: 'replace(/[.*_~#!-]+$/u',
    to: 'replace(/[.*_-]+$/u',
    tests: ['test/unit/import/mentioned-addresses.test.ts'],
  },
  {
    rule: 'C11',
    what: 'a yes to the newsletter is offered first beside a column that says who resigned',
    file: 'src/import/survey/checks/silence-answers.ts',
    from: 'return others.length > 0\n',
    to: 'return others.length < 0\n',
    tests: PASTED,
  },
  {
    rule: 'C11',
    what: 'the title of a list suppresses all its people',
    file: 'src/import/survey/checks/silence-answers.ts',
    from: "offered === 'suppressed' ? ",
    to: 'offered !== offered ? ',
    tests: PASTED,
  },
  {
    rule: 'C11',
    what: 'all others are offered as subscribed, because a column about something else names one person who left',
    file: 'src/import/survey/checks/silence-answers.ts',
    from: 'const isNamed = speaks && (',
    to: 'const isNamed = (speaks || true) && (',
    tests: PASTED,
  },
  {
    rule: 'C4',
    what: 'people who formerly subscribed are subscribed',
    file: 'src/platforms/mailchimp.ts',
    from: '!SUBSCRIBED_ONLY.test(name) && ',
    to: 'SUBSCRIBED_ONLY.test(name) && ',
    tests: ['test/unit/platforms/shapes.test.ts'],
  },
  {
    rule: 'L5',
    what: 'the second person of a row is lost without a word',
    file: 'src/import/survey/checks/all-checks.ts',
    from: '  secondPeople,\n  mentions,',
    to: '  mentions,',
    tests: ['test/unit/import/second-people.test.ts'],
  },
  {
    rule: 'C9',
    what: 'a list of people who left that cannot be read is left out',
    file: 'src/migrate/checks/failures.ts',
    from: 'inputs.length === 0 || isAnswered',
    to: 'inputs.length >= 0 || isAnswered',
    tests: UNREAD,
  },
];
