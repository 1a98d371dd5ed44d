import { isOtherHeader, isRowInCell, isRowOfAddress } from '../dialect/looks.ts';
import { differing, valuesOf } from '../mapping/collisions.ts';
import type { KeyCollision, Table } from '../mapping/table.ts';
import { provenOrder, readDate } from '../record/dates.ts';
import { effective, type ParsedRecord } from '../record/parse-record.ts';
import { NOT_BELIEVED } from '../status/state-rule.ts';
import { rankOf } from '../status/states.ts';
import type { StatusReading } from '../types.ts';
import { type Candidates, countCandidates, createCandidates } from './candidates.ts';
import { addExample, createExamples, type Examples, exampleAt, type RowPlace } from './examples.ts';
import { countValues, createValueCounts, type ValueCounts } from './value-counts.ts';

/** Columns of one key, with the rows and people that have two different values for it. */
export interface SeenCollision extends KeyCollision {
  readonly lost: Examples;
}

/** What one table showed while it was read for the first time, for the checks to judge. */
export interface ColumnStatistics {
  rows: number;
  readonly rejections: Map<string, Examples>;
  /** Words that aren't understood, of each column by itself; the blank is the empty word. */
  readonly unknown: Map<string, UnknownWord>;
  /** Values of the columns that tell the state. */
  readonly values: ValueCounts;
  /** Values of other columns, in the rows that say nothing of a state. */
  readonly candidates: Candidates;
  /** Rows whose state came from a word that is known. */
  known: number;
  readonly stateless: Examples;
  /** Of these, rows that say subscribed in an input named for people who left. */
  notBelieved: number;
  /** Rejected rows that name somebody and don't say what became of them. */
  readonly doubtful: Examples;
  readonly short: Examples;
  /** Rows that are cut at another delimiter than the table's. */
  readonly otherDelimiter: Examples;
  /** Rows that name columns as a header does, but other ones than this table's. */
  readonly otherHeader: Examples;
  readonly otherAddresses: Examples;
  readonly clashes: readonly SeenCollision[];
  /** Position of a column that can't be sent to the rows with something in it. */
  readonly keyless: Map<number, Examples>;
  readonly dates: DateStatistics;
}

/** What the opt-out dates of a table prove about their order. */
export interface DateStatistics {
  readonly dmy: Examples;
  readonly mdy: Examples;
  /** Opt-outs whose date can be read two ways. */
  readonly ambiguous: Examples;
  readonly unreadable: Examples;
  /** Rows that would be subscribed but for their opt-out date. */
  readonly contradicted: Examples;
}

/** A word that isn't understood, and the rows that hold it. */
export interface UnknownWord {
  readonly word: string;
  /** Position of its column; undefined where the platform's rule says it of the whole row. */
  readonly at: number | undefined;
  readonly examples: Examples;
}

const DISTINCT_WORDS = 1_000;

/** Nothing seen yet of this table. */
export function createColumnStatistics(table: Table): ColumnStatistics {
  return {
    rows: 0,
    rejections: new Map(),
    unknown: new Map(),
    values: createValueCounts(table),
    candidates: createCandidates(table),
    known: 0,
    stateless: createExamples(),
    notBelieved: 0,
    doubtful: createExamples(),
    short: createExamples(),
    otherDelimiter: createExamples(),
    otherHeader: createExamples(),
    otherAddresses: createExamples(),
    clashes: table.clashes.map((clash) => ({ ...clash, lost: createExamples() })),
    keyless: new Map(table.keyless.map(({ at }) => [at, createExamples()])),
    dates: {
      dmy: createExamples(),
      mdy: createExamples(),
      ambiguous: createExamples(),
      unreadable: createExamples(),
      contradicted: createExamples(),
    },
  };
}

/** Looks at one row. */
export function collectRow(watch: ColumnStatistics, judgement: ParsedRecord): void {
  watch.rows++;
  const { table, kind, cells, problem } = judgement;
  if (kind !== 'person') {
    return;
  }
  if (problem) {
    addExample(listOf(watch.rejections, problem.reason), () =>
      exampleAt(judgement, problem.column || firstBeyond(judgement), problem.detail),
    );
  }
  lookAtShape(watch, judgement);
  if (judgement.warning) {
    addExample(watch.otherAddresses, () => exampleAt(judgement, judgement.warning?.column, judgement.warning?.detail));
  }
  if (isReliable(judgement)) {
    lookAtState(watch, judgement);
  } else if (isDoubtful(judgement)) {
    addExample(watch.doubtful, () => exampleAt(judgement, table.header[table.places.email], cells.join(' | ')));
  }
  lookAtKeys(watch, judgement);
  if (table.places.unsubscribed_at >= 0) {
    lookAtDate(watch.dates, judgement);
  }
}

function lookAtShape(watch: ColumnStatistics, judgement: ParsedRecord): void {
  const { table, cells, problem } = judgement;
  if (cells.length < table.width) {
    const missing = table.header[cells.length];
    addExample(watch.short, () => exampleAt(judgement, missing, `${cells.length} of ${table.width} fields`));
  }
  if (cells.length === 1 && problem && isCutElsewhere(table, cells[0] ?? '')) {
    addExample(watch.otherDelimiter, () => exampleAt(judgement, table.header[0], cells[0]));
  }
  if (problem && isOtherHeader(table, cells)) {
    addExample(watch.otherHeader, () => exampleAt(judgement, table.header[table.places.email], cells.join(' | ')));
  }
}

