import { isState, reasonOf, type State } from '../../platforms/lib/states.ts';
import type { MergedPeople, Person } from '../../runs/people/people.ts';
import type { BatchContact, Timestamp } from '../../wire/shapes.ts';
import type { RowProblem } from '../csv/row-types.ts';
import type { AddressHashSet } from '../dedupe/address-hash-set.ts';
import { skipReason } from '../dedupe/merge-duplicates.ts';
import { duplicateProblem } from '../dedupe/merge-rows.ts';
import { optOutDate, readPayload } from '../dedupe/staging.ts';
import type { ReadingOptions } from '../mapping/reading-answers.ts';
import { isOptOutList } from '../mapping/state/default-status.ts';
import type { Table } from '../mapping/table.ts';
import { buildContact, type ContactFields, readContactFields } from '../record/contact-fields.ts';
import { effectiveReading, type ParsedRecord } from '../record/parse-record.ts';

/** What the survey decided about a row: it counts for its person, is merged, is rejected, or is about no person. */
export type RowDecision =
  | {
      readonly kind: 'person';
      readonly email: string;
      readonly state: State;
      readonly why: string | undefined;
      readonly optOutDate: Timestamp | undefined;
      fields(): ContactFields;
    }
  | { readonly kind: 'merged' }
  | { readonly kind: 'rejected'; readonly problem: RowProblem; readonly state: State }
  | { readonly kind: 'no_person' };

/** What the reads after the survey need. */
export interface RereadData {
  readonly tables: readonly Table[];
  readonly options: ReadingOptions;
  /** The addresses that may occur in several rows. If an address does, `people` has its merged rows. */
  readonly repeated: Pick<AddressHashSet, 'has'>;
}

/** A list after its survey: its tables, and the people whose rows were merged. */
export interface SurveyedList {
  readonly survey: RereadData;
  readonly people: MergedPeople;
}

/**
 * Decides what becomes of a row. The survey has read the whole list before, so it knows the other rows of the address.
 */
export function decideRow({ survey, people }: SurveyedList, record: ParsedRecord): RowDecision {
  const { table, kind, email, problem } = record;
  if (kind !== 'person') {
    return { kind: 'no_person' };
  }
  const status = effectiveReading(table, record.statusReading);
  if (email !== undefined && survey.repeated.has(email)) {
    const person = people.person(email);
    if (person) {
      return decideMergedRow(survey, person, record);
    }
  }
  // A suppression needs only a valid address, so other problems of the row don't reject it. `mergeRows` decides the
  // same way.
  const isWritten = reasonOf(status.state) !== undefined && !record.addressFault;
  if (email === undefined || (problem && !isWritten)) {
    return { kind: 'rejected', problem: problem as RowProblem, state: status.state };
  }
  return {
    kind: 'person',
    email,
    state: status.state,
    why: status.unknown === undefined ? status.why : 'unknown_status',
    optOutDate: optOutDate(table, record.cells, status),
    fields: () => readContactFields(table, record.cells, survey.options.empty),
  };
}

function decideMergedRow(survey: RereadData, person: Person, record: ParsedRecord): RowDecision {
  const source = record.table.source.index;
  const state = isState(person.state) ? person.state : 'none';
  if (person.source === source && person.line === record.line) {
    const { email, why, optOutDate: date } = person;
    return { kind: 'person', email, state, why, optOutDate: date, fields: () => readPayload(person.payload).fields };
  }
  const rejectsRepeats = survey.options.duplicates === 'reject';
  const problem =
    record.problem ?? (rejectsRepeats ? duplicateProblem({ email: person.email, source }, person) : undefined);
  return problem ? { kind: 'rejected', problem, state } : { kind: 'merged' };
}

/** The contact of a row as it will be sent. Undefined if the person is not written as a contact. */
export function contactOfRow(decision: RowDecision): BatchContact | undefined {
  if (decision.kind !== 'person' || (decision.state !== 'subscribed' && decision.state !== 'unsubscribed')) {
    return undefined;
  }
  return buildContact(decision, decision.fields());
}

/**
 * True if an automation may enroll the person of a row. The person is subscribed, or no input has states and this input
 * is no opt-out list (M1).
 */
export function mayEnroll(
  survey: RereadData,
  table: Table,
  decision: RowDecision & { readonly kind: 'person' },
): boolean {
  if (decision.state !== 'none') {
    return decision.state === 'subscribed';
  }
  const hasNoStates = survey.tables.every((other) => other.reading.stateSource === undefined);
  return hasNoStates && skipReason(decision.state, decision.why) === 'no_status' && !isOptOutList(table);
}
