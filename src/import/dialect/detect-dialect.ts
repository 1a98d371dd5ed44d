import iconv from 'iconv-lite';
import type { Finding } from '../../base/finding.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { ownValue } from '../../base/lib/json.ts';
import { shellWord } from '../../base/lib/text.ts';
import { countLineEndings, findUnclosedQuote } from '../csv/lines.ts';
import { type Quoting, readQuoteAnswers } from '../csv/quoting.ts';
import type { RawRow } from '../csv/row-types.ts';
import { canonicalEncodingName, detectEncoding, isIso2022 } from '../encoding/encodings.ts';
import { readTableSample } from '../encoding/table-sample.ts';
import { emptyFileError, unsupportedEncodingError, unterminatedQuoteError } from '../source/input-errors.ts';
import { sourceLabel, type TableSource } from '../source/source.ts';
import { type CutTable, chooseDelimiter, cutAtDelimiter, type TableBeginning } from './choose-delimiter.ts';
import { detectQuoting } from './detect-quoting.ts';
import { type DecodedBeginning, encodingFindings } from './encoding-findings.ts';
import {
  findHeaderRow,
  holdsTable,
  isAddressCell,
  isRowOfAddress,
  rowAboveHeader,
  type TitleLine,
  titlesAboveHeader,
} from './header-row.ts';
import { beginsWithAddress, mentionsAddress } from './mentioned-addresses.ts';

/** How a table is written. svc detects this from the beginning of the table, without asking the user. */
export interface Dialect {
  /** The name of the encoding in iconv-lite, in lower case: `utf-8`, `utf-16-le`, `windows-1252`, `macintosh`… */
  readonly encoding: string;
  readonly hasByteOrderMark: boolean;
  /** Undefined if the table has a single column. */
  readonly delimiter: string | undefined;
  /** Present if the quoting differs from RFC 4180, or if the user named it. */
  readonly quoting?: Quoting | undefined;
  /** True if the first line names the delimiter, such as `sep=;`. */
  readonly hasSepLine: boolean;
  /** The short lines of text above the header, such as `Unsubscribed contacts`. */
  readonly titles?: readonly TitleLine[];
  /** The cells of the row directly above the header, if it has several. They can be headings of groups of columns. */
  readonly above?: readonly string[];
  /** The line of the header in the file, from 1. 0 if the table has no header. */
  readonly headerLine: number;
  /** The cells of the header, unchanged. Empty if the table has no header. */
  readonly header: readonly string[];
}

/** What the user and the platform say about how the files are written. */
export interface DialectHints {
  readonly encoding?: string | undefined;
  /** True if the user named one encoding for several inputs. Some of them may be UTF-8 all the same. */
  readonly isForSeveral?: boolean | undefined;
  /** The encoding of the platform's exports, if the platform does not write UTF-8. */
  readonly legacy?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  readonly escape?: string | undefined;
  readonly mayLackHeader?: boolean | undefined;
  /** The name by which an answer means this input alone. Undefined if there are no other inputs (C11). */
  readonly answeredAs?: string | undefined;
}

/**
 * Detects how a table is written. Throws SvcError for a table that svc can't read, such as `empty_file`, or `no_header`
 * if the first row is data.
 */
export async function detectDialect(source: TableSource, hints: DialectHints) {
  const sample = await readTableSample(source);
  if (hints.encoding === undefined && isIso2022(sample.bytes)) {
    throw unsupportedEncodingError(sourceLabel(source), source.path);
  }
  const { isForSeveral, legacy } = hints;
  const userEncoding = hints.encoding === undefined ? undefined : canonicalEncodingName(hints.encoding);
  const reading = await detectEncoding(sample, { userEncoding, isForSeveral, legacy });
  const text = decodeLoosely(sample.bytes, reading.encoding);
  const sep = SEP_LINE.exec(text)?.[1];
  const given = hints.delimiter === undefined ? sep : delimiterNamed(hints.delimiter);
  const beginning = { text, isWhole: sample.isWhole };
  const { quoting, isUnclear } = detectQuoting(beginning, { delimiter: given, answers: readQuoteAnswers(hints) });
  const { delimiter, rows } = cutTable(beginning, { sep, given, quoting });
  if (rows.length === 0) {
    throw /\S/.test(text) && findUnclosedQuote(text.trimStart(), delimiter) >= 0
      ? unterminatedQuoteError(sourceLabel(source), 1 + countLineEndings(/^\s*/.exec(text)?.[0] ?? ''))
      : emptyFileError(sourceLabel(source));
  }
  refuseOpenHeader(source, quoting ? ',' : delimiter, rows[0]);
  const header = findHeaderRow(rows);
  refuseLostRows(source, rows, { header, delimiter });
  if (!header && delimiter !== undefined && !hints.mayLackHeader) {
    throw noHeader(source, rows[0], hints.answeredAs);
  }
  const read: DecodedBeginning = { source, reading, text, delimiter, header: header?.cells ?? [] };
  return {
    dialect: {
      encoding: reading.encoding,
      hasByteOrderMark: reading.hasByteOrderMark,
      delimiter,
      ...(quoting && { quoting }),
      hasSepLine: sep !== undefined,
      ...(header && { titles: titlesAboveHeader(rows, header), ...rowAboveHeader(rows, header.line) }),
      headerLine: header?.line ?? 0,
      header: header?.cells ?? [],
    },
    findings: [...encodingFindings(read), ...(isUnclear ? [quotingFinding(source)] : [])],
  };
}

