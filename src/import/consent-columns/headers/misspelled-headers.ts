import { plainWordsOf } from '../cells/compounds.ts';
import { correctWords } from '../typing-errors.ts';
import { mayBeAboutEmail } from './header-predicates.ts';
import type { HeaderReading } from './header-reading.ts';

/**
 * The meaning of a header after its typing errors are corrected: `Opt-uot`, `Unsbuscribed at`. A header with a meaning
 * keeps it, unless the corrected words are an opt-out: `Newsletter opt-uot`.
 */
export function readMisspelledHeader(
  header: string,
  read: HeaderReading | undefined,
  readWords: (header: string) => HeaderReading | undefined,
): HeaderReading | undefined {
  const mayChange = (read === undefined || UNCERTAIN_MEANINGS.has(read.meaning)) && mayBeAboutEmail(header);
  const right = mayChange ? correctWords(plainWordsOf(header)) : undefined;
  const found = right === undefined ? undefined : readWords(right);
  if (found === undefined || (read !== undefined && !RESTRICTING_MEANINGS.has(found.meaning))) {
    return undefined;
  }
  // A suppression can't be undone, so svc asks before it trusts a corrected word.
  return SUPPRESSING_MEANINGS.has(found.meaning) ? { ...found, needsConfirmation: true } : found;
}

const UNCERTAIN_MEANINGS: ReadonlySet<string> = new Set(['agreed', 'either', 'text']);
const SUPPRESSING_MEANINGS: ReadonlySet<string> = new Set(['suppressed', 'bounced', 'complained']);
const RESTRICTING_MEANINGS: ReadonlySet<string> = new Set([
  ...SUPPRESSING_MEANINGS,
  'optedOut',
  'unconfirmed',
  'either',
]);
