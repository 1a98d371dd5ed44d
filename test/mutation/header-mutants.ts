import type { Mutant } from './mutant.ts';

const CHOICES = ['test/unit/import/header-choices.test.ts'];
const FIGURES = ['test/unit/import/other-figures.test.ts'];
const VOCABULARY = ['test/unit/import/header-vocabulary.test.ts'];
const LINES = ['test/unit/import/lines-of-text.test.ts'];

/** Headers that speak of consent, and first lines that are none. */
export const HEADER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'C10',
    what: 'a yes under "Newsletter (yes/no)" is an opt-out, and a no signs up',
    file: 'src/import/consent-columns/header-choices.ts',
    from: "return isChoice ? ' ' : pair;",
    to: 'return pair || String(isChoice);',
    tests: CHOICES,
  },
  {
    rule: 'C10',
    what: 'a 1 under "Status (1=active, 2=unsubscribed)" is an opt-out',
    file: 'src/import/consent-columns/header-choices.ts',
    from: "return header.includes('=') || ",
    to: "return header === '=' || ",
    tests: CHOICES,
  },
  {
    rule: 'C10',
    what: 'a column "Verwijderd" or "Avliden" says nothing about its people',
    file: 'src/import/consent-columns/read-header.ts',
    from: 'return LEAVING_HEADERS.has(',
    to: "return words === '?' && LEAVING_HEADERS.has(",
    tests: VOCABULARY,
  },
  {
    rule: 'C10',
    what: 'a no under "Publicidad" or "Utskick" is an attribute',
    file: 'src/import/consent-columns/header-words.ts',
    from: '  // Kinds of mail. They are also in NAMES_LISTS.\n  ADS,\n',
    to: '',
    tests: VOCABULARY,
  },
  {
    rule: 'C6',
    what: 'a spam score is a complaint, and each person with one is suppressed',
    file: 'src/import/consent-columns/read-header.ts',
    from: "words === '' || FORECAST.test(words) ||",
    to: "words === '' ||",
    tests: FIGURES,
  },
  {
    rule: 'C6',
    what: 'a complaint rate is a number of complaints',
    file: 'src/import/consent-columns/read-header.ts',
    from: "return RATE.test(words) ? 'bounces' : 'complained';",
    to: "return RATE.test('') ? 'bounces' : 'complained';",
    tests: FIGURES,
  },
  {
    rule: 'C10',
    what: 'a cancelled order in Spanish is an opt-out',
    file: 'src/import/consent-columns/read-header.ts',
    from: '...(OTHER_STATUS.test(words) && { foreign: true })',
    to: '...(OTHER_STATUS.test(words) && {})',
    tests: FIGURES,
  },
  {
    rule: 'C11',
    what: 'the first person of a text file is offered as the name of the address column',
    file: 'src/import/survey/checks/columns.ts',
    from: 'table.header.some((name) => HOLDS_ADDRESS.test(name))',
    to: 'table.header.every((name) => HOLDS_ADDRESS.test(name) && name === "")',
    tests: LINES,
  },
  {
    rule: 'C9',
    what: 'a rejected line "- anna@example.com" of an opt-out list names no person',
    file: 'src/import/record/address.ts',
    from: 'known ? bare : addressAmid(bare)',
    to: "known ? bare : addressAmid('')",
    tests: LINES,
  },
  {
    rule: 'C10',
    what: 'a file "newsletter without bounces" is offered as a list of bounces',
    file: 'src/import/mapping/default-status.ts',
    from: "withoutAccents(title).replace(TAKEN_OUT, '')",
    to: "withoutAccents(title).replace(TAKEN_OUT, '$&')",
    tests: ['test/unit/import/vocabulary.test.ts'],
  },
  {
    rule: 'C10',
    what: 'yes (until 2023) is a yes',
    file: 'src/import/consent-columns/read-cell.ts',
    from: ' || isLimited(text)',
    to: '',
    tests: ['test/unit/import/refusing-words.test.ts'],
  },
  {
    rule: 'C12',
    what: 'the day on which a status changed is an unknown status',
    file: 'src/import/consent-columns/cells/days.ts',
    from: 'return sure && !detail ?',
    to: 'return sure || detail ?',
    tests: ['test/unit/import/spreadsheet-words.test.ts'],
  },
  {
    rule: 'C10',
    what: 'a person who left all topics of Customer.io is subscribed',
    file: 'src/platforms/customerio.ts',
    from: ': UNSUBSCRIBED;',
    to: ': NONE;',
    tests: ['test/unit/platforms/shapes.test.ts', 'test/unit/platforms/vocabulary.test.ts'],
  },
];
