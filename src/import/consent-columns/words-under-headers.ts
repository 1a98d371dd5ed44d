import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE, type StatusWords, SUBSCRIBED, statusWords, UNSUBSCRIBED } from '../../platforms/lib/status-words.ts';
import { isInOrOutHeader } from './headers/header-predicates.ts';
import { wordsOf } from './words/plain-words.ts';
import { AGREES_READING } from './words/value-words.ts';
import { compileWords } from './words/word-patterns.ts';

// Words whose meaning only their header shows: `in` under `Opt`, `Contract` under `Data Processing Basis`.

const OPT_WORDS = statusWords([SUBSCRIBED, 'in', 'i'], [UNSUBSCRIBED, 'out', 'o']);
// For the header `S/U` (subscribed, unsubscribed). svc asks about `U`, because the letters can be grades too.
const SU_WORDS = statusWords([AGREES_READING, 's'], [{ state: 'none', unknown: 'U', refusesMail: true }, 'u']);

const ASKS_FOR_ERASURE: StatusReading = { state: 'none', unknown: 'Delete', refusesMail: true };
// The legal bases in Zoho CRM for the use of personal data. Of these, only a refused and a still awaited consent say
// something about mail, and a wish to be deleted may. An awaited consent is `Pending` before the person is asked, and
// `Waiting` until the person answers: `value-words.ts` has both words.
const BASES = statusWords(
  [NONE, 'not applicable', 'legitimate interest', 'legitimate interests', 'vital interest', 'vital interests'],
  [NONE, 'public interest', 'public interests', 'contract', 'legal obligation', 'legal obligations'],
  [NONE, 'consent obtained', 'consent updated'],
  [UNSUBSCRIBED, 'consent denied', 'stop processing', 'stopped processing', 'processing stopped'],
  [ASKS_FOR_ERASURE, 'delete'],
);
const BASIS_HEADER = compileWords('^(?:data )?(?:processing|lawful|legal) basis(?: (?:details?|status|type))?$');

/** The words that mean something only under this header. Undefined for any other header. */
export function wordsUnder(header: string): StatusWords | undefined {
  const words = wordsOf(header);
  if (isInOrOutHeader(header)) {
    return OPT_WORDS;
  }
  return words === 's u' ? SU_WORDS : BASIS_HEADER.test(words) ? BASES : undefined;
}
