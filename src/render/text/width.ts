// Matches text in which each character takes one terminal column.
const PLAIN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/;
// Matches text that takes no column: combining marks and invisible characters.
const NO_WIDTH = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
// Matches a character that terminals show as an emoji. It takes two columns.
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** The number of terminal columns that a text takes. The text must not contain escape sequences. */
export function displayWidth(text: string): number {
  return PLAIN.test(text) ? text.length : graphemes(text).reduce((sum, part) => sum + graphemeWidth(part), 0);
}

/** The text, shortened at its end to at most `width` columns. "…" shows where. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) {
    return text;
  }
  return width < 1 ? '' : `${startThatFits(text, width - 1)}…`;
}

/** The text, shortened in its middle to at most `width` columns. Its end keeps a quarter of the width. */
export function shortenMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) {
    return text;
  }
  const tail = Math.floor(width / 4);
  return width < 1 ? '' : `${startThatFits(text, width - 1 - tail)}…${endThatFits(text, tail)}`;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function startThatFits(text: string, width: number): string {
  return partsThatFit(graphemes(text), width).join('');
}

function endThatFits(text: string, width: number): string {
  return partsThatFit(graphemes(text).toReversed(), width).toReversed().join('');
}

/** The first graphemes (characters as users see them) that fit into `width` columns. */
function partsThatFit(parts: readonly string[], width: number): string[] {
  let columnsLeft = width;
  const firstOut = parts.findIndex((part) => {
    columnsLeft -= graphemeWidth(part);
    return columnsLeft < 0;
  });
  return parts.slice(0, firstOut === -1 ? parts.length : firstOut);
}

function graphemes(text: string): string[] {
  return Array.from(new Intl.Segmenter('en').segment(text), (part) => part.segment);
}

function graphemeWidth(part: string): number {
  if (NO_WIDTH.test(part)) {
    return 0;
  }
  return EMOJI.test(part) || WIDE.test(part) ? 2 : 1;
}
