import { plainWordsOf } from '../cells/compounds.ts';
import { namesMailError } from '../cells/mail-results.ts';
import { withoutBlanks } from '../words/plain-words.ts';
import { containsStem } from '../words/word-patterns.ts';
import { endsAgreement, mayNameList } from './header-predicates.ts';
import type { Meaning } from './header-reading.ts';
import {
  AGREEMENT_STEMS,
  BOUNCED_WORDS,
  COMPLAINED_WORDS,
  EVENT_COUNT_WORDS,
  LINK_WORDS,
  NEGATION_WORDS,
  OPT_OUT_STEMS,
  OPT_OUT_WORD,
  REFUSED_MAIL_WORDS,
  SUPPRESSED_WORDS,
  UNCONFIRMED_STEMS,
  UNUSED_RECORD_WORDS,
} from './header-words.ts';
import { INVALID_ADDRESS_WORDS } from './invalid-address-words.ts';

/**
 * The meaning of a header under which a yes means no mail, or may mean it: `Unsubscribed`. Undefined for other headers.
 * svc tests this before the meanings of agreement, because `unsubscribed` contains `subscribed`.
 */
export function negativeMeaning(words: string, filledMeansHappened: boolean): Meaning | undefined {
  if (LINK_WORDS.test(words) && !/\b(?:date|time|reason|campaign)\b/u.test(words)) {
    return undefined;
  }
  if (namesBothOpts(words) || UNCLEAR_OPT.test(words) || isNegatedFailure(words)) {
    return 'either';
  }
  if (containsStem(BOUNCED_WORDS, words)) {
    return bounceMeaning(words);
  }
  return (
    failureMeaning(words) ?? refusalMeaning(words, filledMeansHappened) ?? absenceMeaning(words, filledMeansHappened)
  );
}

// Matches a brief header that does not say whether it is about opting in or out: `EMOPT`, `Opt flag`, `S/U`.
const UNCLEAR_OPT = /^(?:(?:e|em|eml|mkt|mktg) ?opt|opt ?(?:flag|flg|ind|code|kz|yn)|opt o|s u|subs? unsubs?)$/u;

function namesBothOpts(words: string): boolean {
  return /opt(?:ed)? ?in/u.test(words) && /opt(?:ed)? ?out|(?:^| )out(?: |$)/u.test(words);
}

// The meaning of a header which says that the service or the provider stopped the mail: `Complained`, `Blocklisted`.
function failureMeaning(words: string): Meaning | undefined {
  if (containsStem(INVALID_ADDRESS_WORDS, words)) {
    return 'invalid';
  }
  if (containsStem(COMPLAINED_WORDS, words)) {
    return RATE_WORDS.test(words) ? 'bounces' : 'complained';
  }
  if (namesMailError(words)) {
    return 'mailError';
  }
  return containsStem(SUPPRESSED_WORDS, words) ? 'suppressed' : undefined;
}

// The meaning of a header which says that the person refused mail: `Opted out`, `No newsletter`.
function refusalMeaning(words: string, filledMeansHappened: boolean): Meaning | undefined {
  if (isNegatedEnd(words)) {
    return 'either';
  }
  if (containsStem(OPT_OUT_STEMS, words) || OPT_OUT_WORD.test(words)) {
    return optOutOf(words, filledMeansHappened);
  }
  const agrees = !filledMeansHappened && containsStem(AGREEMENT_STEMS, words);
  if (agrees && NO_AT_END.test(words)) {
    return 'optedOut';
  }
  const refuses = REFUSED_MAIL_WORDS.test(words) || (agrees && NEGATION_WORDS.test(words));
  return refuses && !filledMeansHappened && !EVENT_COUNT_WORDS.test(words) ? optOutOf(words, false) : undefined;
}

// The meaning of a header which says that a confirmation is missing, or that the record or the agreement ended.
function absenceMeaning(words: string, filledMeansHappened: boolean): Meaning | undefined {
  if (!filledMeansHappened && UNCONFIRMED_STEMS.test(withoutBlanks(words))) {
    return 'unconfirmed';
  }
  if (UNUSED_RECORD_WORDS.test(words)) {
    return 'withheld';
  }
  return endsAgreement(words) ? optOutOf(words, filledMeansHappened) : undefined;
}

