import { hasBit, type PositionSet, withoutPositions } from '../../base/lib/bit-set.ts';
import type { RowPosition } from '../../base/lib/rows.ts';
import { openDatabase } from '../../base/os/sqlite.ts';
import { reasonOf } from '../../platforms/lib/states.ts';
import { openMergedPeople } from '../../runs/people/people.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';
import { type RawRow, toRawRow } from '../csv/row-types.ts';
import { createAddressHashSet } from '../dedupe/address-hash-set.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { type ParsedRecord, parseRecord } from '../record/parse-record.ts';
import { type ReadOptions, readByteRows } from '../rows/read-rows.ts';
import type { InputFile } from '../source/input-copies.ts';
import { openInputs } from '../source/open-inputs.ts';
import { openTables, readTables } from '../tables/open-tables.ts';
import type { ContactItem } from './cut-batches.ts';
import {
  contactOfRow,
  decideRow,
  mayEnroll,
  type RereadData,
  type RowDecision,
  type SurveyedList,
} from './row-decision.ts';

/** A row of a list, and what the survey decided about it. */
export interface RowWithDecision extends RowPosition {
  readonly table: Table;
  readonly row: RawRow;
  readonly record: ParsedRecord;
  readonly decision: RowDecision;
}

/** Yields all rows of a list with their decisions, in order, a few hundred at a time. Reads the inputs once more. */
export async function* rereadRows(
  list: SurveyedList,
  options: ReadOptions,
): AsyncGenerator<readonly RowWithDecision[]> {
  for await (const { table, rows } of readTables(list.survey.tables, options)) {
    yield rows.map((row) => withDecision(list, table, row));
  }
}

function withDecision(list: SurveyedList, table: Table, row: RawRow): RowWithDecision {
  const record = parseRecord(table, row);
  return { source: table.source.index, line: row.line, table, row, record, decision: decideRow(list, record) };
}

interface DoubtfulRowsOptions extends ReadSignal {
  /** True if the row on this line must be yielded even if the survey was certain about it. */
  keepsLine(line: number): boolean;
}

/**
 * Reads a table once more, and yields the rows that may be rejected, with their exact text in `raw`. It leaves out
 * ordinary rows of subscribed people, because the survey was certain about them. Parsing all rows again would take
 * twice as long as the survey.
 */
export async function* rereadDoubtfulRows(
  list: SurveyedList,
  table: Table,
  { signal, keepsLine }: DoubtfulRowsOptions,
): AsyncGenerator<readonly RowWithDecision[]> {
  // With `--duplicates reject`, yields all rows: even a row about which the survey was certain is rejected if an
  // earlier row has the same address.
  const certainRows = list.survey.options.duplicates === 'reject' ? undefined : table.subscribedRows;
  let rowNumber = 0;
  for await (const rows of readByteRows(table, { signal, keepsRaw: true })) {
    const first = rowNumber;
    rowNumber += rows.length;
    yield rows
      .filter(({ line }, index) => !certainRows || !hasBit(certainRows, first + index) || keepsLine(line))
      .map((row) => withDecision(list, table, toRawRow(row)));
  }
}

/** A person to enroll, and the position of the row. */
export interface Enrollee extends RowPosition {
  readonly email: string;
}

interface ReadSignal {
  readonly signal: AbortSignal;
}

/** Yields the contacts to send, in the order of the rows, without the unchanged ones. Reads the inputs once more. */
export async function* rereadContacts(
  list: SurveyedList,
  { signal, unchanged }: ReadSignal & { readonly unchanged?: PositionSet | undefined },
): AsyncGenerator<ContactItem> {
  for await (const part of withoutPositions(contactsOfList(list, signal), unchanged)) {
    yield* part;
  }
}

async function* contactsOfList(list: SurveyedList, signal: AbortSignal): AsyncGenerator<readonly ContactItem[]> {
  for await (const rows of rereadRows(list, { signal })) {
    yield rows.flatMap(({ source, line, decision }) => {
      const contact = contactOfRow(decision);
      return contact ? [{ source, line, contact }] : [];
    });
  }
}

/**
 * Yields the people whom an automation may enroll: those who are subscribed after all their rows were merged. If no
 * input has states, it also yields people without a state, but none of an opt-out list (M1).
 */
