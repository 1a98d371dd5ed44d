import { OPT_OUT_HEADERS } from '../other-columns/opt-out-words.ts';
import { isOnlyOtherChannel } from '../sentences/limited-mail.ts';
import { keepsMailAway } from '../several-columns/combine-readings.ts';
import { canStandBetween } from '../words/phrases.ts';
import { withoutBlanks, wordsOf } from '../words/plain-words.ts';
import { STATUS_HEADER } from '../words/status-headers.ts';
import { CLEAR_WORDS, isPlainYesNo, isStateWord, readYesNo, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';
import { containsStem } from '../words/word-patterns.ts';
import {
  AGREEMENT_STEMS,
  EMAIL_CHANNEL,
  ENDED_IN_OTHER_SCRIPTS,
  ENDED_WORDS,
  EVENT_MAIL_WORDS,
  MAIL_ONLY_HEADER,
  NEGATION_WORDS,
  OPT_OUT_STEMS,
  OPT_OUT_WORD,
  OTHER_CHANNEL_WORDS,
  PAPER_MAIL_WORDS,
} from './header-words.ts';

const OR_WORD = '(?<= )(?:or|oder|ou|o|of|eller|lub|czy|tai|nebo|veya|или)(?= )';
// Matches two choices: `yes/no`. The look-behind and the limit keep the time linear: a cell can have 300,000 letters.
const PAIR_OF_CHOICES = new RegExp(
  `(?<![\\p{L}\\d])([\\p{L}\\d]+)\\s*(?:[/|\\\\]|,(?=[^()]{0,60}\\))|${OR_WORD})\\s*([\\p{L}\\d]+)`,
  'giu',
);
const BETWEEN_CHOICES = new RegExp(`[/|\\\\,;:()[\\]\\n]|${OR_WORD}`, 'iu');

/**
 * The header without a list of answers, so that the "no" in the list does not count: `Newsletter (yes/no)` becomes
 * `Newsletter`.
 */
export function withoutAnswers(header: string): string {
  return header.replace(PAIR_OF_CHOICES, (pair, first: string, second: string) => {
    const isChoice = isPlainYesNo(first) && isPlainYesNo(second) && readYesNo(first) !== readYesNo(second);
    return isChoice ? ' ' : pair;
  });
}

/**
 * True for a header that explains its cells: `Status (1=active, 2=unsubscribed)`, `Subscribed/Unsubscribed`. svc then
 * can't know what a yes or a number below it means.
 */
export function explainsCells(header: string): boolean {
  const choices = choicesIn(header);
  return header.includes('=') || (choices.some(saysYes) && choices.some(saysNo));
}

/** True for a header that names a status and its opposite: `Active/Inactive`. False for `Inactive (x)`. */
export function namesBothStates(header: string): boolean {
  const choices = choicesIn(header);
  return choices.some((choice) => STATE_WORDS.has(wordLookupKey(choice)) && !saysNo(choice)) && choices.some(saysNo);
}

function choicesIn(header: string): readonly string[] {
  return withoutAnswers(header).split(BETWEEN_CHOICES);
}

function saysYes(choice: string): boolean {
  const state = STATE_WORDS.get(wordLookupKey(choice));
  return state?.state === 'subscribed' || readYesNo(choice) === true;
}

function saysNo(choice: string): boolean {
  const state = STATE_WORDS.get(wordLookupKey(choice));
  const isNo = state === undefined ? isStateWord(choice) : keepsMailAway(state);
  return isNo || readYesNo(choice) === false;
}

/**
 * True for a header that may be the name of a list: `Banned recipes newsletter`. A word such as `Banned` is then part
 * of the name, and a yes means that the person wants the list.
 */
export function mayNameList(words: string): boolean {
  const otherWords = words.split(' ').filter((word) => !canStandBetween(word) && !NEGATION_WORDS.test(word));
  return (
    NEWSLETTER_WORD.test(words) &&
    !CLEAR_END.test(words) &&
    otherWords.some((word) => /^[a-z]{3,}$/.test(word) && !NEWSLETTER_WORD.test(word) && !saysEnd(word))
  );
}

function saysEnd(word: string): boolean {
  return OPT_OUT_STEMS.test(word) || OPT_OUT_WORD.test(word) || REFUSED_WORD.test(word) || ENDED_WORDS.test(word);
}

const NEWSLETTER_WORD =
  /(?:^| )(?:newsletters?|nieuwsbrie(?:f|ven)|infolettres?|boletin|nyhetsbrev|nyhedsbrev|mailings?|digest|news)(?= |$)/u;
// Matches stems that no name of a list has: words for leaving, signing up and consent, and `list`.
const CLEAR_END =
  /unsub|opt(?:ed)? ?(?:out|off)|meld(?:et|ung|t)|bestell|desabo|d?esinscri|disiscri|suscri|schrev|wypis|odhlas|regist|anmal|do ?nt?o?t|revo[ck]|withdr|wider|list|cancel|consent|kundig|beend|(?:removed|excluded|blocked|banned|barred|off) from/u;
const REFUSED_WORD = /^(?:bulk|reklam|reclam|werb|advert|market|publici|pubblic|propagand|post|mejl)/u;

/** True for a header such as `Consent denied` or `Nieuwsbrief stopgezet`: a yes under it is an opt-out. */
export function endsAgreement(words: string): boolean {
  return (
    (ENDED_WORDS.test(words) || ENDED_IN_OTHER_SCRIPTS.test(words)) &&
    containsStem(AGREEMENT_STEMS, words) &&
    !STATUS_HEADER.test(words) &&
    !EVENT_MAIL_WORDS.test(words) &&
    words.split(' ').length <= MAX_WORDS
  );
}

// A header with more words is a sentence about consent. Its word for an end may only state the right to withdraw.
const MAX_WORDS = 5;

/** The two parts of a header with brackets at its end: `No Bulk Emails (User Opt Out)`. */
export function splitBrackets(header: string): readonly [string, string] | undefined {
  const [, before, inside] = IN_BRACKETS.exec(header) ?? [];
  return before !== undefined && inside !== undefined ? [before, inside] : undefined;
}

const IN_BRACKETS = /^([^()]+)\(([^()]+)\)\s*$/u;

/** True for a header that only names mail: `Email`, `Per E-Mail`. Yes and no under it say who wants mail. */
export function namesMailOnly(header: string): boolean {
  const words = wordsOf(withoutAnswers(header));
  return MAIL_ONLY_HEADER.test(words) && EMAIL_CHANNEL.test(words.replace('digest', 'mail'));
}

// Matches headers such as `Opt` and `Opt status`. Their cells are `in` or `out`.
const OPT_HEADER = /^opt(?: ?status| ?state)?$/u;
/** Matches a header that a program made up for a column without a name. It says nothing about the cells. */
const NO_NAME = /^(?:(?:unnamed|column|col|spalte|field|colonne|columna|f|c)? ?\d{0,3}|nameless|blank|empty)$/u;

/** True for headers such as `Opt`, under which `in` and `out` are status words. */
export function isInOrOutHeader(header: string): boolean {
  return OPT_HEADER.test(wordsOf(header));
}

/** True for a blank header, `#`, or `Unnamed: 3`. */
export function isNameless(header: string): boolean {
  return NO_NAME.test(wordsOf(header));
}

/** False for a header about another channel than email. An opt-out below it does not stop email: `SMS consent`. */
export function mayBeAboutEmail(header: string): boolean {
  const words = wordsOf(header);
  const otherWords = words.replace(CLEARLY_PAPER, ' ');
  return (
    EMAIL_CHANNEL.test(otherWords) ||
    isOnlyOtherChannel(words) ||
    !(otherWords !== words || OTHER_CHANNEL_WORDS.test(words) || PAPER_MAIL_WORDS.test(words))
  );
}

// Matches mail that is never email. `Direct mail` doesn't match, because some firms call their emails so.
const CLEARLY_PAPER = /^(?:(?:postal|snail|paper|royal) mail|correo postal|posta ordinaria|courrier postal)$/u;

/**
 * Like `mayBeAboutEmail`, but also true for `Post`, which can mean email. It is used for columns that svc asks about.
 */
export function mayMeanMail(header: string): boolean {
  const words = wordsOf(header);
  return EMAIL_CHANNEL.test(words) || !OTHER_CHANNEL_WORDS.test(words);
}

/** True for ticks under the header `No`. Numbers under it do not count: there `No` means the number of the row. */
export function refusesByTick(header: string, cells: readonly string[]): boolean {
  const isTick = (cell: string) => readYesNo(cell) === true && !/\d/.test(cell);
  return isPlainYesNo(header) && readYesNo(header) === false && cells.length > 0 && cells.every(isTick);
}

// Matches words that can stand beside the opt-out word of a header.
const WORDS_BESIDE_OPT_OUT =
  /(?:^| )(?:is|has|was|date|datum|data|fecha|tarihi|dato|pvm|flag|am|on|at|le|el|il|op|den)(?= |$)|(?:日時?|일|フラグ)$/gu;

/** True for a header that is an opt-out word: `Verwijderd`, `Overleden`, `Poistettu pvm`. */
export function isOptOutHeader(words: string): boolean {
  return OPT_OUT_HEADERS.has(withoutBlanks(words.replace(WORDS_BESIDE_OPT_OUT, '')));
}

/** True for a word that means opted out or never agreed, in any language, even if it contains a word for agreement. */
export function isClearOptOut(words: string): boolean {
  const clear = CLEAR_WORDS.get(withoutBlanks(words));
  return clear !== undefined && (clear.state === 'unsubscribed' || clear.why === 'no_consent');
}
