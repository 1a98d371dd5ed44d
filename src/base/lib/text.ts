/** The maximum number of bytes in UTF-8 for one UTF-16 code unit. The `length` of a string counts these units. */
export const MAX_BYTES_PER_UNIT = 3;

// Matches characters that can change what a terminal shows: control characters (C0, DEL, C1), characters that set the
// reading direction, line separators, and lone surrogates (K5).
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Makes text from a file or from the service safe for a terminal. Characters that move the cursor, begin a line or turn
 * the reading direction become escapes such as `\u001b` (K5). To be called for each single value, because it would also
 * escape the line breaks of a page.
 */
export function terminalSafe(text: string): string {
  return text.replace(UNSAFE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A whole number with commas between the thousands: `1,200`. It is the same on every machine. */
export function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A number with its noun: `1 row`, `2,000 rows`, `3 batches`, `2 entries`. `many` is for an irregular plural. */
export function plural(count: number, one: string, many = pluralOf(one)): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

function pluralOf(singular: string): string {
  if (/(s|x|ch|sh)$/.test(singular)) {
    return `${singular}es`;
  }
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/** At most `maxWords` of the words, then how many further words there are: `a, b and 1,200 more`. */
export function joinAtMost(words: readonly string[], maxWords: number): string {
  const more = words.length - maxWords;
  return words.slice(0, maxWords).join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '');
}

/**
 * Splits a shell command whose words `shellWord` wrote. Such a word has plain characters, parts in single quotes, `\'`
 * for a quote, and `$'…'`.
 */
export function splitShellText(text: string): string[] {
  const words = text.match(/(?:\$'(?:[^'\\]|\\.)*'|'[^']*'|\\'|[^\s'\\])+/gs) ?? [];
  return words.map((word) =>
    word.replace(/\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\\'/gs, (_, escaped?: string, quoted?: string) =>
      escaped === undefined ? (quoted ?? "'") : unescapeText(escaped),
    ),
  );
}

function unescapeText(text: string): string {
  return text.replace(/(?:\\x[0-9a-f]{2})+|\\(.)/gs, (bytes: string, character?: string) => {
    return character ?? Buffer.from(bytes.replaceAll('\\x', ''), 'hex').toString('utf8');
  });
}

/**
 * Quotes a text, so that it is one word in a shell. Unsafe characters become bytes in the `$'…'` of bash and zsh (K5).
 * A punctuation mark at the end is quoted too, because in a sentence it would not look like a part of the command. `=`
 * at the start is quoted, because zsh replaces `=ls` by the path of the command `ls`.
 */
export function shellWord(text: string): string {
  if (/^(?!=)[\w@%+=:,./-]*[\w@%+=/-]$/.test(text)) {
    return text;
  }
  return text.search(UNSAFE) < 0
    ? `'${text.replaceAll("'", `'\\''`)}'`
    : `$'${text.replace(/['\\]/g, '\\$&').replace(UNSAFE, bytesOf)}'`;
}

/** The words that may be flags: all words before `--`. */
export function possibleFlagsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** A flag with its value, as words. `=` joins a value that begins with `-`, which alone would count as a flag. */
export function flagWords(flag: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

/** A flag with its value, as shell text. */
export function shellFlag(flag: string, value: string): string {
  return flagWords(flag, value).map(shellWord).join(' ');
}

/** The last argument of a command, as shell text. `--` before it keeps a text such as `-x` from being a flag. */
export function shellArgument(text: string): string {
  return text.startsWith('-') ? `-- ${shellWord(text)}` : shellWord(text);
}

/** A command with one argument and flags, as shell text. An argument that begins with a dash is last, after `--`. */
export function shellCommand(command: string, argument: string, flags: readonly string[]): string {
  const isLast = argument.startsWith('-');
  const words = isLast ? [...flags, shellArgument(argument)] : [shellWord(argument), ...flags];
  return [command, ...words].join(' ');
}

/** The name of a file, as shell text. `./` keeps a name such as `-x.csv` from being a flag. `-` is standard input. */
export function shellFile(path: string): string {
  return shellWord(path.startsWith('-') && path !== '-' ? `./${path}` : path);
}

function bytesOf(character: string): string {
  return Buffer.from(character).toString('hex').replace(/../g, '\\x$&');
}

const LONGEST_DETAIL = 200;

/** A value for messages, cut to a readable length. */
export function shortenForMessage(cell: string): string {
  return cell.length > LONGEST_DETAIL ? `${cell.slice(0, LONGEST_DETAIL)}…` : cell;
}

/** A cell of a CSV file, quoted if necessary. */
export function csvCell(text: string, delimiter: string): string {
  const isPlain = !text.includes(delimiter) && !/["\r\n]/.test(text) && text.trim() === text;
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

/** A CSV cell for spreadsheets. A text that a spreadsheet would run as a formula gets an apostrophe before it (K5). */
export function spreadsheetSafeCell(text: string): string {
  return csvCell(FORMULA.test(text) ? `'${text}` : text, ',');
}

// Matches a text that a spreadsheet may run as a formula: `=1+1`. East Asian versions of Excel also run texts with a
// full-width form of such a character.
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * The words that a mistyped word probably means: the most similar one first, at most three. The similarity is the share
 * of equal pairs of letters, from 0 to 1.
 */
export function mostSimilar(typed: string, words: readonly string[], minSimilarity = 0.4): string[] {
  const pairs = letterPairs(typed);
  const similarity = (word: string) => {
    const others = letterPairs(word);
    return (2 * [...pairs].filter((pair) => others.has(pair)).length) / (pairs.size + others.size);
  };
  return [...new Set(words)]
    .map((word) => ({ word, similarity: similarity(word) }))
    .filter((one) => one.similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 3)
    .map(({ word }) => word);
}

/** The pairs of neighboring characters of a word with a blank at both ends. `ß` counts as `ss`, its capital form. */
function letterPairs(word: string): Set<string> {
  const text = ` ${word.trim().toLowerCase().replaceAll('ß', 'ss')} `;
  return new Set(Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2)));
}

/**
 * Returns a key that is equal for two names that look alike. It ignores case, invisible characters, blanks at the
 * edges, doubled blanks, and whether `é` is one character or two.
 */
export function looseNameKey(name: string): string {
  const composed = name.normalize('NFKC').toLowerCase().normalize('NFKC');
  return composed
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
