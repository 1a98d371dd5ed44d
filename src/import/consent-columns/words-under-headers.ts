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
// The legal bases in Zoho CRM for the use of personal data. A denied consent and `stop processing` are opt-outs, and
// svc asks about `delete`. The other bases in this table say nothing about mail. A consent that is still awaited is
// missing here, because `value-words.ts` has it: `Pending` before the person is asked, `Waiting` until the person
// answers.
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
