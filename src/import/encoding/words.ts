// Cells may be a mebibyte long; a word to show to people is not.
const MOST = 40;

/** The word of a text that holds the character at `at`: up to the next blank or delimiter, 40 characters either way. */
export function wordAround(text: string, at: number): string {
  const before = /[^\s,;|"]*$/.exec(text.slice(Math.max(0, at - MOST), at))?.[0] ?? '';
  const after = /^[^\s,;|"]*/.exec(text.slice(at, at + MOST))?.[0] ?? '';
  return before + after;
}

/** The first word that holds a character beyond ASCII; empty where there is none. */
export function foreignWord(text: string): string {
  const at = text.search(/[^\0-\x7f]/);
  return at === -1 ? '' : wordAround(text, at);
}
