import { type Enrollee, enrollees } from '../import/batch/last-read.ts';
import type { Reading } from '../import/survey/reading.ts';
import { type ListReading, readList } from '../migrate/prepare/draft.ts';
import type { People } from '../runs/store/people.ts';
import type { EnrollOptions } from './options.ts';

/** A list as it was surveyed, and the addresses that were typed beside it. */
export interface Listed {
  readonly survey: Reading;
  readonly people: People;
  readonly typed: Typed;
}

/** The addresses of --email as people. They are rows of a table of their own, after all inputs, numbered from 1. */
export interface Typed {
  readonly rows: number;
  readonly people: readonly Enrollee[];
  /** Typed twice, or in the list as well: the list knows the state (rule C7). */
  readonly merged: number;
}

/** Folds typed addresses into the list and into each other. */
function typedPeople(emails: readonly string[], survey: Reading): Typed {
  // Beyond every input, those left out of an archive included: their places are taken.
  const source = 1 + survey.tables.reduce((last, table) => Math.max(last, table.source.index), -1);
  const people = [...new Set(emails)]
    .filter((email) => !survey.mayHold(email))
    .map((email) => ({ source, line: emails.indexOf(email) + 1, email }));
  return { rows: emails.length, people, merged: emails.length - people.length };
}

/** Everybody who may be enrolled (rule M1), in order of the rows, typed addresses last. */
export async function* candidates({ survey, people, typed }: Listed, signal: AbortSignal): AsyncGenerator<Enrollee> {
  yield* enrollees(survey, people, { signal });
  yield* typed.people;
}

/** The name of a person's unit in the journal. */
export function requestName(person: { readonly source: number; readonly line: number }): string {
  return `${person.source}.${person.line}`;
}

interface EnrollReading extends Omit<ListReading, 'options'> {
  readonly options: EnrollOptions;
}

/**
 * Surveys the list. One without any state is read again as a list of subscribed people, because naming the flow says who
 * is meant; inputs whose name says that their people left are not reached by that (rule M1).
 */
export async function readPeople(run: EnrollReading): Promise<Listed> {
  const { options } = run;
  const reading = {
    ...options.reading,
    // Attributes go with contacts only: an enrolment never carries any.
    ...(options.createContacts ? {} : { attributes: 'none' as const }),
  };
  const list = await readList({ ...run, options: { reading } });
  const stated = hasNoStatus(list.survey)
    ? await readList({ ...run, options: { reading: asSubscribed(reading) } })
    : list;
  return { ...stated, typed: typedPeople(options.emails, stated.survey) };
}

function hasNoStatus({ tables, rows }: Reading): boolean {
  return (rows.skipped.no_status ?? 0) > 0 && tables.every((table) => table.reading.stateFrom === undefined);
}

function asSubscribed(reading: EnrollOptions['reading']): EnrollOptions['reading'] {
  return { ...reading, defaultStatus: { '*': 'subscribed', ...reading.defaultStatus } };
}
