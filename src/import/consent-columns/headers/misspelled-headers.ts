import { plainWordsOf } from '../cells/compounds.ts';
import { correctWords } from '../words/typing-errors.ts';
import { mayBeAboutEmail } from './header-predicates.ts';
import type { HeaderReading } from './header-reading.ts';

/**
 * The meaning of a header after its typing errors are corrected: `Opt-uot`, `Unsbuscribed at`. If the header already
 * has a meaning, this meaning stays, unless the corrected words keep mail away: `Newsletter opt-uot`.
 */
export function readMisspelledHeader(
  header: string,
  asWritten: HeaderReading | undefined,
  readWords: (header: string) => HeaderReading | undefined,
): HeaderReading | undefined {
  const mayChange = (asWritten === undefined || UNCERTAIN_MEANINGS.has(asWritten.meaning)) && mayBeAboutEmail(header);
  const correctedWords = mayChange ? correctWords(plainWordsOf(header)) : undefined;
  const corrected = correctedWords === undefined ? undefined : readWords(correctedWords);
  if (corrected === undefined || (asWritten !== undefined && !RESTRICTING_MEANINGS.has(corrected.meaning))) {
    return undefined;
  }
  // A suppression can't be undone, so svc asks before it trusts a corrected word.
  return SUPPRESSING_MEANINGS.has(corrected.meaning) ? { ...corrected, needsConfirmation: true } : corrected;
}

const UNCERTAIN_MEANINGS: ReadonlySet<string> = new Set(['agreed', 'either', 'text']);
const SUPPRESSING_MEANINGS: ReadonlySet<string> = new Set(['suppressed', 'bounced', 'complained']);
const RESTRICTING_MEANINGS: ReadonlySet<string> = new Set([
  ...SUPPRESSING_MEANINGS,
  'optedOut',
  'unconfirmed',
  'either',
]);
