import { type Enrollee, rereadEnrollees } from '../../import/batch/reread-list.ts';
import { offersColumn } from '../../import/survey/checks/status-candidates.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import { surveyWithoutBatches } from '../../migrate/draft/draft-import.ts';
import type { OpenRun } from '../../run-lifecycle/data/run-context.ts';
import type { People } from '../../runs/people/people.ts';
import { personKey } from '../../wire/person-key.ts';
import type { EnrollOptions } from './enroll-options.ts';

/** A surveyed list, and the addresses of --email. */
export interface EnrollmentList {
  readonly survey: RereadableSurvey;
  readonly people: People;
  readonly emailFlag: EmailFlagPeople;
}

/** The addresses of --email as people. They count as one more input after the files. Their lines count from 1. */
export interface EmailFlagPeople {
  readonly rows: number;
  readonly people: readonly Enrollee[];
  /** Those who are skipped with the reason `KEPT_AWAY`. */
  readonly keptAway: readonly Enrollee[];
  /**
   * The number of addresses that were given twice, or that may be in the list. If an address is in the list, its row
   * counts, because the row may have an opt-out (C7).
   */
  readonly merged: number;
}

/** The reason of an address that a row names too, which does not subscribe its person (C9). */
export const KEPT_AWAY = 'kept_away';

/** Merges the addresses of --email with the list and with each other. */
function mergeEmailFlag(emails: readonly string[], survey: RereadableSurvey): EmailFlagPeople {
  // The next index after all inputs. The number of tables would be too low, because the files of an archive that svc
  // does not read have an index too.
  const source = 1 + survey.tables.reduce((last, table) => Math.max(last, table.source.index), -1);
  const given = [...new Map([...emails].reverse().map((email) => [personKey(email), email])).values()]
    .reverse()
    .filter((email) => !survey.mayContain(email))
    .map((email) => ({ source, line: emails.indexOf(email) + 1, email }));
  const isKeptAway = ({ email }: Enrollee) => survey.keepsAway(email);
  return {
    rows: emails.length,
    people: given.filter((person) => !isKeptAway(person)),
    keptAway: given.filter(isKeptAway),
    merged: emails.length - given.length,
  };
}

/** All people who may be enrolled (M1): first those of the rows, in the order of the list, then those of --email. */
export async function* enrollablePeople(
  { survey, people, emailFlag }: EnrollmentList,
  signal: AbortSignal,
): AsyncGenerator<Enrollee> {
  yield* rereadEnrollees({ survey, people }, { signal });
  yield* emailFlag.people;
}

/**
 * Surveys the list. If no row has a status, svc reads the list again with all people as subscribed: the user chose them
 * for this automation. svc does not assume this if the name of an input or of a column may mean an opt-out (M1).
 */
export async function surveyEnrollmentList(run: OpenRun<EnrollOptions>): Promise<EnrollmentList> {
  const { options } = run;
  const reading = {
    ...options.reading,
    // An enrollment request has no attributes, so svc reads them only to write contacts.
    ...(options.createContacts ? {} : { attributes: 'none' as const }),
  };
  const list = await surveyWithoutBatches(run, reading);
  const stated = hasNoStatus(list.survey) ? await surveyWithoutBatches(run, asSubscribed(reading)) : list;
  return { ...stated, emailFlag: mergeEmailFlag(options.emails, stated.survey) };
}

function hasNoStatus({ tables, rows, findings }: RereadableSurvey): boolean {
  const isSilent =
    (rows.skipped.no_status ?? 0) > 0 && tables.every((table) => table.reading.stateSource === undefined);
  return isSilent && !findings.some(offersColumn);
}

function asSubscribed(reading: EnrollOptions['reading']): EnrollOptions['reading'] {
  return { ...reading, defaultStatus: { '*': 'subscribed', ...reading.defaultStatus } };
}
