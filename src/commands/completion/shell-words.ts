/**
 * A command line up to the cursor as bash takes it apart, without expanding anything; the last word is the one being
 * typed and may be empty or stand in a quote that is still open.
 */
export function shellWords(line: string): string[] {
  const words = [...line.matchAll(WORD)].map(([word]) => word.replace(PART, unquoted));
  return /(^|[^\\])\s$/.test(line) || line === '' ? [...words, ''] : words;
}

const PART = /\\([\s\S])|'([^']*)(?:'|$)|"((?:\\[\s\S]|[^"\\])*)(?:"|$)/g;
const WORD = new RegExp(`(?:${PART.source}|[^\\s'"\\\\])+`, 'g');

function unquoted(_: string, ...kinds: readonly (string | undefined)[]): string {
  const [escaped, single, double] = kinds;
  return escaped ?? single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? '';
}
