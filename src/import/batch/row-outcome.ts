import type { RowPosition } from '../../base/lib/rows.ts';
import { isState, reasonOf, type State } from '../../platforms/lib/states.ts';
import type { MergedPeople, Person } from '../../runs/store/people.ts';
import type { Timestamp } from '../../wire/shapes.ts';
import type { SuppressionReason } from '../../wire/words.ts';
import type { ReadOptions } from '../csv/parse.ts';
import { readTables } from '../csv/pipeline.ts';
import { skipReason } from '../dedupe/merge-duplicates.ts';
import { duplicateProblem } from '../dedupe/merge-rows.ts';
import { readPayload } from '../dedupe/staged-payload.ts';
import { optOutDate } from '../dedupe/staging.ts';
import { isOptOutList } from '../mapping/default-status.ts';
import type { Table } from '../mapping/table.ts';
import { buildContact, readFields } from '../record/normalize.ts';
import { effective, type ParsedRecord, parseRecord } from '../record/parse-record.ts';
import type { LastReading } from '../survey/survey-types.ts';
import type { ContactItem, DraftFields, RawRow, RowProblem } from '../types.ts';
import { hasPosition, type Positions } from './positions.ts';

/**
 * The outcome of a row: its person is written for it, it was merged into another row, it is rejected, or it is about no
 * person.
 */
export type RowOutcome =
  | {
      readonly kind: 'person';
      readonly email: string;
      readonly state: State;
      readonly why: string | undefined;
      readonly at: Timestamp | undefined;
      fields(): DraftFields;
    }
  | { readonly kind: 'merged' }
  | { readonly kind: 'rejected'; readonly problem: RowProblem; readonly state: State }
  | { readonly kind: 'no_person' };

/** A row of a list, and what becomes of it. */
interface ReadRow extends RowPosition {
  readonly table: Table;
  readonly row: RawRow;
  readonly record: ParsedRecord;
  readonly outcome: RowOutcome;
}

/** Every row of a list with its outcome, in row order and a few hundred at a time. Reads the input once more. */
export async function* rowOutcomes(list: Surveyed, options: ReadOptions): AsyncGenerator<readonly ReadRow[]> {
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
  let position = 0;
  for await (const rows of rowOutcomes({ reading, people }, { signal })) {
    for (const { source, line, outcome } of rows) {
      const contact = contactOf(outcome);
      if (contact && !(unchanged && hasPosition(unchanged, position++))) {
        yield { source, line, contact };
      }
    }
  }
}

/**
 * The people that a flow may be started for: those whom their own list calls subscribed. If no input holds a state,
 * everyone counts except people in inputs whose name says opt-out list (rule M1: opted-out people are never enrolled).
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
  /** The reason, if the row suppresses its person. */
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

/** The contact of a row as it will be sent; undefined for people who aren't written as contacts. */
export function contactOf(outcome: RowOutcome): ContactItem['contact'] | undefined {
  if (outcome.kind !== 'person' || (outcome.state !== 'subscribed' && outcome.state !== 'unsubscribed')) {
    return undefined;
  }
  return buildContact(outcome, outcome.fields());
}

/** A surveyed list. */
export interface Surveyed {
  readonly reading: LastReading;
  readonly people: MergedPeople;
}

/** The outcome of one row, given what the survey found in the whole list. */
export function rowOutcome({ reading, people }: Surveyed, record: ParsedRecord): RowOutcome {
  const { table, kind, email, problem } = record;
  if (kind !== 'person') {
    return { kind: 'no_person' };
  }
  const status = effective(table, record.statusReading);
  if (email !== undefined && reading.repeated.has(email)) {
    const person = people.person(email);
    if (person) {
      return outcomeBeside(reading, person, record);
    }
  }
  // A suppression needs only the address, as in `mergeRows`.
  const written = reasonOf(status.state) !== undefined && !record.addressFault;
  if (email === undefined || (problem && !written)) {
    return { kind: 'rejected', problem: problem as RowProblem, state: status.state };
  }
  return {
    kind: 'person',
    email,
    state: status.state,
    why: status.unknown === undefined ? status.why : 'unknown_status',
    at: optOutDate(table, record.cells, status),
    fields: () => readFields(table, record.cells, reading.options.empty),
  };
}

function outcomeBeside(reading: LastReading, person: Person, record: ParsedRecord): RowOutcome {
  const source = record.table.source.index;
  const state = isState(person.state) ? person.state : 'none';
  if (person.source === source && person.line === record.line) {
    const { email, why, at } = person;
    return { kind: 'person', email, state, why, at, fields: () => readPayload(person.payload).fields };
  }
  const repeats = reading.options.duplicates === 'reject';
  const problem = record.problem ?? (repeats ? duplicateProblem({ email: person.email, source }, person) : undefined);
  return problem ? { kind: 'rejected', problem, state } : { kind: 'merged' };
}

function mayEnroll(reading: LastReading, table: Table, outcome: RowOutcome & { readonly kind: 'person' }): boolean {
  if (outcome.state !== 'none') {
    return outcome.state === 'subscribed';
  }
  const silent = reading.tables.every((other) => other.reading.stateFrom === undefined);
  return silent && skipReason(outcome.state, outcome.why) === 'no_status' && !isOptOutList(table);
}
