import type { StatusReading } from '../../../platforms/lib/states.ts';
import { COMPLAINED, NONE, PENDING, UNSUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import { skipReading, wordLookupKey } from '../value-words.ts';
import { wordsOf } from '../words-and-stems.ts';

// Words of email services for what happened to the last message. None of them proves a hard bounce.
const EVENTS: readonly (readonly [StatusReading, string])[] = [
  [NONE, 'open, opened, email opened, opened email, unique open, click, clicked, link clicked, clicked link, read'],
  [NONE, 'sent, send, email sent, delivered, delivery, processed, deferred, deferral, queued, accepted, soft bounce'],
  [
    skipReading('bounced'),
    'bounce, bounced, email bounced, dropped, drop, failed, rejected, reject, undelivered, not delivered, permanent fail, permanent failure, zustellfehler, rebond, rebote, rimbalzo',
  ],
  [PENDING, 'confirmation sent, confirmation email sent, bestatigungsmail versendet'],
  [COMPLAINED, 'complaint, spam complaint, spam report, complained, marked as spam, spam'],
  [UNSUBSCRIBED, 'unsubscribe, unsubscribed, list unsubscribe, group unsubscribe'],
];

/** The status that each event gives, by the `wordLookupKey` of its word. */
export const EVENT_WORDS: ReadonlyMap<string, StatusReading> = new Map(
  EVENTS.flatMap(([status, words]) =>
    words.split(',').map((word): [string, StatusReading] => [wordLookupKey(word), status]),
  ),
);

// Matches headers of events: `Last event`, `Email activity`. Under other headers `open` and `sent` can be about a
// parcel.
const EVENT_HEADER =
  /(?:^| )(?:events?|activity|actions?|engagement|interaction|response|result|e ?mail|ereignis|aktion|aktivitat|evento|accion|accao|acao|azione|evenement|gebeurtenis|actie|zdarzenie|handelse|handling|hendelse|tapahtuma|olay|событие)(?: (?:type|name|status|typ))?$/u;
const MAIL_ONLY_EVENTS: ReadonlySet<string> = new Set(
  ['opened', 'click', 'clicked', 'bounce', 'bounced', 'soft bounce', 'spam report', 'spam complaint'].map(
    wordLookupKey,
  ),
);
const MIN_SHARE = 0.8;

/** True for a column that says what happened to the last message: `opened`, `clicked`, `bounce`. */
export function holdsMailEvents(header: string, cells: readonly string[]): boolean {
  const keys = cells.map(wordLookupKey);
  const knownCount = keys.filter((key) => EVENT_WORDS.has(key)).length;
  const isMostly = keys.length > 0 && knownCount >= keys.length * MIN_SHARE;
  const isMail = keys.some((key) => MAIL_ONLY_EVENTS.has(key));
  return EVENT_HEADER.test(wordsOf(header)) ? isMostly || isMail : isMostly && isMail;
}