// A whole row in one cell, in a table of several columns or under a header that is one cell as well.
function isCutElsewhere({ width, header }: Table, cell: string): boolean {
  return width > 1
    ? isRowOfAddress(cell) || isRowInCell(cell, width)
    : HEADER_IN_CELL.test(header[0] ?? '') && isRowOfAddress(cell);
}

const HEADER_IN_CELL = /[,;|\t]/;

// The number of the first column that the header doesn't have.
function firstBeyond({ table, problem }: ParsedRecord): string {
  return problem?.reason === 'too_many_fields' ? String(table.width + 1) : '';
}

// A row without a sound address is nobody, and cells that were cut at the wrong places say nothing of a state: both are refused.
function isReliable({ email, addressFault, problem }: ParsedRecord): boolean {
  return email !== undefined && !addressFault && (problem === undefined || !CUT_WRONG.has(problem.reason));
}

function isDoubtful({ email, verdict, others }: ParsedRecord): boolean {
  const named = email !== undefined || (others?.emails.length ?? 0) > 0;
  return named && (verdict.unknown !== undefined || others?.verdict.unknown !== undefined);
}

const CUT_WRONG: ReadonlySet<string> = new Set([
  'too_many_fields',
  'text_after_closing_quote',
  'backslash_before_quote',
  'rows_in_quotes',
]);

function lookAtState(watch: ColumnStatistics, judgement: ParsedRecord): void {
  const { table, verdict, cells } = judgement;
  countValues(watch.values, cells, effective(table, verdict).state);
  if (verdict.unknown !== undefined) {
    [verdict, ...(verdict.also ?? [])].forEach((one) => addUnknown(watch, judgement, one));
  } else if (verdict.state === 'none') {
    watch.known += verdict.said ? 1 : 0;
    watch.notBelieved += verdict === NOT_BELIEVED ? 1 : 0;
    countCandidates(watch.candidates, cells);
    addExample(watch.stateless, () => exampleAt(judgement, table.header[table.places.email]));
  } else {
    watch.known++;
  }
}

function addUnknown(
  watch: ColumnStatistics,
  judgement: ParsedRecord,
  { unknown = '', at = stateColumn(judgement) }: StatusReading,
): void {
  const key = `${at}:${unknown}`;
  const room = watch.unknown.size < DISTINCT_WORDS || watch.unknown.has(key);
  const found = watch.unknown.get(room ? key : OTHER_WORDS) ?? {
    word: room ? unknown : OTHER_WORDS,
    at: room ? at : undefined,
    examples: createExamples(),
  };
  watch.unknown.set(room ? key : OTHER_WORDS, found);
  addExample(found.examples, () =>
    exampleAt(judgement, at === undefined ? undefined : judgement.table.header[at], unknown),
  );
}

const OTHER_WORDS = 'other words';

// The column of the word; a platform's rule may have read it in any of several.
function stateColumn({ table, cells, verdict }: ParsedRecord): number | undefined {
  const word = (verdict.unknown ?? '').trim();
  const told = table.columns.findIndex(({ kind }, at) => STATE_KINDS.has(kind) && (cells[at] ?? '').includes(word));
  // Columns that are sent may tell of a state as well.
  const at = told >= 0 ? told : cells.findIndex((cell) => word !== '' && cell.trim() === word);
  return at < 0 ? undefined : at;
}

const STATE_KINDS: ReadonlySet<string> = new Set(['status', 'reason', 'state_part']);

function lookAtKeys(watch: ColumnStatistics, judgement: ParsedRecord): void {
  const { table, cells } = judgement;
  for (const clash of watch.clashes) {
    addCollision(clash, judgement, differing(valuesOf(clash, cells)));
  }
  for (const [at, examples] of watch.keyless) {
    if (cells[at] !== undefined && cells[at] !== '') {
      addExample(examples, () => exampleAt(judgement, table.header[at] || String(at + 1), cells[at]));
    }
  }
}

/** Counts a row, or the last of several rows of a person, that has these different values for one key. */
export function addCollision({ columns, key, lost }: SeenCollision, place: RowPlace, values: readonly string[]): void {
  if (values.length > 0) {
    addExample(lost, () => exampleAt(place, columns[0]?.header || key, values.join(' | ')));
  }
}

function lookAtDate(dates: DateStatistics, judgement: ParsedRecord): void {
  const { table, cells, verdict } = judgement;
  const cell = cells[table.places.unsubscribed_at];
  if (cell === undefined || cell === '' || cell.trim() === '') {
    return;
  }
  const column = table.header[table.places.unsubscribed_at];
  const example = () => exampleAt(judgement, column, cell);
  const proven =
    table.dateStyle.order === undefined && table.dateStyle.form === undefined ? provenOrder(cell) : undefined;
  if (proven === 'dmy' || proven === 'mdy') {
    addExample(dates[proven], example);
  }
  if (rankOf(verdict.state) > rankOf('unsubscribed')) {
    return;
  }
  if (verdict.state === 'unsubscribed' && isLeftByDate(table, cells)) {
    addExample(dates.contradicted, example);
  }
  const { kind } = readDate(cell, table.dateStyle);
  if (kind !== 'at' && table.reading.datesOptOut?.(cells) !== false) {
    addExample(dates[kind], example);
  }
}

function isLeftByDate(table: Table, cells: readonly string[]): boolean {
  return table.stateOf(cells.with(table.places.unsubscribed_at, ''), '').state === 'subscribed';
}

function listOf(lists: Map<string, Examples>, word: string): Examples {
  const list = lists.get(word) ?? createExamples();
  lists.set(word, list);
  return list;
}
