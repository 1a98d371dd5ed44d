import type { Mutant } from './mutant.ts';

const ENROLL = ['test/enroll/enroll.test.ts'];

/** What mails people. */
export const ENROLL_MUTANTS: readonly Mutant[] = [
  {
    rule: 'M1',
    what: 'an enrolment carries attributes',
    file: 'src/api/automations.ts',
    from: 'return toBody({ email: checkListed(email) });',
    to: 'return toBody({ email: checkListed(email), attributes: {} });',
    tests: ['test/api/endpoints.test.ts', ...ENROLL],
  },
  {
    rule: 'M1',
    what: 'people who left are enrolled with the others',
    file: 'src/import/last-read.ts',
    from: "fate.kind === 'person' && mayEnrol(reading, table, fate)",
    to: "fate.kind === 'person'",
    tests: ['test/import/enrollees.test.ts', ...ENROLL],
  },
  {
    rule: 'M2',
    what: 'the first enrolment goes with the others',
    file: 'src/enroll/apply.ts',
    from: 'for (let answered = false; !answered; ) {',
    to: 'for (let answered = true; !answered; ) {',
    tests: ENROLL,
  },
  {
    rule: 'M2',
    what: 'a refusal of the flow counts as the fate of one row',
    file: 'src/enroll/send-person.ts',
    from: 'if (error.status === 400) {',
    to: 'if (error.status === 400 || error.status === 409) {',
    tests: ENROLL,
  },
  {
    rule: 'M4',
    what: 'nobody hears that a flow mails members only',
    file: 'src/enroll/checks.ts',
    from: "return sandbox ? ['is in sandbox",
    to: "return sandbox === undefined ? ['is in sandbox",
    tests: ENROLL,
  },
  {
    rule: 'M5',
    what: 'people are enrolled before anybody saw how many',
    file: 'src/enroll/run.ts',
    from: 'if (!resumed && !(await outside.confirm(',
    to: 'if (resumed && !(await outside.confirm(',
    tests: ENROLL,
  },
  {
    rule: 'M5',
    what: 'what one run recorded the next one does not find',
    file: 'src/journal/ledger.ts',
    from: 'WHERE person = ?',
    to: 'WHERE person = ? AND 0',
    tests: ['test/journal/ledger.test.ts'],
  },
  {
    rule: 'M7',
    what: 'with --create-contacts nobody looks at the flows that fire at people who join',
    file: 'src/enroll/checks.ts',
    from: 'const findings = known.createContacts\n',
    to: 'const findings = known.createContacts && known.flow === undefined\n',
    tests: ['test/enroll/contacts.test.ts'],
  },
  {
    rule: 'O6',
    what: 'an outcome that nobody knows is a success',
    file: 'src/enroll/rows.ts',
    from: '.filter(([word]) => !known.includes(word))',
    to: '.filter(([word]) => known.length === 0 && word)',
    tests: ENROLL,
  },
  {
    rule: 'D1',
    what: 'whoever is in a batch of contacts in doubt has two fates',
    file: 'src/enroll/rows.ts',
    from: 'enrollments.doubt + enrollments.pending',
    to: 'tally.doubt + tally.pending',
    tests: ['test/enroll/contacts.test.ts'],
  },
];
