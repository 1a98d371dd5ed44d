import { rowKey } from '../../base/lib/rows.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { decideRow } from '../../import/batch/row-decision.ts';
import type { RawRow } from '../../import/csv/row-types.ts';
import { skipReason } from '../../import/dedupe/merge-duplicates.ts';
import type { Table } from '../../import/mapping/table.ts';
import { parseRecord } from '../../import/record/parse-record.ts';
import { readTables } from '../../import/tables/open-tables.ts';
import { refusalOutcomes } from '../../migrate/compare/look-up.ts';
import type { EnrollDraft } from '../draft/draft-enrollment.ts';
import { type EnrollmentList, KEPT_AWAY } from '../draft/enrollment-list.ts';
import { DELETED_SINCE } from '../draft/known-people.ts';
import { ENROLLED, ENROLLED_BEFORE, type EnrollmentRecords, personOutcomeOf } from '../records/enrollment-records.ts';
import { outcomeCountName } from './counts.ts';

/** A line of outcomes.csv: a person who was not enrolled, or whose outcome is unknown. */
export interface OutcomeLine extends Enrollee {
  readonly outcome: string;
  /** The name of the input file. Undefined if there is only one input. */
  readonly file: string | undefined;
}

export type OutcomeLines = readonly OutcomeLine[];

/** The list, and whom the plan skips as enrolled before or deleted. They stay the same if a ledger changes later. */
export type PlannedList = EnrollmentList & Pick<EnrollDraft, 'wasEnrolledBefore' | 'wasDeleted'>;

/**
 * Reads the list again, and yields a line for each row whose person was not enrolled: rejected, skipped, refused, not
 * sent, or with an unknown outcome. Merged and empty rows have no line.
 */
export async function* outcomeLines(
  listed: PlannedList,
  records: EnrollmentRecords,
  signal: AbortSignal,
): AsyncGenerator<OutcomeLines> {
  const { survey, emailFlag } = listed;
  const readOutcome = createOutcome(records, listed);
  const hasSeveralInputs = survey.tables.length + (emailFlag.rows > 0 ? 1 : 0) > 1;
  const lineOf = ({ skipped, ...person }: ListedPerson, name: string): OutcomeLine[] => {
    const outcome = skipped ?? readOutcome(person);
    return outcome ? [{ ...person, outcome, file: hasSeveralInputs ? name : undefined }] : [];
  };
  for await (const { table, rows } of readTables(survey.tables, { signal })) {
    yield rows.flatMap((row) => listingOf(listed, table, row).flatMap((listing) => lineOf(listing, table.name)));
  }
  const keptAway = emailFlag.keptAway.map((person) => ({ ...person, skipped: KEPT_AWAY }));
  yield [...keptAway, ...emailFlag.people].flatMap((person) => lineOf(person, '--email'));
}

interface ListedPerson extends Enrollee {
  /**
   * Why the person was not enrolled, if the row itself is the reason: `rejected`, a status such as `unsubscribed`, or
   * the reason of a skip such as `no_consent`.
   */
  readonly skipped?: string | undefined;
}

/** The person of a row, as an array with one item. Empty for a merged or empty row. */
function listingOf({ survey, people }: EnrollmentList, table: Table, row: RawRow): ListedPerson[] {
  const parsed = parseRecord(table, row);
  const decision = decideRow({ survey, people }, parsed);
  const position = { source: table.source.index, line: row.line };
  if (decision.kind === 'rejected') {
    return [{ ...position, email: parsed.cells[table.columnIndexes.email] ?? '', skipped: 'rejected' }];
  }
  if (decision.kind !== 'person') {
    return [];
  }
  const skipped =
    decision.state === 'subscribed' ? undefined : (skipReason(decision.state, decision.why) ?? decision.state);
  return [{ ...position, email: decision.email, skipped }];
}

/** Returns a function that gives the outcome of a person. Undefined for enrolled people, who have no line. */
function createOutcome(
  records: EnrollmentRecords,
  { wasEnrolledBefore, wasDeleted }: PlannedList,
): (person: Enrollee) => string | undefined {
  const refused = refusalOutcomes(records.journal);
  const leftOut = (person: Enrollee) =>
    wasEnrolledBefore(person) ? ENROLLED_BEFORE : wasDeleted(person) ? DELETED_SINCE : undefined;
  return (person) => {
    const outcome = personOutcomeOf(records, person);
    switch (outcome.kind) {
      case 'accepted':
        return outcome.word === ENROLLED ? undefined : outcomeCountName(outcome.word);
      case 'refused':
        return outcome.code;
      default:
        // No enrollment was sent, or its outcome is unknown. If the service refused the person as a contact, that error
        // code is the outcome.
        return refused.get(rowKey(person))?.code ?? leftOut(person) ?? outcome.kind;
    }
  };
}
