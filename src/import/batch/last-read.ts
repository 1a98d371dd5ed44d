import type { MergedPeople, Person } from '../../runs/store/people.ts';
import type { Timestamp } from '../../wire/shapes.ts';
import { readTables } from '../csv/pipeline.ts';
import { skipReason } from '../dedupe/merge-duplicates.ts';
import { duplicateProblem, readPayload } from '../dedupe/merge-rows.ts';
import { optOutDate } from '../dedupe/staging.ts';
import type { Table } from '../mapping/table.ts';
import { buildContact, readFields } from '../record/normalize.ts';
import { effective, type ParsedRecord, parseRecord } from '../record/parse-record.ts';
import { holdsPeopleWhoLeft } from '../status/default-status.ts';
import { isState, reasonOf } from '../status/states.ts';
import type { LastReading } from '../survey/reading.ts';
import type { ContactItem, DraftFields, RowProblem, State } from '../types.ts';

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
      /** The row's own cells, if no other row was merged into the person. */
      readonly cells?: readonly string[];
      fields(): DraftFields;
    }
  | { readonly kind: 'merged' }
  | { readonly kind: 'rejected'; readonly problem: RowProblem; readonly state: State }
  | { readonly kind: 'nobody' };

export interface Enrollee {
  readonly source: number;
  readonly line: number;
  readonly email: string;
}

interface Watcher {
  readonly signal: AbortSignal;
}

/** The people to be written as contacts, in row order. Reads the input once more. */
export async function* contacts(
  reading: LastReading,
  people: MergedPeople,
  { signal }: Watcher,
): AsyncGenerator<ContactItem> {
  for await (const { table, rows } of readTables(reading.tables, { signal })) {
    for (const row of rows) {
      const contact = contactOf(rowOutcome({ reading, people }, parseRecord(table, row)));
      if (contact) {
        yield { source: table.source.index, line: row.line, contact };
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
  { signal }: Watcher,
): AsyncGenerator<Enrollee> {
  for await (const { table, rows } of readTables(reading.tables, { signal })) {
    for (const row of rows) {
      const outcome = rowOutcome({ reading, people }, parseRecord(table, row));
      if (outcome.kind === 'person' && mayEnrol(reading, table, outcome)) {
        yield { source: table.source.index, line: row.line, email: outcome.email };
      }
    }
  }
}

/** The contact of a row as it will be sent; undefined for people who aren't written as contacts. */
export function contactOf(fate: RowOutcome): ContactItem['contact'] | undefined {
  if (fate.kind !== 'person' || (fate.state !== 'subscribed' && fate.state !== 'unsubscribed')) {
    return undefined;
  }
  return buildContact(fate, fate.fields());
}

/** A surveyed list. */
export interface Surveyed {
  readonly reading: LastReading;
  readonly people: MergedPeople;
}

/** The outcome of one row, given what the survey found in the whole list. */
export function rowOutcome({ reading, people }: Surveyed, judgement: ParsedRecord): RowOutcome {
  const { table, kind, email, problem } = judgement;
  if (kind !== 'person') {
    return { kind: 'nobody' };
  }
  const verdict = effective(table, judgement.verdict);
  if (email !== undefined && reading.repeated.has(email)) {
    const person = people.person(email);
    if (person) {
      return fateBeside(reading, person, judgement);
    }
  }
  // A suppression needs only the address, as in `mergeRows`.
  const written = reasonOf(verdict.state) !== undefined && !judgement.addressFault;
  if (email === undefined || (problem && !written)) {
    return { kind: 'rejected', problem: problem as RowProblem, state: verdict.state };
  }
  return {
    kind: 'person',
    email,
    state: verdict.state,
    why: verdict.unknown === undefined ? verdict.why : 'unknown_status',
    at: optOutDate(table, judgement.cells, verdict),
    cells: judgement.cells,
    fields: () => readFields(table, judgement.cells, reading.options.empty),
  };
}

function fateBeside(reading: LastReading, person: Person, judgement: ParsedRecord): RowOutcome {
  const source = judgement.table.source.index;
  const state = isState(person.state) ? person.state : 'none';
  if (person.source === source && person.line === judgement.line) {
    const { email, why, at } = person;
    return { kind: 'person', email, state, why, at, fields: () => readPayload(person.payload).fields };
  }
  const repeats = reading.options.duplicates === 'reject';
  const problem =
    judgement.problem ?? (repeats ? duplicateProblem({ email: person.email, source }, person) : undefined);
  return problem ? { kind: 'rejected', problem, state } : { kind: 'merged' };
}

function mayEnrol(reading: LastReading, table: Table, fate: RowOutcome & { readonly kind: 'person' }): boolean {
  if (fate.state !== 'none') {
    return fate.state === 'subscribed';
  }
  const silent = reading.tables.every((other) => other.reading.stateFrom === undefined);
  return silent && skipReason(fate.state, fate.why) === 'no_status' && !holdsPeopleWhoLeft(table);
}