export async function* rereadEnrollees(list: SurveyedList, { signal }: ReadSignal): AsyncGenerator<Enrollee> {
  for await (const rows of rereadRows(list, { signal })) {
    for (const { source, line, table, decision } of rows) {
      if (decision.kind === 'person' && mayEnroll(list.survey, table, decision)) {
        yield { source, line, email: decision.email };
      }
    }
  }
}

/** A row with an address, and what an import sends for it. */
export interface ListedRow extends RowPosition {
  readonly email: string;
  /**
   * The contact as it is sent. Undefined if no contact is sent: the row was merged, rejected, skipped or suppressed.
   */
  readonly contact: ContactItem['contact'] | undefined;
  readonly reason: SuppressionReason | undefined;
  /** True if an import writes nothing for the person, because the status of the person is skipped. */
  readonly isSkipped: boolean;
}

/** Yields all rows with an address, in order. Reads the inputs once more. */
export async function* rereadListedRows(list: SurveyedList, { signal }: ReadSignal): AsyncGenerator<ListedRow> {
  for await (const rows of rereadRows(list, { signal })) {
    for (const { source, line, record, decision } of rows) {
      if (record.email !== undefined) {
        const reason = decision.kind === 'person' ? reasonOf(decision.state) : undefined;
        const contact = contactOfRow(decision);
        const isSkipped = decision.kind === 'person' && contact === undefined && reason === undefined;
        yield { source, line, email: record.email, contact, reason, isSkipped };
      }
    }
  }
}

/** How to open a surveyed list again. It is plain data, so that it can be sent to a thread. */
export interface ListLocation {
  /** The run's copies of the inputs. */
  readonly files: readonly InputFile[];
  /** The path of the database with the people of the survey. */
  readonly people: string;
  readonly options: ReadingOptions;
  /** What svc knows about each table only after it has read the whole table. */
  readonly finalized: readonly FinalizedTable[];
  /** The key of the hashes of addresses: 16 hex digits. */
  readonly seed: string;
}

interface FinalizedTable
  extends Pick<Table, 'dialect' | 'blankStatus' | 'otherHeaderLine' | 'laterRows' | 'subscribedRows'>,
    Pick<Table['dateStyle'], 'order'> {
  readonly source: number;
}

/**
 * What svc knows about each table only after it has read the whole table. This is the date order, the meaning of a
 * blank status, the line of a second header, and the rows of subscribed people. `laterRows` are rows below the first
 * ones that also decided how svc reads the table.
 */
export function finalizedTablesOf({ tables }: Pick<RereadData, 'tables'>): FinalizedTable[] {
  return tables.map(({ source, dialect, blankStatus, otherHeaderLine, laterRows, subscribedRows, dateStyle }) => ({
    source: source.index,
    dialect,
    blankStatus,
    otherHeaderLine,
    laterRows,
    subscribedRows,
    order: dateStyle.order,
  }));
}

/** Opens a surveyed list again. `close` closes the database with its people. */
export async function reopenList(location: ListLocation): Promise<SurveyedList & { close(): void }> {
  const { files, options, finalized } = location;
  const sources = await openInputs(files);
  const laterRows = new Map(finalized.map(({ source, laterRows }) => [source, laterRows]));
  const dialects = new Map(finalized.map(({ source, dialect }) => [source, dialect]));
  const { tables } = await openTables(sources, options, { laterRows, dialects });
  const db = openDatabase(location.people);
  const people = openMergedPeople(db);
  // The set of repeated addresses is not stored. So all addresses in `people` count as repeated here. This costs more
  // look-ups but changes no result.
  const repeated = createAddressHashSet(location.seed);
  for (const email of people.emails()) {
    repeated.add(email);
  }
  const survey = {
    options,
    repeated,
    tables: tables.map((table, index) => ({ ...table, ...finalize(table, finalized[index]) })),
  };
  return { survey, people, close: () => db.close() };
}

function finalize(
  { blankStatus, dateStyle }: Table,
  finalized: FinalizedTable | undefined,
): Pick<Table, 'blankStatus' | 'otherHeaderLine' | 'subscribedRows' | 'dateStyle'> {
  return {
    blankStatus: finalized?.blankStatus ?? blankStatus,
    otherHeaderLine: finalized?.otherHeaderLine,
    subscribedRows: finalized?.subscribedRows,
    dateStyle: { ...dateStyle, order: finalized?.order ?? dateStyle.order },
  };
}
