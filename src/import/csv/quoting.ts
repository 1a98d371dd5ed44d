import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { csvCell } from '../../base/lib/text.ts';

/** How cells are quoted in a table that does not follow RFC 4180. MySQL, PostgreSQL and PHP write such tables. */
export interface Quoting {
  /** The quote character around cells. Undefined if cells are never quoted. */
  readonly quote: '"' | "'" | undefined;
  /** The character before a quote inside a cell: a second quote, or a backslash, which also escapes delimiters. */
  readonly escape: '"' | "'" | '\\';
}

/** The quoting of RFC 4180. */
export const STANDARD_QUOTING: Quoting = { quote: '"', escape: '"' };

interface QuotingAnswers {
  readonly quote?: string | undefined;
  readonly escape?: string | undefined;
}

/**
 * Reads the flags `--quote` and `--escape`. Each may be missing. Throws SvcError (exit 2) for a value that the flag
 * does not take.
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

function isEscape(text: string): text is Quoting['escape'] {
  return text === '"' || text === "'" || text === '\\';
}

function badAnswer(message: string, hint: string): SvcError {
  return new SvcError(EXIT.usage, 'bad_quoting', message, { hint });
}

/** True for the quoting of RFC 4180. The fast lane reads only tables with this quoting. */
export function isStandardQuoting(quoting: Quoting): boolean {
  return quoting.quote === STANDARD_QUOTING.quote && quoting.escape === STANDARD_QUOTING.escape;
}

/** Joins cells to a line without line ending, quoted like the table. */
export function csvLine(cells: readonly string[], delimiter: string, quoting?: Quoting): string {
  return cells
    .map((cell) => (quoting ? quotedCell(cell, delimiter, quoting) : csvCell(cell, delimiter)))
    .join(delimiter);
}

function quotedCell(text: string, delimiter: string, { quote, escape: before }: Quoting): string {
  if (quote === undefined) {
    const escaped = text.replace(/[\\\t\n\r]/g, (character) => LETTER_ESCAPES[character] ?? character);
    return delimiter === '\t' ? escaped : escaped.replaceAll(delimiter, `\\${delimiter}`);
  }
  const isPlain = !text.includes(delimiter) && !/["'\\\r\n]/.test(text) && text.trim() === text;
  const inner = before === '\\' ? text.replaceAll('\\', '\\\\') : text;
  return isPlain ? text : `${quote}${inner.replaceAll(quote, `${before}${quote}`)}${quote}`;
}

const LETTER_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** The rest of a line after its first `count` cells, unchanged: `Bo,"Berg"` for `1,2,Bo,"Berg"` and a count of 2. */
export function textAfterCells(
  line: string,
  count: number,
  delimiter: string,
  quoting: Quoting = STANDARD_QUOTING,
): string {
  let position = 0;
  for (let cell = 0; cell < count; cell++) {
    position = endOfCell(line, position, delimiter, quoting) + delimiter.length;
  }
  return line.slice(position);
}

function endOfCell(line: string, from: number, delimiter: string, quoting: Quoting): number {
  const { quote } = quoting;
  let isInQuotes = quote !== undefined && line[from] === quote;
  for (let position = isInQuotes ? from + 1 : from; position < line.length; position++) {
    const isPair = isInQuotes && line[position] === quote && line[position + 1] === quote;
    if (isPair || (quoting.escape === '\\' && line[position] === '\\')) {
      position++;
    } else if (isInQuotes && line[position] === quote) {
      isInQuotes = false;
    } else if (!isInQuotes && line[position] === delimiter) {
      return position;
    }
  }
  return line.length;
}