// `optedOut`, or `either` if the header may be the name of a list. A yes below such a name can mean that the person
// wants the list.
function optOutOf(words: string, filledMeansHappened: boolean): Meaning {
  return !filledMeansHappened && mayNameList(words) ? 'either' : 'optedOut';
}

// Matches the header of a column for a no, if the yes has its own column: `Newsletter nein`, `Consent: none`.
const NO_AT_END =
  / (?:nein|nee|nej|нет|ei|hayir|false|none(?: of the above)?|keine[rs]?(?: davon)?)$|^(?:nein|nee|nej) /u;

// True for a header that denies an opt-out or an end: `Not opted out`, `Consent not expired`. False for `Do not mail`,
// which has no word for an opt-out beside its "not".
function isNegatedEnd(words: string): boolean {
  const affirmed = words.replace(EVERY_NEGATION, '').replace(FREE_OF, ' ').replace(NOT_YET, '').trim();
  const saysEnd = containsStem(OPT_OUT_STEMS, affirmed) || OPT_OUT_WORD.test(affirmed) || endsAgreement(affirmed);
  return affirmed !== words && saysEnd;
}

/** True for a header such as `Never bounced`, `Spam-free` or `Not deleted`, the opposite of a failure. */
export function isNegatedFailure(words: string): boolean {
  const affirmed = withoutNegation(words);
  return affirmed !== undefined && (namesFailure(affirmed) || UNUSED_RECORD_WORDS.test(affirmed));
}

/**
 * The words of a header without those that deny: `left` for `Not left`. Undefined if no word denies the others. The
 * "not" of `Do not mail` does not count, because it denies no end.
 */
export function withoutNegation(words: string): string | undefined {
  const otherWords = words.replace(OTHER_NEGATIONS, ' ').trim();
  const affirmed = otherWords.replace(EVERY_NEGATION, ' ').replace(FREE_OF, ' ').replace(NOT_YET, '').trim();
  return affirmed === otherWords ? undefined : affirmed;
}

function namesFailure(words: string): boolean {
  return [BOUNCED_WORDS, COMPLAINED_WORDS, SUPPRESSED_WORDS, INVALID_ADDRESS_WORDS].some((stems) =>
    containsStem(stems, words),
  );
}

// Matches a "no" that does not deny the failure beside it. Such a "no" is about mail or a number, or part of a name:
// `Bounced, do not mail`, `Nicht zugestellt (Bounce)`, `No. of bounces`, `NeverBounce status`.
const OTHER_NEGATIONS =
  /(?:^| )(?:(?:not|never|nicht|nie|pas|non|nao|niet) (?:be |mehr |meer |plus |piu )?(?:(?:e ?)?mail(?:ed|en)?|contact|kontakt|send|sent|deliver|zu(?:ge)?stell|anschreib|distribu|remis|entreg|consegn|found|valid|exist|envi|invi|wysyl)\p{L}*|no (?:contact|entreg|envi|escrib)\p{L}*|no of|never bounce|no (?:more )?(?:(?:e ?)?mails?|newsletter|marketing)$|no such \p{L}+$|no mx(?: record)?s?$|not soft$)(?= |$)|^no longer valid(?= )/gu;

/**
 * True for a header about the end of an opt-out or a ban: `Opt-out cancelled`, `Removed from blacklist`. A no under it
 * means that the opt-out still holds. False for two opt-outs side by side: `Unsubscribed/Removed`.
 */
export function endsOptOut(header: string): boolean {
  const words = plainWordsOf(header);
  const rest = words.replace(UNDONE, ' ').trim();
  const isOptOut =
    OPT_OUT_WORD.test(rest) ||
    BAN.test(rest) ||
    [OPT_OUT_STEMS, SUPPRESSED_WORDS].some((stems) => containsStem(stems, rest));
  return (
    UNBLOCKED.test(words) ||
    (rest !== words && isOptOut && !/[/,;&|+]/u.test(header) && !JOINED.test(words) && !TWO_STATES.test(words))
  );
}

const UNDOING =
  '(?:cancell?ed|lifted|ended|revoked|withdrawn|removed|undone|reversed|rescinded|expired|over|aufgehoben|widerrufen|storniert|beendet|zuruckgezogen|zuruckgenommen|annule|annulee|levee?|revoquee?|retiree?|cancelad[ao]|anulad[ao]|revocad[ao]|annullat[ao]|revocat[ao]|ingetrokken|opgeheven|cofniet[aey]|anulowan[aey]|отменен[ао]?|снят[ао]?)';
