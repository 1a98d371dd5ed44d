import type { Mutant } from './mutant.ts';

const LANGUAGES = ['test/unit/import/languages.test.ts'];
const ERRORS = ['test/unit/import/typing-errors.test.ts'];
const CHANNELS = ['test/unit/import/other-channels.test.ts'];
const TAGS = ['test/unit/import/refusing-tags.test.ts'];
const CONSENT = 'src/import/consent-columns';

/** Words of many languages, typing errors, tags, and headers about something else than email. */
export const READING_MUTANTS: readonly Mutant[] = [
  {
    rule: 'C10',
    what: 'a no in Persian or Thai under "Newsletter" names a list',
    file: `${CONSENT}/value-words.ts`,
    from: "...NO.split(' '), ...wordsFor('no').split(',')",
    to: "...NO.split(' ')",
    tests: LANGUAGES,
  },
  {
    rule: 'C10',
    what: 'a word for people who left in Serbian or Hindi says nothing in a tag',
    file: `${CONSENT}/value-words.ts`,
    from: "  [UNSUBSCRIBED, wordsFor('left')],\n",
    to: '',
    tests: LANGUAGES,
  },
  {
    rule: 'C10',
    what: 'a word in a script that svc hardly knows names a list',
    file: `${CONSENT}/cells/sentences.ts`,
    from: 'return RARE_SCRIPT.test(text)',
    to: "return RARE_SCRIPT.test('')",
    tests: LANGUAGES,
  },
  {
    rule: 'C10',
    what: 'two short unknown words under "Newsletter" are the names of lists',
    file: `${CONSENT}/column-meaning.ts`,
    from: 'return words.size === 2 &&',
    to: 'return words.size === 0 &&',
    tests: LANGUAGES,
  },
  {
    rule: 'C10',
    what: 'the Albanian no "jo" under "Newsletter" names a list',
    file: `${CONSENT}/value-words.ts`,
    from: 'return AMBIGUOUS.has(',
    to: "return text === '' && AMBIGUOUS.has(",
    tests: LANGUAGES,
  },
  {
    rule: 'C10',
    what: 'a yes under "असहमति", which refuses consent, agrees to mail',
    file: `${CONSENT}/headers/header-words.ts`,
    from: '  LEAVING,\n',
    to: '',
    tests: LANGUAGES,
  },
  {
    rule: 'C10',
    what: 'a yes under "Opt-uot" says nothing',
    file: `${CONSENT}/headers/read-header.ts`,
    from: 'readCorrected(withoutAnswers(header), read, readWords) ?? read',
    to: "readCorrected('', read, readWords) ?? read",
    tests: ERRORS,
  },
  {
    rule: 'C6',
    what: 'a yes under "Bonced" suppresses the address',
    file: `${CONSENT}/headers/misspelled-headers.ts`,
    from: 'SUPPRESSES.has(found.meaning) ? { ...found, needsConfirmation: true } : found',
    to: 'SUPPRESSES.has(found.meaning) ? found : found',
    tests: ERRORS,
  },
  {
    rule: 'C10',
    what: '"Content" is a typing error in "Consent"',
    file: `${CONSENT}/typing-errors.ts`,
    from: ' || RIGHT_WORDS.has(word)',
    to: '',
    tests: ERRORS,
  },
  {
    rule: 'C10',
    what: 'the tag "unsbuscribed" says nothing',
    file: `${CONSENT}/cells/notes.ts`,
    from: 'holdsMisspelledOptOut(wordsOf(tag))',
    to: "holdsMisspelledOptOut(wordsOf(tag && ''))",
    tests: ERRORS,
  },
  {
    rule: 'C5',
    what: 'the tag "sms-optout" unsubscribes a person from mail',
    file: `${CONSENT}/cells/notes.ts`,
    from: 'const cell = withoutOtherChannels(whole);',
    to: "const cell = whole + withoutOtherChannels('');",
    tests: CHANNELS,
  },
  {
    rule: 'C6',
    what: 'a complaint about a product suppresses the person',
    file: `${CONSENT}/find-consent-columns.ts`,
    from: 'column.isPreviousStatus || column.needsConfirmation ?',
    to: 'column.isPreviousStatus ?',
    tests: CHANNELS,
  },
  {
    rule: 'C6',
    what: 'late goods as the reason of a complaint suppress the person',
    file: `${CONSENT}/read-cell.ts`,
    from: "if (filledMeansHappened && meaning === 'complained') {\n    return { state: 'none', unknown: text };",
    to: "if (filledMeansHappened && meaning === 'complained') {\n    return { state: 'complained' };",
    tests: CHANNELS,
  },
  {
    rule: 'C10',
    what: '{"sms":true} under "Consent" agrees to email',
    file: `${CONSENT}/cells/fields.ts`,
    from: '      .filter(([key, item]) => !isOfOtherChannel(key, item))\n',
    to: '',
    tests: CHANNELS,
  },
  {
    rule: 'C10',
    what: '{"email":false} under "Settings" says nothing',
    file: `${CONSENT}/cells/fields.ts`,
    from: 'return isOpen && namesMailOnly(key) &&',
    to: "return isOpen && key === '' &&",
    tests: CHANNELS,
  },
  {
    rule: 'C10',
    what: 'a person with the tag "DOI-offen" is subscribed',
    file: `${CONSENT}/value-words.ts`,
    from: "  [PENDING, UNFINISHED.join(',')],\n",
    to: '',
    tests: TAGS,
  },
];
