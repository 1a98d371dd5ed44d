import { EMAIL_HEADERS, isUsualHeader } from '../../../platforms/lib/headers.ts';
import { bareWord } from '../../../platforms/lib/status-words.ts';
import { readHeader } from '../../consent-columns/headers/read-header.ts';
import { keepsMailAway } from '../../consent-columns/several-columns/combine-readings.ts';
import { isStateWord } from '../../consent-columns/words/value-words.ts';
import { CUT_OFF_ROW } from '../../csv/cut-off-row.ts';
import { isOtherHeader, isRowInCell, isRowOfAddress } from '../../dialect/header-row.ts';
import { isOptOutList } from '../../mapping/state/default-status.ts';
import type { Table } from '../../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../../record/parse-record.ts';
import { isWholeAddress } from '../../record/row-addresses.ts';
import { wholeDomain } from '../../values/domains.ts';
import { addExample, createExamples, type Examples, exampleAt, exampleAtAddress } from './examples.ts';
import { isBlankCell } from './value-counts.ts';

type RejectedRows = ReturnType<typeof createRejectedRows>;

/** The rejected rows of a table. */
export function createRejectedRows() {
  const unread: UnreadOptOuts = { domains: new Map(), others: createExamples(), sent: 0 };
  return { byReason: new Map<string, Examples>(), unread };
}

/**
 * Counts a row if it is rejected. If its person opted out and has no readable address, it also counts as unread. A row
 * that only the service will reject (`ben@example`) can count as unread too.
 */
export function collectRejected({ byReason, unread }: RejectedRows, record: ParsedRecord): void {
  const { problem } = record;
  if (problem) {
    const examples = byReason.get(problem.reason) ?? createExamples();
    byReason.set(problem.reason, examples);
    addExample(examples, () => exampleAt(record, problem.column || firstBeyond(record), problem.detail));
  }
  if (problem || record.others) {
    collectUnread(unread, record);
  }
}

// The number of the first cell without a header, for a row that has too many cells. Otherwise empty.
function firstBeyond({ table, problem }: ParsedRecord): string {
  return problem?.reason === 'too_many_fields' ? String(table.width + 1) : '';
}

/**
 * Rows about opted-out people without a readable address. svc can't opt these people out, and other rows may sign them
 * up.
 */
interface UnreadOptOuts {
  /** Rows that have a domain in place of an address. */
  readonly domains: Map<string, Examples>;
  readonly others: Examples;
  /**
   * How many of these rows svc sends although their address is not complete (`ben@example`). Only the service rejects
   * them.
   */
  sent: number;
}

/**
 * The maximum number of domains that are counted one by one. Further ones count as `others`, so that memory is bounded.
 */
const MAX_DISTINCT_DOMAINS = 50_000;

function collectUnread(unread: UnreadOptOuts, record: ParsedRecord): void {
  const { domains, others } = unread;
  const { table, cells, email, others: { emails = [], found = [] } = {}, statusReading } = record;
  if (!(isOptOutList(table) || keepsMailAway(effectiveReading(table, statusReading)))) {
    return;
  }
  const index = table.columnIndexes.email;
  const domain = wholeDomain(cells[index] ?? '');
  const isNamed = [email ?? '', ...emails, ...found.map((person) => person.email)].some(isWholeAddress);
  if (isNamed && (domain === undefined || email !== undefined)) {
    return;
  }
  const ofDomain = domain === undefined ? undefined : domains.get(domain);
  const examples =
    ofDomain ?? (domain === undefined || domains.size >= MAX_DISTINCT_DOMAINS ? others : createExamples());
  if (domain !== undefined && examples !== others) {
    domains.set(domain, examples);
  }
  unread.sent += record.problem ? 0 : 1;
  addExample(examples, () => exampleAt(record, table.header[index], cells[index] || cells.join(' | ')));
}

type MisshapenRows = ReturnType<typeof createMisshapenRows>;

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
  if (cells.length < table.width && problem?.reason !== CUT_OFF_ROW) {
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

// True for a second header in the middle of a table, if it names an address and a consent: `Email,Opt-out` below
// `Email,Status`. Usually the row must have only column names, and begin with one: `Address,Unsubscribed` below
// `Email,Newsletter`. Other rows may be those of people without an address, with a value such as `Newsletter`. A row
// with other text counts only if it has a header for email and its address cell is filled. In such a row a status word
// counts only if the address cell is that header.
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

// True for a cell that contains a whole row, cut at another delimiter. In a table with one column, the cell counts only
// if the header has that delimiter too.
function isCutElsewhere({ width, header }: Table, cell: string): boolean {
  return width > 1
    ? isRowOfAddress(cell) || isRowInCell(cell, width)
    : HEADER_IN_CELL.test(header[0] ?? '') && isRowOfAddress(cell);
}

// Matches a delimiter in the only cell of a header.
const HEADER_IN_CELL = /[,;|\t]/;
