import { memoize } from '../../base/lib/memoize.ts';
import type { StatusReading } from './states.ts';

/**
 * The text without case, blanks, punctuation and accents, for comparing. `Opt-Out` and `opt out` both become `optout`.
 */
export function bareWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

export const SUBSCRIBED: StatusReading = { state: 'subscribed' };
export const UNSUBSCRIBED: StatusReading = { state: 'unsubscribed' };
export const SUPPRESSED: StatusReading = { state: 'suppressed' };
export const BOUNCED: StatusReading = { state: 'bounced' };
export const COMPLAINED: StatusReading = { state: 'complained' };
export const PENDING: StatusReading = { state: 'pending' };
export const NONE: StatusReading = { state: 'none' };

/** The reading of a row that svc does not send at all. `why` is the reason that users see. */
export function skipFor(why: string): StatusReading {
  return { state: 'skip', why };
}

/** A state rule: it reads the state of a row from its cells. */
export type StateOf = (cells: readonly string[]) => StatusReading;

/** Marks a state rule with the columns that it reads, so that svc need not decode the other cells for it. */
export function markReadColumns(columnIndexes: readonly number[], stateOf: StateOf): StateOf {
  return Object.assign(stateOf, { reads: columnIndexes });
}

/** The indexes of the columns that a state rule reads. Undefined if it may read any. */
export function columnsReadBy(
  stateOf: StateOf & { readonly reads?: readonly number[] },
): readonly number[] | undefined {
  return stateOf.reads;
}

/** The state rule of a table without a state. */
export const readNoState = markReadColumns([], () => NONE);

/** Status words, in the form of `bareWord`, and what they mean. */
export type StatusWords = ReadonlyMap<string, StatusReading>;

/** Makes `StatusWords` from lists: `statusWords([SUBSCRIBED, 'active', 'cold'], [PENDING, 'inactive'])`. */
export function statusWords(...lists: readonly (readonly [StatusReading, ...string[]])[]): StatusWords {
  return new Map(lists.flatMap(([reading, ...list]) => list.map((word) => [bareWord(word), reading] as const)));
}

/**
 * The key of a status word in a map. It is the `bareWord`, unless a symbol denies or doubts the word. Then the symbol
 * stays in the key: `❌ Active` becomes `❌ active`, and not `active`.
 */
export function wordKey(text: string): string {
  return isDeniedBySymbol(text)
    ? text
        .normalize('NFKC')
        .replace(/\uFE0F/g, '')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase()
    : bareWord(text);
}

