import { memoize } from '../../base/lib/memoize.ts';
import {
  isState,
  rankOf,
  reasonOf,
  type State,
  type StatusReading,
  withoutMailboxState,
  withoutSuppression,
} from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/status-words.ts';
import type { People, StagedRow } from '../../runs/people/people.ts';
import type { RowProblem } from '../csv/row-types.ts';
import type { FoundAddressColumn } from '../mapping/address-columns.ts';
import { type CollidingValues, collidingValuesOf } from '../mapping/collisions.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import { mayBeOptOut } from '../mapping/state/default-status.ts';
import type { Table } from '../mapping/table.ts';
import { type ContactFields, readContactFields } from '../record/contact-fields.ts';
import { effectiveReading, type ParsedRecord } from '../record/parse-record.ts';
import { topicFieldsOf } from '../record/topic-fields.ts';
import { readDate } from '../values/dates.ts';
import type { Mention } from './seen-addresses.ts';

/**
 * What a staged row stores beside its state and date. A staged row waits in SQLite until all rows of its address are
 * known.
 */
export interface StagedPayload {
  readonly fields: ContactFields;
  readonly why?: string | undefined;
  readonly unknown?: string | undefined;
  readonly problem?: RowProblem | undefined;
  readonly addressFault?: boolean | undefined;
  readonly collisions?: CollidingValues | undefined;
  /**
   * True if the row is about another person and only mentions this one. Its state counts for this person too, but it is
   * not counted among the rows of this person.
   */
  readonly witness?: boolean | undefined;
  /** The column of the mention, if svc corrected the address, or if the header of the column is not about addresses. */
  readonly column?: FoundAddressColumn | undefined;
}

/** Parses the payload of a staged row. */
export function readPayload(payload: string): StagedPayload {
  // The type assertion is safe: only svc writes payloads.
  return JSON.parse(payload) as StagedPayload;
}

export interface ParsedRow {
  readonly row: StagedRow;
  readonly state: State;
  readonly payload: StagedPayload;
}

/** Longer payloads are not cached, to limit memory. */
const LONGEST_CACHED_PAYLOAD = 1_000;

/** Yields the rows with their parsed payloads. Equal short payloads are parsed only once. */
export function* readStagedRows(rows: Iterable<StagedRow>): Generator<ParsedRow> {
  const payloadOf = memoize(readPayload);
  for (const row of rows) {
    const payload = row.payload.length <= LONGEST_CACHED_PAYLOAD ? payloadOf(row.payload) : readPayload(row.payload);
    yield { row, state: isState(row.state) ? row.state : 'none', payload };
  }
}

/**
 * The date of a row's opt-out, in the form of the service. Undefined if the row is no opt-out, if the date can't be
 * read, or if the platform writes another date than that of the opt-out into this row. The opt-out counts even without
 * a date (C9).
 */
export function optOutDate(table: Table, cells: readonly string[], statusReading: StatusReading): string | undefined {
  const cell =
    rankOf(statusReading.state) <= rankOf('unsubscribed') ? cells[table.columnIndexes.unsubscribed_at] : undefined;
  if (cell === undefined || cell === '' || table.reading.isOptOutDate?.(cells) === false) {
    return undefined;
  }
  const date = readDate(cell, table.dateStyle);
  return date.kind === 'at' ? date.moment : undefined;
}

/** True if svc can read the date of the row only when it knows the date order of the column: `03/04/2024`. */
export function isDateOrderOpen({ table, cells }: ParsedRecord): boolean {
  const cell = cells[table.columnIndexes.unsubscribed_at];
  return cell !== undefined && cell !== '' && readDate(cell, table.dateStyle).kind === 'ambiguous';
}

/**
 * A row as it is stored for the merge. If it suppresses the person or has a problem, refused topics are its only
 * fields, because no contact is made of it.
 */
export function createStagedRow(
  record: ParsedRecord & { readonly email: string },
  empty: ReadingOptions['empty'],
): StagedRow {
  const { table } = record;
  const statusReading = stagedReading(table, record.statusReading);
  const isPlain = reasonOf(statusReading.state) === undefined && record.problem === undefined;
  const payload: StagedPayload = {
    fields: isPlain ? readContactFields(table, record.cells, empty) : refusedTopicsOf(record),
    why: statusReading.why,
    unknown: statusReading.unknown,
    problem: record.problem,
    ...(record.addressFault && { addressFault: true }),
    ...(isPlain && table.collisions.length > 0 && { collisions: collisionsIn(table, record.cells) }),
  };
  return {
    email: record.email,
    source: table.source.index,
    line: record.line,
    state: statusReading.state,
    optOutDate: optOutDate(table, record.cells, statusReading),
    payload: JSON.stringify(payload),
  };
}

// The refused topics of a row that is not written. They count for the person too (C9).
function refusedTopicsOf({ table, cells }: ParsedRecord): ContactFields {
  const { refusedTopics } = table.topics.length > 0 ? topicFieldsOf(table, cells) : {};
  return refusedTopics ? { refusedTopics } : {};
}

/** The staged row for a person whom another row mentions. It has a state, and svc never writes a contact from it. */
export function createMentionRow(
  { table, line, cells, email: ownEmail, others, statusReading }: ParsedRecord,
  { email, column }: Mention,
): StagedRow {
  const reading = stagedReading(table, others?.statusReading ?? statusReading);
  const isOnly = ownEmail === undefined && new Set(others?.emails).size === 1;
  const { state, why, unknown } = column
    ? foundState(reading, column)
    : isOnly
      ? reading
      : withoutMailboxState(reading);
  const payload: StagedPayload = { fields: {}, why, unknown, witness: true, ...(column && { column }) };
  const date = optOutDate(table, cells, { state });
  return { email, source: table.source.index, line, state, optOutDate: date, payload: JSON.stringify(payload) };
}

// The state that a mention gives, if svc corrected its address, or if the header of its column is not about addresses.
// The mention never suppresses the person. A column about other people gives no state.
function foundState(reading: StatusReading, { isOfOtherPeople }: FoundAddressColumn): StatusReading {
  return isOfOtherPeople ? NONE : withoutSuppression(reading);
}

// The reading of a row for the merge. A row without a state in an opt-out list counts as unknown.
function stagedReading(table: Table, statusReading: StatusReading): StatusReading {
  const reading = effectiveReading(table, statusReading);
  return mayBeOptOut(table, reading) ? { ...reading, unknown: FROM_OPT_OUT_LIST } : reading;
}

// Takes the place of the unknown word in a row without a state in an opt-out list.
const FROM_OPT_OUT_LIST = 'a row in a list of people who left';

function collisionsIn({ collisions }: Table, cells: readonly string[]): CollidingValues {
  return Object.fromEntries(collisions.map((collision) => [collision.key, collidingValuesOf(collision, cells)]));
}

/** Stores rows a few thousand at a time, because one commit costs as much as many rows. */
export interface StagingWriter {
  add(row: StagedRow): void;
  flush(): void;
}

const MAX_STAGED_ROWS = 4_000;

/** An empty writer. Call `flush` after the last row. */
export function createStagingWriter(people: People): StagingWriter {
  let rows: StagedRow[] = [];
  const flush = () => {
    if (rows.length > 0) {
      people.addRows(rows);
      rows = [];
    }
  };
  return {
    flush,
    add(row) {
      rows.push({ ...row, email: copyText(row.email) });
      if (rows.length >= MAX_STAGED_ROWS) {
        flush();
      }
    },
  };
}

// Copies a text, because a slice keeps the whole text from which it was cut in memory. Each waiting row is cut from a
// different text.
function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
