import { EMAIL_HEADERS, isUsualHeader } from '../../../platforms/lib/headers.ts';
import { bareWord } from '../../../platforms/lib/status-words.ts';
import { readHeader } from '../../consent-columns/headers/read-header.ts';
import { isStateWord } from '../../consent-columns/value-words.ts';
import { isOtherHeader, isRowInCell, isRowOfAddress } from '../../dialect/header-or-data.ts';
import type { Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { addExample, createExamples, exampleAt, exampleAtAddress } from './examples.ts';
import { isBlankCell } from './value-counts.ts';

export type MisshapenRows = ReturnType<typeof createMisshapenRows>;

/** Makes empty counts of rows that do not have the shape of their table. */
export function createMisshapenRows() {
  return {
    /** Rows with fewer cells than the header. */
    short: createExamples(),
    /** Rows that use another delimiter than the table. */
    otherDelimiter: createExamples(),
    /** Rows that look like the header of another table. */
    otherHeader: createExamples(),
  };
}

/** Counts a row if it does not have the shape of its table. `number` is that of the row in the table, from 1. */
export function collectMisshapenRow(shapes: MisshapenRows, record: ParsedRecord, number: number): void {
  const { table, cells, problem } = record;
  if (cells.length < table.width) {
    const missing = table.header[cells.length];
    addExample(shapes.short, () => exampleAt(record, missing, `${cells.length} of ${table.width} fields`));
  }
  if (!problem) {
    return;
  }
  if (cells.length === 1 && isCutElsewhere(table, cells[0] ?? '')) {
    addExample(shapes.otherDelimiter, () => exampleAt(record, table.header[0], cells[0]));
  }
  if (number > table.secondLines && (isOtherHeader(table, cells) || isOtherConsentHeader(table, cells))) {
    addExample(shapes.otherHeader, () => exampleAtAddress(record, cells.join(' | ')));
  }
}

// True for a second header in the middle of a table, with an address and a consent: `Email,Opt-out` below
// `Email,Status`. The words `Email` and `Newsletter` can also be values in the row of a person without an address. So
// two kinds of rows must begin with a column name and have no text but column names: a row with a blank address, and a
// row without a header for email (`Address,Unsubscribed` below `Email,Newsletter`). A status word counts only in such a
// row, or beside a header in the address column.
function isOtherConsentHeader({ header, columnIndexes }: Table, cells: readonly string[]): boolean {
  const address = cells[columnIndexes.email] ?? '';
  const hasEmailHeader = cells.some(isEmailHeader);
  // The quick tests come first, because a list can have a million rejected rows.
  if (!(hasEmailHeader || mayHeadAddresses(address)) || cells.some((cell) => cell.includes('@'))) {
    return false;
  }
  const isWhole = !isBlankCell(cells[0] ?? '') && cells.every((cell) => isBlankCell(cell) || namesColumn(cell));
  const statusCounts = isWhole || isEmailHeader(address);
  return (
    (isWhole || (hasEmailHeader && !isBlankCell(address))) &&
    cells.some(
      (cell, index) =>
        bareWord(cell) !== bareWord(header[index] ?? '') &&
        (statusCounts || !isStateWord(cell)) &&
        (readHeader(cell)?.meaning ?? 'text') !== 'text',
    )
  );
}

// True for a header that can stand above addresses: `Address`, `Contact`. False for `Status:`, which heads a group.
function mayHeadAddresses(cell: string): boolean {
  return isUsualHeader(cell) && readHeader(cell) === undefined;
}

function isEmailHeader(cell: string): boolean {
  return EMAIL_HEADERS.has(bareWord(cell));
}

// True for a column name. `active` does not count: in a row without an address it is the status of a person.
function namesColumn(cell: string): boolean {
  return isUsualHeader(cell) || (readHeader(cell) !== undefined && readHeader(cell)?.meaning !== 'active');
}

// True for a cell that contains a whole row, cut at another delimiter. In a table with one column this counts only if
// its header has such a delimiter too.
function isCutElsewhere({ width, header }: Table, cell: string): boolean {
  return width > 1
    ? isRowOfAddress(cell) || isRowInCell(cell, width)
    : HEADER_IN_CELL.test(header[0] ?? '') && isRowOfAddress(cell);
}

// Matches a delimiter in the only cell of a header.
const HEADER_IN_CELL = /[,;|\t]/;
