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
  const mayChange = (read === undefined || UNCERTAIN.has(read.meaning)) && mayBeAboutEmail(header);
  const right = mayChange ? correctWords(plainWordsOf(header)) : undefined;
  const found = right === undefined ? undefined : readWords(right);
  if (found === undefined || (read !== undefined && !KEEPS_AWAY.has(found.meaning))) {
    return undefined;
  }
  // A suppression can't be undone, so svc asks before it trusts a corrected word.
  return SUPPRESSES.has(found.meaning) ? { ...found, needsConfirmation: true } : found;
}

const UNCERTAIN: ReadonlySet<string> = new Set(['agreed', 'either', 'text']);
const SUPPRESSES: ReadonlySet<string> = new Set(['suppressed', 'bounced', 'complained']);
const KEEPS_AWAY: ReadonlySet<string> = new Set([...SUPPRESSES, 'optedOut', 'unconfirmed', 'either']);
