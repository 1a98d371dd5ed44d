import { headerOrNumber } from '../../platforms/lib/headers.ts';
import type { StatusReading } from '../../platforms/lib/states.ts';
import { personKey } from '../../wire/person-key.ts';
import { explainsMark, headsPeopleWhoLeft } from '../consent-columns/cells/headings.ts';
import { keepsMailAway } from '../consent-columns/combine-readings.ts';
import { isOtherHeader, isRowInCell, isRowOfAddress } from '../dialect/header-or-data.ts';
import { differentValues, valuesOf } from '../mapping/collisions.ts';
import { NOT_BELIEVED } from '../mapping/state-rule.ts';
import { type KeyCollision, STATE_KINDS, type Table } from '../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../record/parse-record.ts';
import { collectConsentEnds, collectDate, createConsentEnds, createDateStatistics } from './date-statistics.ts';
import { addExample, createExamples, type Examples, exampleAt, moveExamples, type RowPlace } from './examples.ts';
import { collectUnread, createUnreadOptOuts } from './unread-opt-outs.ts';
import {
  collectBlankConsent,
  collectNotes,
  countCandidates,
  countValues,
  createBlankConsents,
  createCandidates,
  createNoteValues,
  createValueCounts,
} from './value-counts.ts';

/** Columns that share a key, with the rows and people that have two different values for it. */
export interface SeenCollision extends KeyCollision {
  readonly lost: Examples;
}

export type ColumnStatistics = ReturnType<typeof createColumnStatistics>;

/** A word that isn't understood, and the rows that hold it. */
export interface UnknownWord {
  readonly word: string;
  /** Index of its column; undefined if the word comes from the platform's rule for the whole row. */
  readonly at: number | undefined;
  readonly examples: Examples;
}

const DISTINCT_WORDS = 1_000;

/** The statistics of one table from the first read, empty at first. The checks use them. */
export function createColumnStatistics(table: Table) {
  const collisions: readonly SeenCollision[] = table.collisions.map((one) => ({ ...one, lost: createExamples() }));
  return {
    rows: 0,
    rejections: new Map<string, Examples>(),
    /** Words that aren't understood, for each column. A blank is the empty word. */
    unknown: new Map<string, UnknownWord>(),
    /** Words to subtract: a row with unknown words in three columns adds two here, so it counts as one row (L5). */
    repeatedUnknown: 0,
    values: createValueCounts(table),
    notes: createNoteValues(table),
    blankConsents: createBlankConsents(table),
    /** Values of other columns, in the rows without a state. */
    candidates: createCandidates(table),
    /** Rows whose state came from a known word. */
    known: 0,
    withoutStatus: createExamples(),
    /** Rows without a state of their own, which have the default status. */
    defaulted: createExamples(),
    /** Rows that say subscribed. */
    subscribed: 0,
    /** The number of `withoutStatus` rows that say subscribed in an opt-out list. */
    notBelieved: 0,
    /** Rejected rows that name an address and hold a status that isn't understood. */
    doubtful: createExamples(),
    short: createExamples(),
    /** Rows that are cut at another delimiter than the table's. */
    otherDelimiter: createExamples(),
    /** Rows that look like the header of another table. */
    otherHeader: createExamples(),
    /** Rows without an address that are a heading of opted-out people, with people below: `Unsubscribed:`. */
    headings: createExamples(),
    /** The rows of `headings` with no person below so far. The last row of a list is no heading. */
    openHeadings: createExamples(),
    /** True if the last filled label says that its people opted out, or has a word that svc does not understand. */
    labelKeepsAway: false,
    /** Rows without a label, below a label of opted-out people, which say nothing else about opting out. */
    belowLabels: createExamples(),
    /** Rows without an address that explain a mark of opted-out people: `* = no mail`. */
    legends: createExamples(),
    otherAddresses: createExamples(),
    /**
     * By column: the people whose state a mention in it decided, or would have decided if it named the same person. See
     * `FoundMention`.
     */
    mentions: new Map(table.addressColumns.found.map(({ at }) => [at, createExamples()])),
    /** By column, the rows in which it holds the address of a second person. */
    secondPeople: new Map(table.addressColumns.found.map(({ at }) => [at, createExamples()])),
    collisions,
    /** By index, the columns that can't be sent, with the rows in which they aren't blank. */
    keyless: new Map(table.keylessColumns.map(({ at }) => [at, createExamples()])),
    dates: createDateStatistics(),
    consentEnds: createConsentEnds(table),
    /** Rejected rows about opted-out people that name no person. */
    unread: createUnreadOptOuts(),
  };
}

