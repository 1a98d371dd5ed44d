import type { RowPosition } from '../../base/lib/rows.ts';
import { openDatabase } from '../../base/os/sqlite.ts';
import { reasonOf } from '../../platforms/lib/states.ts';
import { type MergedPeople, mergedPeople } from '../../runs/store/people.ts';
import type { SuppressionReason } from '../../wire/service-words.ts';
import type { RawRow } from '../csv/byte-row.ts';
import type { ReadOptions } from '../csv/read-rows.ts';
import { readTables } from '../csv/read-tables.ts';
import { createAddressHashSet } from '../dedupe/address-hash-set.ts';
import { openTables } from '../mapping/open-tables.ts';
import { type ReadingOptions, readAnswers } from '../mapping/reading-answers.ts';
import type { Table } from '../mapping/table.ts';
import { type ParsedRecord, parseRecord } from '../record/parse-record.ts';
import type { InputFile } from '../source/input-copy.ts';
import { openInputs } from '../source/open-inputs.ts';
import type { LastReading, Reading } from '../survey/survey-types.ts';
import type { ContactItem } from './cut-batches.ts';
import { type Positions, withoutPositions } from './positions.ts';
import { contactOf, mayEnroll, type RowOutcome, rowOutcome, type SurveyedList } from './row-outcome.ts';

interface ReadRow extends RowPosition {
  readonly table: Table;
  readonly row: RawRow;
  readonly record: ParsedRecord;
  readonly outcome: RowOutcome;
}

/** Every row of a list with its outcome, in row order and a few hundred at a time. Reads the input once more. */
export async function* rowOutcomes(list: SurveyedList, options: ReadOptions): AsyncGenerator<readonly ReadRow[]> {
  for await (const { table, rows } of readTables(list.reading.tables, options)) {
    const source = table.source.index;
    yield rows.map((row) => {
      const record = parseRecord(table, row);
      return { source, line: row.line, table, row, record, outcome: rowOutcome(list, record) };
    });
  }
}

export interface Enrollee extends RowPosition {
  readonly email: string;
}

interface ReadSignal {
  readonly signal: AbortSignal;
}

/** The people to be written as contacts, in row order and without the unchanged ones. Reads the input once more. */
export async function* contacts(
  reading: LastReading,
  people: MergedPeople,
  { signal, unchanged }: ReadSignal & { readonly unchanged?: Positions | undefined },
): AsyncGenerator<ContactItem> {
  for await (const some of withoutPositions(contactsOfList({ reading, people }, signal), unchanged)) {
    yield* some;
  }
}

async function* contactsOfList(list: SurveyedList, signal: AbortSignal): AsyncGenerator<readonly ContactItem[]> {
  for await (const rows of rowOutcomes(list, { signal })) {
    yield rows.flatMap(({ source, line, outcome }) => {
      const contact = contactOf(outcome);
      return contact ? [{ source, line, contact }] : [];
    });
  }
}

/**
 * The people for whom an automation may be started: those whom their own list calls subscribed. If no input holds a
 * state, everyone counts except people in inputs that are named as an opt-out list (rule M1: opted-out people are never
 * enrolled).
 */
export async function* enrollees(
  reading: LastReading,
  people: MergedPeople,
  { signal }: ReadSignal,
): AsyncGenerator<Enrollee> {
  for await (const rows of rowOutcomes({ reading, people }, { signal })) {
    for (const { source, line, table, outcome } of rows) {
      if (outcome.kind === 'person' && mayEnroll(reading, table, outcome)) {
        yield { source, line, email: outcome.email };
      }
    }
  }
}

/** A row with an address, and what an import writes for it. */
export interface ListedRow extends RowPosition {
  readonly email: string;
  /** The contact as it is sent. Undefined for a row that writes none: merged, rejected, skipped or suppressed. */
  readonly contact: ContactItem['contact'] | undefined;
  readonly reason: SuppressionReason | undefined;
}

/** Every row with an address, in row order. Reads the input once more. */
export async function* listedRows(
  reading: LastReading,
  people: MergedPeople,
  { signal }: ReadSignal,
): AsyncGenerator<ListedRow> {
  for await (const rows of rowOutcomes({ reading, people }, { signal })) {
    for (const { source, line, record, outcome } of rows) {
      if (record.email !== undefined) {
        const reason = outcome.kind === 'person' ? reasonOf(outcome.state) : undefined;
        yield { source, line, email: record.email, contact: contactOf(outcome), reason };
      }
    }
  }
}

/** Plain data to open a surveyed list again, for example in another thread. */
export interface ListLocation {
  /** The run's own copies of its inputs. */
  readonly files: readonly InputFile[];
  /** Path of the database with the people of the survey. */
  readonly people: string;
  readonly options: ReadingOptions;
  /** For each table the results that need the whole table, see `finalizeTable`. */
  readonly finalized: readonly FinalizedTable[];
  /** The key of the address hashes. */
  readonly seed: string;
}

type FinalizedTable = Pick<Table, 'blankStatus'> & Pick<Table['dateStyle'], 'order'>;

export function finalizedOf({ tables }: Reading): FinalizedTable[] {
  return tables.map(({ blankStatus, dateStyle: { order } }) => ({ blankStatus, order }));
}

/** A surveyed list for its last read; `close` closes the database of its people. */
export async function reopenList(place: ListLocation): Promise<SurveyedList & { close(): void }> {
  const { files, options, finalized } = place;
  const sources = await openInputs(files);
  const { tables } = await openTables(sources, options, readAnswers(options));
  const db = openDatabase(place.people);
  const people = mergedPeople(db);
  // The set of repeated addresses is not stored. Here all addresses of `people` count as repeated: that costs look-ups
  // and changes no result.
  const repeated = createAddressHashSet(place.seed);
  for (const email of people.emails()) {
    repeated.add(email);
  }
  const reading = {
    options,
    repeated,
    tables: tables.map((table, at) => ({ ...table, ...finalize(table, finalized[at]) })),
  };
  return { reading, people, close: () => db.close() };
}

function finalize(
  { blankStatus, dateStyle }: Table,
  finalized: FinalizedTable | undefined,
): Pick<Table, 'blankStatus' | 'dateStyle'> {
  return {
    blankStatus: finalized?.blankStatus ?? blankStatus,
    dateStyle: { ...dateStyle, order: finalized?.order ?? dateStyle.order },
  };
}