const UNDONE = new RegExp(
  `^${UNDOING} |(?: (?:is|was|been|wurde|ist))? ${UNDOING}(?: (?:at|on|am|le|el|date|datum))?$`,
  'u',
);
const JOINED = / (?:or|and|oder|und|ou|et|o|y|e|of|en|due|because|wegen) /u;
// Matches two states of one person: `Removed: unsubscribed`. Here `Removed` does not undo the opt-out.
const TWO_STATES = new RegExp(
  `^${UNDOING} (?:unsubscribed|opted out|abgemeldet|desabonnee?|desinscrite?|dad[oa] de baja|uitgeschreven)$`,
  'u',
);
const BAN =
  /^(?:(?:e ?mail|mail|mailing|newsletter|marketing|contact) )?(?:cancell?ation|ban|block|stop|hold|sperr(?:e|ung)|bloqueo|bloqueio|blocage|blocco|blokkade|blokada)$/u;
const UNBLOCKED =
  /^(?:is |was )?(?:un(?:block|bann?|suppress)(?:ed)?|entsperrt|debloquee?|desbloquead[ao]|sbloccat[ao]|gedeblokkeerd|opted back in)(?: (?:at|on|am|le|el|date|datum))?$/u;

// Matches words for a rate. A rate of complaints is no complaint of this person.
const RATE_WORDS = /\b(?:rate|percent|ratio)\b/u;

const EVERY_NEGATION = new RegExp(
  `${NEGATION_WORDS.source}|(?:^| )(?:(?:did|does|has|have|had|is|was|were|are)nt|aucune?|jamais|nunca|ningun[ao]?|nenhuma?|nessuna?|nooit|ing(?:en|a)|ei|nem|nu (?:a|s a|este))(?= |$)|不[会會]|[没沒]有|なし$|미(?=만료|철회)|안 (?=만료|철회|끝|지)`,
  'gu',
);

// Matches words that deny a failure or an end without a "not": `Bounce-free`, `Free of spam`, `Excluding unsubscribed`.
const FREE_OF =
  /(?<=(?:bounces?|spam|junk|complaints?|abuse|invalid|unsubs?|unsubscribes?|opt ?outs?) ?)(?:free|frei|less|los)(?= |$)|(?:^| )un(?=bounc|quarant|spam|suppress)|(?:^| )(?:(?:free|clear(?:ed)?|clean|void|devoid) (?:of|from)|frei von|(?:libre|livre|exempte?|exento) de|libero da|vrij van|woln[aey] od|fri (?:fran|fra|for)|без)(?= )|^(?:lack(?:s|ing)|minus|less|none|nothing|besides|excl|excluding|except(?: for)?|zero|nil|outside(?: of)?|(?:absent|missing|off)(?: from)?(?: the)?|other than|ausser|ausgenommen|sauf|hors|salvo|excepto|tranne|utom|behalve|oprocz|кроме)(?= )/gu;

// Matches words which say that an end has not come yet: `Consent soon expired`, `Consent expired reminder`, `동의 만료 예정`.
const NOT_YET =
  /(?:^| )(?:soon|nearly|almost|bald|demnachst|fast|kurz vor|bientot|presque|pronto|casi|quasi|presto|quase|em breve|bijna|binnenkort|wkrotce|prawie|snart|nastan|naesten|nesten|brzy|hamarosan|curand|aproape|pian|kohta|yakinda|скоро|почти)(?= |$)|(?<=(?:consent|permission|einwilligung|consentement|consentimi?ento|consenso|toestemming|zgod[ay]|samtykk?e|samtycke|согласие) .{0,40}) (?:reminder|erinnerung|rappel|recordatorio|promemoria|lembrete|herinnering|przypomnienie|paminnelse|pamindelse|напоминание)(?= |$)|即[将將]|[将將](?=失效|到期|[过過]期)|(?<![以名])前$|(?<=[回期效束止销銷消])提醒|予定$|まで$| (?:예정|전|알림|임박|가능)$|可(?=撤)/gu;

function bounceMeaning(words: string): Meaning | undefined {
  if (/\b(?:hard|permanent)/u.test(words)) {
    return 'bounced';
  }
  if (/\bsoft\b/u.test(words)) {
    return undefined;
  }
  return EVENT_COUNT_WORDS.test(words) || /e ?mails bounced|bounces$/u.test(words) ? 'bounces' : 'bounced';
}
