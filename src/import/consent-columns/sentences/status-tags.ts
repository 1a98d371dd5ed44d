import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { withoutTime } from '../cells/days.ts';
import { combineReadings, questionReading } from '../several-columns/combine-readings.ts';
import { withoutBlanks, wordsOf } from '../words/plain-words.ts';
import { CLEAR_WORDS, STATE_WORDS, skipReading } from '../words/value-words.ts';
import { compileWords } from '../words/word-patterns.ts';

// Tags, labels and groups with the words of a status: `cleaned`, `archived`, `Email disabled`.

const BETWEEN_TAGS = /["'\s]*[,;|\n]["'\s]*|^["'\s]+|["'\s]+$/u;
const LONGEST_TAG = 40;
// What mail programs and the tags of users put around the status: `mc-cleaned`, `email disabled`, `archived contacts`.
const BESIDE_STATUS =
  'mc|mailchimp|e|mail|emails?|newsletter|nl|list|status|contacts?|subscribers?|members?|users?|address|addresses|kontakte?|abonnent(?:en)?|adressen?|contactos?|contatt[oi]|contacten|abonnes?';
const BEFORE_STATUS = compileWords(`^(?:(?:${BESIDE_STATUS}|\\d+) ){1,6}(?=\\S)`);
const AFTER_STATUS = compileWords(`(?: (?:${BESIDE_STATUS}|\\d+)){1,6}$`);
// Tags about which this rule does not ask, because lists often have them for another reason. For example, the person
// waits for a product, or gave no answer to a salesperson.
const USUAL_TAGS: ReadonlySet<string> = new Set(
  'waiting notresponded wartend vantar odottaa redacted trash archive'.split(' '),
);
const REASONS: ReadonlySet<string | undefined> = new Set([undefined, 'archived', 'deleted', 'disabled']);
// Matches a tag of the people whom a user removed from another list, or meant to remove.
const CLEANUP = compileWords(
  '^(?:(?:to|zu|a|da|te) )?(?:clean(?:ed)? ?ups?|list cleaning|list hygiene|(?:listen|daten|adress|kontakt)?bereinigung|aufraumen|aufgeraumt|nettoyage(?: de)?(?: la)? (?:liste|base)|limpieza(?: de)?(?: la)? (?:lista|base)|limpeza(?: da)? (?:lista|base)|pulizia(?: della)? lista|opschoning|opschonen|uprydning|opprydding|stadning|siivous)$',
);

/**
 * The state that a list of tags gives by the words of a status. `cleaned` is a bounce (C6). svc asks about the other
 * words, because a tag can have another meaning: `pending`, `archived`, `cleanup`.
 */
export function stateOfStatusTags(cell: string): StatusReading {
  return cell
    .split(BETWEEN_TAGS)
    .filter((tag) => tag !== '' && tag.length <= LONGEST_TAG)
    .map((tag) => stateOfTag(tag, cell))
    .reduce(combineReadings, NONE);
}

function stateOfTag(tag: string, cell: string): StatusReading {
  const words = withoutTime(wordsOf(tag));
  const status = words.replace(BEFORE_STATUS, '').replace(AFTER_STATUS, '');
  if (status === 'cleaned') {
    return skipReading('bounced');
  }
  const key = withoutBlanks(status);
  const { state, why } = STATE_WORDS.get(key) ?? NONE;
  // svc reads a word of CLEAR_WORDS in each column, so it need not ask about such a word here.
  const isAsked = state === 'pending' && REASONS.has(why) && !USUAL_TAGS.has(key) && !CLEAR_WORDS.has(key);
  return isAsked || CLEANUP.test(words) ? questionReading(cell) : NONE;
}
