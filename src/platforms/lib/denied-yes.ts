/**
 * True for a text with a sign that denies or doubts its words: `❌ Subscribed`, `!active`, `yes?`, `[ ] yes`,
 * `<s>yes</s>`. Any symbol counts as such a sign, except symbols that agree with a yes or only decorate it: `✓ yes`, `⭐
 * VIP`.
 */
export function isDeniedBySign(text: string): boolean {
  return ALWAYS_DENIES.test(text) || (HAS_WORDS.test(text) && (isStruck(text) || hasOtherSymbol(text)));
}

// True for a text that is crossed out (`~~yes~~`), beside an empty box (`[ ] yes`), or valid for a period that has an
// end (`yes (2015-2018)`).
function isStruck(text: string): boolean {
  return STRUCK.test(text) || EMPTY_BOX.test(text) || (MAY_BE_MARKUP.test(text) && holdsOtherMarkup(text));
}

/**
 * True if a sign in the cell denies its answer: `❌ yes`, `~~no~~`. False for `❌ no`, because there the cross only
 * repeats the no.
 */
export function isDeniedAnswer(text: string, { isNo }: { readonly isNo: boolean }): boolean {
  return isStruck(text) || (!isNo && isDeniedBySign(text));
}

const ALWAYS_DENIES = /[✗✘✕✖☓❌❎⛔🚫🛑🙅👎❓❔☐☒□⬜≠¬×]|^\s*!|~~|[?？]\)?\s*$/u;
const HAS_WORDS = /[\p{L}\p{N}]/u;

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
// Matches named HTML entities that don't change the meaning: letters (`&eacute;`), blanks (`&nbsp;`), agreeing signs
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
