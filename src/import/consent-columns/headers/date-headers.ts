import { wordsOf } from '../words-and-stems.ts';
import { contradictsItself, mayMeanOptOut } from './contrary-headers.ts';
import { MEANINGS_OF_AGREEMENT, type Meaning } from './header-reading.ts';
import { readHeader } from './read-header.ts';

/**
 * What the dates in a column mean: people opted out, were stopped or may have left (`optedOut`), agreed or confirmed
 * (`agreed`), or svc can't know.
 */
export type DateMeaning = 'optedOut' | 'agreed' | 'unclear';

/**
 * The meaning of a column of dates. Among dates of agreement (`doi_at`, `email_verified_at`, `Confirmed`), a blank
 * means that the person may never have confirmed.
 */
export function dateMeaning(header = ''): DateMeaning {
  const words = wordsOf(header);
  const reading = readHeader(header);
  if (mayMeanOptOut(header) || contradictsItself(words) || (reading && MEANINGS_OF_OPT_OUTS.has(reading.meaning))) {
    return 'optedOut';
  }
  return CONFIRMATION_WORDS.test(words) || (reading && MEANINGS_OF_AGREEMENT.has(reading.meaning))
    ? 'agreed'
    : 'unclear';
}

/** True if a date under the header may be the day of an opt-out, a bounce or a complaint. */
export function meansOptOut(header: string | undefined): boolean {
  return dateMeaning(header) === 'optedOut';
}

/**
 * True if the dates under a header are days of an agreement or a confirmation. The day of a status change is no such
 * day.
 */
export function namesConfirmation(header = ''): boolean {
  return dateMeaning(header) === 'agreed' && !STATUS_LIKE.has(readHeader(header)?.meaning ?? 'text');
}

const STATUS_LIKE: ReadonlySet<Meaning> = new Set(['active', 'status', 'channel']);
const MEANINGS_OF_OPT_OUTS: ReadonlySet<Meaning> = new Set([
  'optedOut',
  'either',
  'suppressed',
  'bounced',
  'mailError',
  'complained',
  'withheld',
]);

/**
 * Words that mean agreement or confirmation above dates. Above a yes or a no they don't count as consent, because they
 * can be about terms.
 */
const CONFIRMATION_WORDS =
  /\b(?:doi|coi|soi|(?:double|single|confirmed) opt|opt(?:ed)? ?in|verif\w*|geverif\w*|confirm\w*|conferm\w*|bestat\w*|bestaet\w*|bevestig\w*|bekraft\w*|bekraeft\w*|potwierdz\w*|agree[ds]?|agreement|accept\w*|approv\w*|validated|consent\w*|permission|zustimm\w*|zugestimmt|einwillig\w*|activat\w*|aktivier\w*|freigeschaltet|gdpr|dsgvo|rgpd)\b/u;
