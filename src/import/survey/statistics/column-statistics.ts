import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { personKey } from '../../../wire/person-key.ts';
import { explainsMark, isOptOutHeading, namesOptOutList } from '../../consent-columns/cells/headings.ts';
import { keepsMailAway } from '../../consent-columns/combine-readings.ts';
import { isOtherHeader, isRowInCell, isRowOfAddress } from '../../dialect/header-or-data.ts';
import { differentValues, valuesOf } from '../../mapping/collisions.ts';
import { DISTRUSTED_SUBSCRIBED } from '../../mapping/state-rule.ts';
import { type KeyCollision, STATE_KINDS, type Table } from '../../mapping/table.ts';
import { effectiveReading, type ParsedRecord } from '../../record/parse-record.ts';
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

/** Columns that share an attribute key, and the rows and people with two different values for it. */
export interface SeenCollision extends KeyCollision {
  readonly lost: Examples;
}

export type ColumnStatistics = ReturnType<typeof createColumnStatistics>;

/** A word that svc does not understand, and the rows that have it. */
export interface UnknownWord {
  readonly word: string;
  /** The index of its column. Undefined if the platform's rule read the whole row. */
  readonly at: number | undefined;
  /** True if it stands in rows that are too short, so that it may be the answer of a later column. */
  readonly misplaced: boolean;
  readonly examples: Examples;
}

const DISTINCT_WORDS = 1_000;

/** The statistics of one table that the first read fills and the checks use. They begin empty. */
export function createColumnStatistics(table: Table) {
  const collisions: readonly SeenCollision[] = table.collisions.map((one) => ({ ...one, lost: createExamples() }));
  return {
    rows: 0,
    rejections: new Map<string, Examples>(),
    /** Words that svc does not understand, by column. A blank is the empty word. */
    unknown: new Map<string, UnknownWord>(),
    /** How many words to subtract, so that a row counts once: a row with unknown words in three columns adds 2 (L5). */
    repeatedUnknown: 0,
    values: createValueCounts(table),
    notes: createNoteValues(table),
    blankConsents: createBlankConsents(table),
    /** The values of columns that may contain the status, in rows without a state. */
    candidates: createCandidates(table),
    /** The number of rows whose state came from a known word. */
    known: 0,
    withoutStatus: createExamples(),
    /** Rows without a state of their own, which got the default status. */
    defaulted: createExamples(),
    /** The number of rows that say subscribed. */
    subscribed: 0,
    /** The number of `withoutStatus` rows that say subscribed, in an opt-out list. */
    distrustedRows: 0,
    /** Rejected rows with an address and a status that svc does not understand. */
    doubtful: createExamples(),
    short: createExamples(),
    /** Rows that use another delimiter than the table. */
    otherDelimiter: createExamples(),
    /** Rows that look like the header of another table. */
    otherHeader: createExamples(),
    /** Rows without an address that are a heading above opted-out people, such as `Unsubscribed:`. */
    headings: createExamples(),
    /** Rows that become `headings` if a person follows. At the end of a list there is no heading. */
    openHeadings: createExamples(),
    /** True if the last label in the first column means opted out, or is a word that svc does not understand. */
    labelKeepsAway: false,
    /** Rows with a blank label below such a label, which say nothing else about an opt-out. */
    belowLabels: createExamples(),
    /** Rows without an address that explain a mark of opted-out people: `* = no mail`. */
    legends: createExamples(),
    otherAddresses: createExamples(),
    /**
     * By column: the people whose state a mention in this column decided, or would have decided if it meant the same
     * person. See `FoundMention`.
     */
    mentions: new Map(table.addressColumns.found.map(({ at }) => [at, createExamples()])),
    /** By column: the rows in which it has the address of a second person. */
    secondPeople: new Map(table.addressColumns.found.map(({ at }) => [at, createExamples()])),
    collisions,
    /** By index: the columns that can't be sent, and the rows in which they are filled. */
    keyless: new Map(table.keylessColumns.map(({ at }) => [at, createExamples()])),
    dates: createDateStatistics(),
    consentEnds: createConsentEnds(table),
    /** Rejected rows about opted-out people whom they do not name. */
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
  if (explainsMark(cells) || namesOptOutList(cells)) {
    addExample(explainsMark(cells) ? statistics.legends : statistics.headings, example);
  } else if (isOptOutHeading(cells, table.header)) {
    addExample(statistics.openHeadings, example);
  }
}

// True for a cell with a whole row: the table has several columns, or its header is in one cell too.
function isCutElsewhere({ width, header }: Table, cell: string): boolean {
  return width > 1
    ? isRowOfAddress(cell) || isRowInCell(cell, width)
    : HEADER_IN_CELL.test(header[0] ?? '') && isRowOfAddress(cell);
}

// Matches a delimiter in the only cell of a header.
const HEADER_IN_CELL = /[,;|\t]/;

// The number of the first column without a header, if the row has too many cells.
function firstBeyond({ table, problem }: ParsedRecord): string {
  return problem?.reason === 'too_many_fields' ? String(table.width + 1) : '';
}

// True if the status of a row counts: the row has a valid address and is cut at the right places.
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
    statistics.distrustedRows += statusReading === DISTRUSTED_SUBSCRIBED ? 1 : 0;
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
  { unknown = '', unknownAt: at = stateColumn(record), misplaced = false }: StatusReading,
): void {
  const key = `${at}:${misplaced}:${unknown}`;
  const room = statistics.unknown.size < DISTINCT_WORDS || statistics.unknown.has(key);
  const found = statistics.unknown.get(room ? key : OTHER_WORDS) ?? {
    word: room ? unknown : OTHER_WORDS,
    at: room ? at : undefined,
    misplaced: room && misplaced,
    examples: createExamples(),
  };
  statistics.unknown.set(room ? key : OTHER_WORDS, found);
  addExample(found.examples, () => exampleAt(record, at === undefined ? undefined : record.table.header[at], unknown));
}

const OTHER_WORDS = 'other words';

// The index of the column with the unknown word. The rule of a platform may read several columns.
function stateColumn({ table, cells, statusReading }: ParsedRecord): number | undefined {
  const word = (statusReading.unknown ?? '').trim();
  const stateIndex = table.columns.findIndex(
    ({ kind }, at) => kind !== 'unsubscribed_at' && STATE_KINDS.has(kind) && (cells[at] ?? '').includes(word),
  );
  // A column that is sent as an attribute can contain a status too.
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

/** Counts a row with different values for one attribute key, or the last row of a person with such values. */
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
