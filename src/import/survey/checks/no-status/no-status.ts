import type { Finding } from '../../../../base/finding.ts';
import { isOptOutList } from '../../../mapping/state/default-status.ts';
import type { Table } from '../../../mapping/table.ts';
import { createInputNamer } from '../../../source/source.ts';
import {
  countRowsWithoutStatus,
  findingsOrPass,
  firstExamples,
  type ListCheck,
  namingInput,
  rowsWithoutStatus,
  type TableWithStatistics,
} from '../check-context.ts';
import { defaultStatusWarnings } from '../default-status-warnings.ts';
import { reasonWarnings } from '../reason-warnings.ts';
import { answersFor } from '../unknown-status/unknown-status-answers.ts';
import { describeInput, type InputWithoutStatus } from './input-without-status.ts';
import { noStatusAnswers } from './no-status-answers.ts';
import { noStatusMessage } from './no-status-message.ts';

/**
 * Stops if svc does not know who is subscribed. People of a list without a state get mail only after the user says so
 * (C4). svc asks about each input without a state, and about each input that is named as an opt-out list. It asks even
 * if other inputs give all these people a state, because this input may say who opted out.
 */
export const noStatusCheck: ListCheck = ({ tables, skipped, subscribed, reason }) => {
  const people = skipped.get('no_status') ?? 0;
  // If no person will be subscribed, an input without a state can't sign up opted-out people.
  const mayHide = (table: Table) => isOptOutList(table) || (subscribed > 0 && table.reading.stateSource === undefined);
  const withoutState = tables.filter(
    (surveyed) =>
      countOpenRows(surveyed) > 0 && (people > 0 || (isUnanswered(surveyed.table) && mayHide(surveyed.table))),
  );
  const nameOf = createInputNamer(tables.map(({ table }) => table.source));
  const inputName = ({ table }: TableWithStatistics) => table.answeredAs ?? nameOf(table.source);
  const hasState = tables.some(({ table }) => table.reading.stateSource !== undefined);
  const openCount = tables.filter(maySubscribe).length;
  // If all other inputs have only opted-out people, the one without a state is probably the main list of people to
  // mail.
  const mayBeMain = subscribed === 0 && openCount === 1;
  const isMixed = ({ table }: TableWithStatistics) => table.reading.stateSource === undefined && hasState && !mayBeMain;
  const stops = withoutState.flatMap((surveyed) => {
    const isOnlyInput = tables.length === 1;
    const input = { surveyed, people, isMixed: isMixed(surveyed), isOnlyInput, answeredAs: inputName(surveyed) };
    const finding = noStatusFinding(describeInput(input));
    // svc reads all people of an opt-out list only if it rejects no row of it.
    const hasRejects = surveyed.statistics.status.rejectedWithoutStatus.total > 0;
    const hasStatesElsewhere = input.isMixed && (!isOptOutList(surveyed.table) || hasRejects);
    return namingInput(surveyed.table, [{ ...finding, ...(hasStatesElsewhere && { hasStatesElsewhere }) }]);
  });
  const warnings = tables.flatMap((surveyed) =>
    defaultStatusWarnings(surveyed, {
      others: tables.filter((other) => other !== surveyed),
      answeredAs: inputName(surveyed),
    }),
  );
  const besideReason = tables.flatMap((surveyed) => reasonWarnings(surveyed, reason));
  return findingsOrPass([...stops, ...warnings, ...besideReason], 'no_status', 'every row has a status');
};

// True if an answer may still sign up people of this input. Then some rows have no state, or the likely answer for an
// unknown word is `subscribed`.
function maySubscribe({ table, statistics: { status } }: TableWithStatistics): boolean {
  const byColumn = [...Map.groupBy(status.unknown.words.values(), ({ index }) => index)];
  const column = { table, values: status.values, namesColumn: false };
  return (
    countRowsWithoutStatus(status) > 0 ||
    byColumn.some(([index, words]) =>
      answersFor({ ...column, index }, words).states.some(([, state]) => state === 'subscribed'),
    )
  );
}

function isUnanswered(table: Table): boolean {
  return table.withoutStatus.state === 'none' && hasOpenBlanks(table);
}

// False if the user said what a blank status means.
function hasOpenBlanks({ blankStatus }: Table): boolean {
  return blankStatus.unknown !== undefined || blankStatus.state === 'none';
}

// The number of rows that have no state even with the user's answers. A further answer can give them one.
function countOpenRows({ table, statistics: { status } }: TableWithStatistics): number {
  return hasOpenBlanks(table) ? countRowsWithoutStatus(status) : status.withoutStatus.total;
}

function noStatusFinding(input: InputWithoutStatus): Finding {
  const { status } = input.surveyed.statistics;
  return {
    check: 'no_status',
    level: 'stop',
    message: noStatusMessage(input),
    ...noStatusAnswers(input),
    examples: firstExamples(rowsWithoutStatus(status).map(({ shown }) => shown)),
    total: input.rows,
  };
}
