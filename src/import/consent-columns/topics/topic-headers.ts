import { OPT_OUT_MEANINGS } from '../column-meaning.ts';
import type { Meaning } from '../headers/header-reading.ts';
import { readHeader } from '../headers/read-header.ts';
import { namesOneList } from '../several-columns/named-lists.ts';
import { wordsOf } from '../words/plain-words.ts';

// The meanings of a header that can be about one kind of mail. `Newsletter bounced` is about the address.
const MEANINGS_OF_ONE_KIND: ReadonlySet<Meaning> = new Set(['agreed', 'optedOut', 'status', 'either', 'unconfirmed']);

// Matches words for one kind of mail. `namesOneList` does not take them for the name of a list: `Newsletter status`.
const ONE_KIND =
  /newsletter|infolettre|nieuwsbrie|nyh[ed]+t?sbrev|boletin|bulletin|buletin|rundbrief|rundmail|hirlevel|uutiskirj|bilten|рассылк|розсилк|promo|magazin|blog|podcast|weekly|monthly|digest|webinar/u;

/**
 * True for the header of a topic column that is about mail as a whole, such as `Marketing consent`, `Email status` or
 * `Bounced`. Its cells count for the state as if it were no topic column (C10). False for one list, one kind of mail or
 * a product: a no there refuses only the topic. Also false for a header that svc reads only together with its cells.
 */
export function isAboutAllMail(header: string): boolean {
  const reading = readHeader(header);
  if (reading === undefined) {
    return false;
  }
  const mayBeOneKind = MEANINGS_OF_ONE_KIND.has(reading.meaning);
  const isUnsure = reading.meaning === 'agreed' && !reading.asksAboutUnknown;
  const isOneKind = isUnsure || namesOneList(header) || ONE_KIND.test(wordsOf(header));
  return !(mayBeOneKind && isOneKind);
}

/** True for a header under which a yes or a date means no mail, or may mean it: `Opted out of email: News`. */
export function refusesByYes(header: string): boolean {
  const meaning = readHeader(header)?.meaning;
  return meaning !== undefined && OPT_OUT_MEANINGS.has(meaning);
}