// Matches a cell that counts as blank: only dashes, quotes, brackets, dots, commas, `?` or invisible characters.
const BLANK_MARKS = /^[\s\p{Cf}\p{M}\p{Pd}\p{Pc}\p{Ps}\p{Pe}\p{Pi}\p{Pf}.,;?\u2026'"]*$/u;

/** True for a cell that is blank or has only marks for a blank: `-`, `...`, `()`. A symbol such as `/` is content. */
export function isBlankMark(text: string): boolean {
  return BLANK_MARKS.test(text);
}

const NEGATIVE_NUMBER = /^\s*[-\u2212]\d/u;

/**
 * Makes a function that reads a cell with one status word. A cell is an unknown word if `known` does not contain it. So
 * is a cell that is only a symbol such as `✓`, or a negative number such as `-1`. So is a word for subscribed that a
 * symbol denies: `❌ active`.
 */
export function createWordReader(known: StatusWords): (text: string) => StatusReading {
  return memoize((text) => {
    const isNoWord = NEGATIVE_NUMBER.test(text) || (bareWord(text) === '' && !isBlankMark(text));
    const reading = isNoWord ? undefined : known.get(bareWord(text));
    const isDenied = reading?.state === 'subscribed' && isDeniedBySymbol(text);
    return reading === undefined || isDenied ? { state: 'none' as const, unknown: text.trim() } : reading;
  });
}

const YES = new Set(
  'true yes 1 y t on x ja oui sí sì sim tak kyllä はい wahr vrai verdadero vero verdadeiro waar prawda tosi sant'
    .split(' ')
    .map(bareWord),
);
const NO = new Set(
  'false no 0 n f off nein non não nie ei nej nee いいえ falsch faux falso onwaar fałsz epätosi falskt'
    .split(' ')
    .map(bareWord),
);

/**
 * True for a cell that means yes, false for one that means no. Undefined for any other cell, for example a blank one.
 */
export function readBoolean(cell: string | undefined): boolean | undefined {
  const word = bareWord(cell ?? '');
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** The words for yes and no in all supported languages, with the given meanings. */
export function yesNoWords(yes: StatusReading, no: StatusReading): StatusWords {
  return statusWords([yes, ...YES], [no, ...NO]);
}

/**
 * True for a text with a symbol that denies or doubts its words: `❌ Subscribed`, `!active`, `yes?`, `subscribed*`,
 * `(active)`, `[ ] yes`, `<s>yes</s>`. Each symbol counts, except those that agree with a yes or only decorate it: `✓
 * yes`, `⭐ VIP`.
 */
export function isDeniedBySymbol(text: string): boolean {
  return (
    ALWAYS_DENIES.test(text) || (HAS_WORDS.test(text) && (MARKED.test(text) || isStruck(text) || hasOtherSymbol(text)))
  );
}

// True for a text that is crossed out (`~~yes~~`), beside an empty box (`[ ] yes`), or valid for a period that has an
// end (`yes (2015-2018)`).
function isStruck(text: string): boolean {
  return STRUCK.test(text) || EMPTY_BOX.test(text) || (MAY_BE_MARKUP.test(text) && holdsOtherMarkup(text));
}

/**
 * True if a symbol in the cell denies its answer: `❌ yes`, `~~no~~`. False for `❌ no`, because there the cross only
 * repeats the no.
 */
export function isDeniedAnswer(text: string, { isNo }: { readonly isNo: boolean }): boolean {
  return isStruck(text) || (!isNo && isDeniedBySymbol(text));
}

const ALWAYS_DENIES = /[✗✘✕✖☓❌❎⛔🚫🛑🙅👎❓❔☐☒□⬜≠¬×]|^\s*!|~~|[?？]\)?\s*$/u;
const HAS_WORDS = /[\p{L}\p{N}]/u;
// Matches a mark that refers to an explanation elsewhere, and a word in brackets: `subscribed*`, `(subscribed)`.
// `[x] yes` and `subscribed (2021)` don't match.
const MARKED =
  /[*\uff0a\u2731\u203b^\u00a7~]|(?<!&)#|^\s*[([{\uff08\uff3b\u3010]\s*\p{L}{2}[^()[\]{}\uff08\uff09\uff3b\uff3d\u3010\u3011]*[)\]}\uff09\uff3d\u3011]\s*$/u;

// Matches a text that is crossed out or commented out (`--yes--`, `~yes~`, `//yes`, combining strokes), and a period
// that has an end: `yes (2015-2018)`, `yes (-2018)`.
const STRUCK =
  /^\s*(?:--|\/\/|\/\*|~)|^\s*[-–—_].*\S[-–—_]\s*$|[\u0334-\u0338\u20d0-\u20e2\u20e4-\u20ef]|(?<!\d)(?:19|20)\d\d\W{0,8}[-–—/]\W{0,3}(?:(?:\d{1,2}[./-]){0,2}(?:19|20)\d\d|1[3-9]|[2-9]\d)(?!\d)|[([]\s*[-–—]\s*(?:\d{1,2}[./-]){0,2}(?:19|20)\d\d/u;

// Matches a box or brackets without a tick: `[ ] yes`, `( )`, `[-]`, `yes (0)`. `[x] yes` doesn't match.
const EMPTY_BOX = /[([{（［【]\s{0,3}[-–—\u2212_.0×✗]?\s{0,3}[)\]}）］】]/u;

// Matches symbols that agree with a yes or only decorate it: `✓`, `👍`, `⭐`.
const AGREEING =
  /[✓✔√☑✅👍☺♥❤♡★☆✉●◉⦿■◼▪◆►▶▸¦©®°´¨¸→➜⇒🙂😀😃😄😁😊😍🥰🤩😎🙌👏🤝👌💪🙏🎉🎊💌📧📨📩📬📫📰🗞🟢🟩🆗💯✨⭐🌟🎁💙💚💛💜🧡🤍💕💖🔔‼\u2122]|[\u{1f3fb}-\u{1f3ff}]|[\u{1f1e6}-\u{1f1ff}]/gu;
const SYMBOL = /[\p{So}\p{Co}]|(?![\0-\x7f])\p{Sm}|\p{Extended_Pictographic}|[†‡]/u;
// Matches the name of an emoji, as chats write it: `:x:`, `:no_entry:`. Names of agreeing emojis, such as `:thumbsup:`,
// don't match.
const EMOJI_NAME =
  /(?:^|\s):(?!(?:white_check_mark|heavy_check_mark|ballot_box_with_check|check|\+1|thumbsup|ok|smile|heart|tada|star|envelope|email):)[a-z][a-z_]*:(?=\s|$)/u;

function hasOtherSymbol(text: string): boolean {
  return EMOJI_NAME.test(text) || (!ASCII.test(text) && SYMBOL.test(text.replace(AGREEING, '')));
}

const ASCII = /^[\0-\x7f]*$/;
const MAY_BE_MARKUP = /[<&]/;
// Matches HTML tags that don't change the meaning of their text: bold, italic, paragraphs and links. `<s>` doesn't
// match.
const PLAIN_TAG = /<\/?(?:b|strong|i|em|u|p|br|div|span|font|small|big|li|ul|td|tr)\s*\/?>|<\/?a(?:\s[^<>]*)?>/giu;
const INPUT = /<input\s[^<>]*>/giu;
const TAG = /<\/?[a-z!][^<>]*>/iu;
// Matches named HTML entities that don't change the meaning: letters (`&eacute;`), blanks (`&nbsp;`), agreeing symbols
// (`&check;`).
const PLAIN_ENTITY =
  /&(?:[a-z](?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron)|[aeo]elig|szlig|nbsp|ensp|emsp|thinsp|amp|quot|apos|[lr][sd]?quo|hellip|bull|middot|shy|check|checkmark|hearts|star|starf|copy|reg|trade);/giu;
const ENTITY = /&(?:[a-z]{2,31}|#\d{1,7}|#x[\da-f]{1,6});/iu;
const NUMBER_ENTITY = /&#(?:(\d{1,7})|x([\da-f]{1,6}));/giu;

function holdsOtherMarkup(text: string): boolean {
  const plain = text
    .replace(PLAIN_TAG, '')
    .replace(INPUT, (input) => (/\bchecked\b/iu.test(input) ? '' : input))
    .replace(PLAIN_ENTITY, '')
    .replace(NUMBER_ENTITY, characterOf);
  return TAG.test(plain) || ENTITY.test(plain) || ALWAYS_DENIES.test(plain) || hasOtherSymbol(plain);
}

// The character of a numeric entity: `✓` for `&#10003;`. An entity whose number is beyond Unicode is returned
// unchanged.
function characterOf(entity: string, decimal: string | undefined, hex: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
}
