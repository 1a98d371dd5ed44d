import { EXIT, SvcError } from '../../../base/lib/errors.ts';

/** How cells are quoted in a table that does not follow RFC 4180. MySQL, PostgreSQL and PHP write such tables. */
export interface Quoting {
  /** The quote character around cells. Undefined if cells are never quoted. */
  readonly quote: '"' | "'" | undefined;
  /** The character before a quote inside a cell: another quote, or a backslash, which also escapes delimiters. */
  readonly escape: '"' | "'" | '\\';
}

/** The quoting of RFC 4180. */
export const STANDARD_QUOTING: Quoting = { quote: '"', escape: '"' };

interface QuotingAnswers {
  readonly quote?: string | undefined;
  readonly escape?: string | undefined;
}

/**
 * Reads the flags `--quote` and `--escape`, of which each may be missing. Throws SvcError (exit 2) for other
 * characters.
 */
export function readQuoteAnswers({ quote, escape: before }: QuotingAnswers): Partial<Quoting> {
  const quotes: Readonly<Record<string, Quoting['quote']>> = { '"': '"', "'": "'", none: undefined };
  if (quote !== undefined && !Object.hasOwn(quotes, quote)) {
    throw badAnswer(`--quote takes ", ' or none, not ${JSON.stringify(quote)}`, '--quote none');
  }
  if (before !== undefined && !isEscape(before)) {
    throw badAnswer(`--escape takes \\, " or ', not ${JSON.stringify(before)}`, "--escape '\\'");
  }
  return {
    ...(quote !== undefined && { quote: quotes[quote] }),
    ...(before !== undefined && { escape: before }),
  };
}

/** True for the quoting of RFC 4180. The fast lane reads no other. */
export function isStandardQuoting(quoting: Quoting): boolean {
  return quoting.quote === STANDARD_QUOTING.quote && quoting.escape === STANDARD_QUOTING.escape;
}

export function quotedCell(text: string, delimiter: string, { quote, escape: before }: Quoting): string {
  if (quote === undefined) {
    const escaped = text.replace(/[\\\t\n\r]/g, (character) => LETTER_ESCAPES[character] ?? character);
    return delimiter === '\t' ? escaped : escaped.replaceAll(delimiter, `\\${delimiter}`);
  }
  const isPlain = !text.includes(delimiter) && !/["'\\\r\n]/.test(text) && text.trim() === text;
  const inner = before === '\\' ? text.replaceAll('\\', '\\\\') : text;
  return isPlain ? text : `${quote}${inner.replaceAll(quote, `${before}${quote}`)}${quote}`;
}

const LETTER_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function isEscape(text: string): text is Quoting['escape'] {
  return text === '"' || text === "'" || text === '\\';
}

function badAnswer(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'bad_quoting', message, { hint });
}
