import type { Mutant } from './mutant.ts';

const CHOICES = ['test/unit/import/header-choices.test.ts'];

/** Headers that speak of consent. */
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
];