export function collectRow(statistics: ColumnStatistics, record: ParsedRecord): void {
  statistics.rows++;
  const { table, kind, cells, problem } = record;
  if (kind !== 'person') {
    return;
  }
  if (problem) {
    addExample(listOf(statistics.rejections, problem.reason), () =>
      exampleAt(record, problem.column || firstBeyond(record), problem.detail),
    );
    collectUnread(statistics.unread, record);
  }
  collectShape(statistics, record);
  if (table.hasRowLabels) {
    collectLabel(statistics, record);
  }
  if (statistics.openHeadings.total > 0 && record.email !== undefined) {
    moveExamples(statistics.openHeadings, statistics.headings);
  }
  if (record.warning) {
    addExample(statistics.otherAddresses, () => exampleAt(record, record.warning?.column, record.warning?.detail));
  }
  for (const { email, column } of record.others?.found ?? []) {
    const rows =
      personKey(email) === personKey(record.email ?? '') ? undefined : statistics.secondPeople.get(column.at);
    rows && addExample(rows, () => exampleAt(record, table.header[column.at], email));
  }
  if (isReliable(record)) {
    collectState(statistics, record);
  } else if (isDoubtful(record)) {
    addExample(statistics.doubtful, () =>
      exampleAt(record, table.header[table.columnIndexes.email], cells.join(' | ')),
    );
  }
  collectKeys(statistics, record);
  if (table.columnIndexes.unsubscribed_at >= 0) {
    collectDate(statistics.dates, record);
  }
}

function collectShape(statistics: ColumnStatistics, record: ParsedRecord): void {
  const { table, cells, problem } = record;
  if (cells.length < table.width) {
    const missing = table.header[cells.length];
    addExample(statistics.short, () => exampleAt(record, missing, `${cells.length} of ${table.width} fields`));
  }
  if (cells.length === 1 && problem && isCutElsewhere(table, cells[0] ?? '')) {
    addExample(statistics.otherDelimiter, () => exampleAt(record, table.header[0], cells[0]));
  }
  if (problem && statistics.rows > table.secondLines && isOtherHeader(table, cells)) {
    addExample(statistics.otherHeader, () =>
      exampleAt(record, table.header[table.columnIndexes.email], cells.join(' | ')),
    );
  }
  if (problem && record.email === undefined) {
    collectText(statistics, record);
  }
}

function collectLabel(statistics: ColumnStatistics, record: ParsedRecord): void {
  const { cells, statusReading, email } = record;
  const isOut = keepsMailAway(statusReading) || statusReading.unknown !== undefined;
  if ((cells[0] ?? '') !== '') {
    statistics.labelKeepsAway = isOut;
  } else if (statistics.labelKeepsAway && !isOut && email !== undefined) {
    addExample(statistics.belowLabels, () => exampleAt(record, headerOrNumber(record.table.header, 0)));
  }
}

function collectText(statistics: ColumnStatistics, record: ParsedRecord): void {
  const { table, cells } = record;
  const example = () => exampleAt(record, undefined, cells.join(' ').trim());
  if (explainsMark(cells)) {
    addExample(statistics.legends, example);
  } else if (headsPeopleWhoLeft(cells, table.header)) {
    addExample(statistics.openHeadings, example);
  }
}

// True for a cell with a whole row: either the table has several columns, or its header is in one cell too.
function isCutElsewhere({ width, header }: Table, cell: string): boolean {
  return width > 1
    ? isRowOfAddress(cell) || isRowInCell(cell, width)
    : HEADER_IN_CELL.test(header[0] ?? '') && isRowOfAddress(cell);
}

// A header of one cell that holds delimiters.
const HEADER_IN_CELL = /[,;|\t]/;

// The number of the first column that the header doesn't have.
function firstBeyond({ table, problem }: ParsedRecord): string {
  return problem?.reason === 'too_many_fields' ? String(table.width + 1) : '';
}

// Rows without a valid address are rejected, so their status is ignored. The same holds for rows that were cut at the
// wrong places.
function isReliable({ email, addressFault, problem }: ParsedRecord): boolean {
  return email !== undefined && !addressFault && (problem === undefined || !MISALIGNED.has(problem.reason));
}

