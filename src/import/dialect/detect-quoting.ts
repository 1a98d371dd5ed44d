import { countLineEndings } from '../csv/lines.ts';
import { isStandardQuoting, type Quoting, STANDARD_QUOTING } from '../csv/quoting.ts';
import { createRowScanner } from '../csv/row-scanner.ts';
import { isBlankRow, type RawRow } from '../csv/row-types.ts';
import { chooseDelimiter, rowsOfText, type TableBeginning } from './choose-delimiter.ts';
import { isRowOfAddress, usualCellCount } from './header-row.ts';

/** How a table is quoted. `quoting` is undefined for RFC 4180. */
interface QuotingReading {
  readonly quoting: Quoting | undefined;
  /** True if quotes stand after backslashes, and neither way to read them fits all rows. */
  readonly isUnclear: boolean;
}

const AS_RFC_4180: QuotingReading = { quoting: undefined, isUnclear: false };

const BACKSLASH: Quoting = { quote: '"', escape: '\\' };
const UNQUOTED: Quoting = { quote: undefined, escape: '\\' };
const SINGLE: Quoting = { quote: "'", escape: "'" };
const SINGLE_BACKSLASH: Quoting = { quote: "'", escape: '\\' };

/**
 * Detects how cells are quoted. `--quote` or `--escape` decides. Without them RFC 4180 applies, unless the table shows
 * another quoting: by malformed rows, by addresses in single quotes, or by `\N` for NULL. Backslashes and apostrophes
 * alone show nothing.
 */
export function detectQuoting(
  beginning: TableBeginning,
  { delimiter, answers }: { readonly delimiter: string | undefined; readonly answers: Partial<Quoting> },
): QuotingReading {
  if (Object.hasOwn(answers, 'quote') || answers.escape !== undefined) {
    return { quoting: completeQuoting(answers, beginning.text), isUnclear: false };
  }
  const faultsOf = (quoting: Quoting) => countFaults(beginning, delimiter, quoting);
  const standardFaults = faultsOf(STANDARD_QUOTING);
  if (WRAPPED_ADDRESS.test(beginning.text) && !BARE_ADDRESS.test(beginning.text)) {
    const wrapped = leastFaulty([SINGLE, SINGLE_BACKSLASH], faultsOf);
    return wrapped.faults <= standardFaults ? { quoting: wrapped.quoting, isUnclear: false } : AS_RFC_4180;
  }
  const holdsNull = NULL_CELL.test(beginning.text);
  if (!beginning.text.includes('\\') || (standardFaults === 0 && !holdsNull)) {
    return AS_RFC_4180;
  }
  const escaped = leastFaulty(isRarelyQuoted(beginning.text) ? [UNQUOTED, BACKSLASH] : [BACKSLASH], faultsOf);
  if (escaped.faults * MUCH_FEWER <= standardFaults && (holdsNull || escaped.faults < standardFaults)) {
    return { quoting: escaped.quoting, isUnclear: false };
  }
  // Neither quoting fits all rows, and quotes after backslashes are part of the problem, so the user must choose.
  const isUnclear = standardFaults > 0 && escaped.faults <= standardFaults && ESCAPED_QUOTE.test(beginning.text);
  return isUnclear ? { quoting: escaped.quoting, isUnclear } : AS_RFC_4180;
}

const MUCH_FEWER = 5;

// Matches a cell with an address in single quotes: `'ana@example.com'`.
const WRAPPED_ADDRESS = /(?:^|[\r\n,;\t|])'[^'"\s,;|@]+@[^'"\s,;|]+'(?=[\r\n,;\t|]|$)/;
// Matches a cell with an address without quotes, or in double quotes.
const BARE_ADDRESS = /(?:^|[\r\n,;\t|])"?[^'"\s,;|@]+@[^'"\s,;|]+"?(?=[\r\n,;\t|]|$)/;
// Matches a cell `\N`, which means NULL.
const NULL_CELL = /(?:^|[\r\n,;\t|])\\N(?=[\r\n,;\t|]|$)/;
// Matches the opening quote of a cell.
const QUOTED_CELL = /(?:^|[\r\n,;\t|])"/g;
// Matches a quote after a backslash inside a cell: `"a \"nice\" name"`. A backslash at the end of a cell, as in
// `"C:\dir\"`, does not match.
const ESCAPED_QUOTE = /\\"[^"\r\n,;\t|]/;

// True if the table probably has no quotes around cells, because at most one cell in ten lines begins with a quote.
// Such a quote can be part of a name.
function isRarelyQuoted(text: string): boolean {
  return (text.match(QUOTED_CELL)?.length ?? 0) * 10 <= countLineEndings(text);
}

// Completes the options of the user: if one of the two is missing, it gets the value that fits the given one.
function completeQuoting(answers: Partial<Quoting>, text: string): Quoting {
  const quote = Object.hasOwn(answers, 'quote') ? answers.quote : WRAPPED_ADDRESS.test(text) ? "'" : '"';
  return { quote, escape: answers.escape ?? quote ?? '\\' };
}

function leastFaulty(quotings: readonly Quoting[], faultsOf: (quoting: Quoting) => number) {
  const tried = quotings.map((quoting) => ({ quoting, faults: faultsOf(quoting) }));
  return tried.reduce((least, other) => (other.faults < least.faults ? other : least));
}

// Counts malformed rows, rows of unusual width, and lines that became part of one cell because its quote is never
// closed.
function countFaults(beginning: TableBeginning, delimiter: string | undefined, quoting: Quoting): number {
  const nonstandard = isStandardQuoting(quoting) ? undefined : quoting;
  const cutAt = delimiter ?? chooseDelimiter(beginning, nonstandard).delimiter;
  const { rows, lostLines } = readAll(beginning, cutAt, nonstandard);
  const width = usualCellCount(rows);
  const isFaulty = ({ cells, problem, spansLines }: RawRow) =>
    problem !== undefined || cells.length !== width || (spansLines === true && cells.some(holdsRow));
  return lostLines + rows.filter(isFaulty).length;
}

// True if a line of the cell, below its first one, begins like a row.
function holdsRow(cell: string): boolean {
  const lines = cell.split(/[\r\n]+\s*/);
  return lines.slice(1).some(isRowOfAddress);
}

function readAll({ text, isWhole }: TableBeginning, delimiter: string | undefined, quoting: Quoting | undefined) {
  const scanner = createRowScanner({ label: '', delimiter, header: [], keepsRaw: false, quoting });
  const rows = [...rowsOfText(scanner, text, isWhole)];
  const linesAfter = scanner.lastLine() - (rows.at(-1)?.line ?? 1);
  const lostLines = linesAfter > MAX_LINES_OF_A_CELL ? linesAfter : 0;
  return { rows: rows.filter(({ cells }) => !isBlankRow(cells)), lostLines };
}

// If more lines than this follow the last complete row, a quote was never closed and they became one cell. Fewer lines
// can be a cell that is cut off at the end of the sample.
const MAX_LINES_OF_A_CELL = 20;
