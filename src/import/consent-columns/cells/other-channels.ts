import { wordsOf } from '../words-and-stems.ts';

// Finds opt-outs from another channel than email, in tags and notes: `sms-optout`, `opted out of SMS`. Such people
// still get email.

const CHANNEL =
  'sms|mms|rcs|texts?|texting|text messages?|phone|phone calls?|calls?|calling|telephone|telefon\\p{L}*|telemarketing|whats ?app|push|push notifications?|viber|telegram|messenger|fax|voice|llamadas?|appels?|anrufe?';
const PAPER = 'post|postal|postal mail|direct mail|paper|paper mail|print|letters?|brief|briefe|catalogue?|katalog';
const OPT_OUT_WORDS_OF_CHANNEL =
  'opt(?:ed|s)? ?outs?|unsub\\p{L}*|stop(?:s|ped)?|bounced?|blocked|removed|declined|refused|invalid|undeliver\\p{L}*|blacklist(?:ed)?|blocklist(?:ed)?|suppressed|complaints?|abgemeldet|abmeldung|abbestellt|widerruf(?:en)?|gesperrt|desabonne|desinscrit|baja|disiscritt[oa]|uitgeschreven|afgemeld';

// Makes a pattern for an opt-out from a channel: `SMS opt-out`, `opted out of SMS`. It does not match `Unsubscribed by
// phone`, which is an opt-out from mail.
const optOutPatternOf = (channel: string): RegExp =>
  new RegExp(
    `^(?:(?:${channel}) (?:marketing |channel |list |is |was |has )?(?:${OPT_OUT_WORDS_OF_CHANNEL})|(?:${OPT_OUT_WORDS_OF_CHANNEL}) (?:(?:of|from|for|to|all|any|von|de|da|del|van) )*(?:${channel})(?: marketing| messages?| lists?| notifications?)?)$`,
    'u',
  );
const OUT_OF_CALLS = optOutPatternOf(CHANNEL);
const OUT_OF_PAPER = optOutPatternOf(PAPER);

const LONGEST_TEXT = 60;
const MAY_NAME_CHANNEL = /sms|mms|rcs|text|phon|call|tele|what|push|viber|messen|fax|voice|llamad|appel|anruf/i;
const BETWEEN_CLAUSES = /[,;|\n]/;

/** True for a tag or clause that refuses only text messages or calls: `SMS opt-out`. */
export function refusesOtherChannel(text: string): boolean {
  return text.length <= LONGEST_TEXT && MAY_NAME_CHANNEL.test(text) && OUT_OF_CALLS.test(wordsOf(text));
}

/**
 * True for a tag or clause that refuses only paper mail: `post-optout`. In some languages `post` also means email, so
 * svc asks about it.
 */
export function refusesPaperMail(text: string): boolean {
  return text.length <= LONGEST_TEXT && OUT_OF_PAPER.test(wordsOf(text));
}

/** The cell without the tags or clauses about other channels. */
export function withoutOtherChannels(cell: string): string {
  if (!MAY_NAME_CHANNEL.test(cell)) {
    return cell;
  }
  const parts = cell.split(BETWEEN_CLAUSES);
  const otherParts = parts.filter((part) => !refusesOtherChannel(part));
  return otherParts.length === parts.length ? cell : otherParts.join(',');
}
