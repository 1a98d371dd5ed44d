import type { Reading } from '../import/survey/reading.ts';
import { type ListReading, readList } from '../migrate/prepare/draft.ts';
import type { EnrollOptions } from './options.ts';
import { type Listed, typedPeople } from './people.ts';

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
  const stated = isSilent(list.survey) ? await readList({ ...run, options: { reading: asSubscribed(reading) } }) : list;
  return { ...stated, typed: typedPeople(options.emails, stated.survey) };
}

function isSilent({ tables, rows }: Reading): boolean {
  return (rows.skipped.no_status ?? 0) > 0 && tables.every((table) => table.reading.stateFrom === undefined);
}

function asSubscribed(reading: EnrollOptions['reading']): EnrollOptions['reading'] {
  return { ...reading, defaultStatus: { '*': 'subscribed', ...reading.defaultStatus } };
}