function quotingFinding(source: TableSource): Finding {
  return {
    check: 'ragged_rows',
    level: 'stop',
    message: `${sourceLabel(source)}: some cells contain \\". This means a quote inside the cell, or a backslash at the end of the cell, but neither fits all rows`,
    hint: "--escape '\\'",
    when: 'If it is a quote inside the cell, as MySQL and PHP write it',
    otherwise: [{ when: 'If it is a backslash at the end of the cell', flags: `--escape '"'` }],
  };
}

// Matches the first line by which Excel knows the delimiter: `sep=;`. It is not a row.
const SEP_LINE = /^\ufeff*"?sep=([^\r\n])"?(?=[\r\n]|$)/i;

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  tab: '\t',
  '\\t': '\t',
  comma: ',',
  semicolon: ';',
  pipe: '|',
};

interface CutOptions {
  /** The delimiter that a first line such as `sep=;` names. That line is not a row. */
  readonly sep: string | undefined;
  /** The delimiter that the user or the `sep=` line names. */
  readonly given: string | undefined;
  readonly quoting: Quoting | undefined;
}

function cutTable(beginning: TableBeginning, { sep, given, quoting }: CutOptions): CutTable {
  const cutting = given === undefined ? chooseDelimiter(beginning, quoting) : cutAtDelimiter(given, beginning, quoting);
  return sep === undefined ? cutting : { ...cutting, rows: cutting.rows.filter(({ line }) => line > 1) };
}

/** The delimiter that the user named: a character, or its name. Throws SvcError (exit 2) for other text. */
export function delimiterNamed(name: string): string {
  const delimiter = ownValue(DELIMITER_NAMES, name) ?? name;
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter)) {
    throw new SvcError(EXIT.usage, 'bad_delimiter', `--delimiter: not one character: ${JSON.stringify(name)}`, {
      hint: "It is a character, or tab. For example:\n--delimiter ';'",
    });
  }
  return delimiter;
}

function decodeLoosely(bytes: Buffer, encoding: string): string {
  return encoding === 'utf-8' ? bytes.toString() : iconv.decode(bytes, encoding, { stripBOM: false });
}

// Throws if the first cell has a quote that is never closed. The whole table would then be one cell.
function refuseOpenHeader(source: TableSource, delimiter: string | undefined, row: RawRow | undefined): void {
  const text = row?.cells[0] ?? '';
  if (row && delimiter === undefined && [',', ';', '\t', '|'].some((one) => findUnclosedQuote(text, one) > 0)) {
    throw unterminatedQuoteError(sourceLabel(source), row.line);
  }
}

// Throws if rows with addresses stand above the header, because two files were probably joined. Up to three lines above
// the header may contain an address in a text, such as `Exported by ana@example.com`.
function refuseLostRows(
  source: TableSource,
  rows: readonly RawRow[],
  { header, delimiter }: { readonly header: RawRow | undefined; readonly delimiter: string | undefined },
): void {
  const before = rows.filter(({ line }) => line < (header?.line ?? 0));
  const lostRowCount = before.filter(({ raw = '' }) => isRowOfAddress(raw) || beginsWithAddress(raw)).length;
  const addressLineCount = before.filter(({ raw = '' }) => raw.includes('@')).length;
  const lines = before.map(({ raw = '' }) => raw);
  if (header && (lostRowCount > 0 || addressLineCount > MAX_ADDRESS_LINES || holdsTable(lines, delimiter))) {
    const message = `${sourceLabel(source)}, line ${header.line}: the header is below rows with addresses, so two files may have been joined`;
    const hint =
      'Give the two files one by one, or name the delimiter: --delimiter\nIf the lines above the header are no rows, delete them.';
    throw new SvcError(EXIT.usage, 'mixed_tables', message, { hint });
  }
}

const MAX_ADDRESS_LINES = 3;

function noHeader(source: TableSource, row: RawRow | undefined, answeredAs: string | undefined): SvcError {
  const cells = row?.cells ?? [];
  const whole = cells.findIndex(isAddressCell);
  const column = Math.max(whole >= 0 ? whole : cells.findIndex(mentionsAddress), 0) + 1;
  const answer = `${answeredAs === undefined ? '' : `${answeredAs}:`}${column}=email`;
  return new SvcError(
    EXIT.usage,
    'no_header',
    `${sourceLabel(source)}, line ${row?.line ?? 1}: the first row holds an address, so there is no header`,
    { hint: `--map ${shellWord(answer)}` },
  );
}