function isDoubtful({ email, statusReading, others }: ParsedRecord): boolean {
  const found = others?.found?.some(({ column }) => !column.ofOtherPeople) ?? false;
  const named = email !== undefined || found || (others?.emails.length ?? 0) > 0;
  return named && (statusReading.unknown !== undefined || others?.statusReading.unknown !== undefined);
}

const MISALIGNED: ReadonlySet<string> = new Set([
  'too_many_fields',
  'text_after_closing_quote',
  'backslash_before_quote',
  'rows_in_quotes',
]);

function collectState(statistics: ColumnStatistics, record: ParsedRecord): void {
  const { table, statusReading, cells } = record;
  const { state } = effectiveReading(table, statusReading);
  statistics.subscribed += state === 'subscribed' ? 1 : 0;
  countValues(statistics.values, cells, state);
  collectNotes(statistics.notes, cells);
  collectBlankConsent(statistics.blankConsents, record, state);
  if (state === 'subscribed') {
    collectConsentEnds(statistics.consentEnds, record);
  }
  if (statusReading.unknown !== undefined) {
    statistics.repeatedUnknown += statusReading.furtherUnknowns?.length ?? 0;
    [statusReading, ...(statusReading.furtherUnknowns ?? [])].forEach((one) => addUnknown(statistics, record, one));
    if (statusReading.unknown === '') {
      countCandidates(statistics.candidates, cells);
    }
  } else if (statusReading.state === 'none') {
    statistics.known += statusReading.agreesToMail ? 1 : 0;
    statistics.notBelieved += statusReading === NOT_BELIEVED ? 1 : 0;
    countCandidates(statistics.candidates, cells);
    addExample(statistics.withoutStatus, () => exampleAt(record, table.header[table.columnIndexes.email]));
  } else {
    statistics.known++;
    if (statusReading === table.withoutStatus) {
      countCandidates(statistics.candidates, cells);
      addExample(statistics.defaulted, () => exampleAt(record, table.header[table.columnIndexes.email]));
    }
  }
}

function addUnknown(
  statistics: ColumnStatistics,
  record: ParsedRecord,
  { unknown = '', unknownAt: at = stateColumn(record) }: StatusReading,
): void {
  const key = `${at}:${unknown}`;
  const room = statistics.unknown.size < DISTINCT_WORDS || statistics.unknown.has(key);
  const found = statistics.unknown.get(room ? key : OTHER_WORDS) ?? {
    word: room ? unknown : OTHER_WORDS,
    at: room ? at : undefined,
    examples: createExamples(),
  };
  statistics.unknown.set(room ? key : OTHER_WORDS, found);
  addExample(found.examples, () => exampleAt(record, at === undefined ? undefined : record.table.header[at], unknown));
}

const OTHER_WORDS = 'other words';

// The column of the word. A platform's rule may read it from any of several columns.
function stateColumn({ table, cells, statusReading }: ParsedRecord): number | undefined {
  const word = (statusReading.unknown ?? '').trim();
  const stateIndex = table.columns.findIndex(
    ({ kind }, at) => kind !== 'unsubscribed_at' && STATE_KINDS.has(kind) && (cells[at] ?? '').includes(word),
  );
  // Columns that are sent may hold a status too.
  const at = stateIndex >= 0 ? stateIndex : cells.findIndex((cell) => word !== '' && cell.trim() === word);
  return at < 0 ? undefined : at;
}

function collectKeys(statistics: ColumnStatistics, record: ParsedRecord): void {
  const { table, cells } = record;
  for (const collision of statistics.collisions) {
    addCollision(collision, record, differentValues(valuesOf(collision, cells)));
  }
  for (const [at, examples] of statistics.keyless) {
    if (cells[at] !== undefined && cells[at] !== '') {
      addExample(examples, () => exampleAt(record, headerOrNumber(table.header, at), cells[at]));
    }
  }
}

/** Counts a row with different values for one key. For several rows of one person, this is their last row. */
export function addCollision({ columns, key, lost }: SeenCollision, place: RowPlace, values: readonly string[]): void {
  if (values.length > 0) {
    addExample(lost, () => exampleAt(place, columns[0]?.header || key, values.join(' | ')));
  }
}

function listOf(lists: Map<string, Examples>, word: string): Examples {
  const list = lists.get(word) ?? createExamples();
  lists.set(word, list);
  return list;
}
