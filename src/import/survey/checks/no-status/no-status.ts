import type { Finding } from '../../../../base/finding.ts';
import { formatNumber, plural } from '../../../../base/lib/text.ts';
import { columnLabel } from '../../../mapping/column-names.ts';
import { hasDoubtfulName, hasUnclearName, isOptOutList, stateByName } from '../../../mapping/state/default-status.ts';
import type { Table } from '../../../mapping/table.ts';
import { createInputNamer, sourceLabel } from '../../../source/source.ts';
import type { StatusStatistics } from '../../statistics/status-statistics.ts';
import { filledValuesInColumn } from '../../statistics/value-counts.ts';
import { defaultStatusWarnings } from '../default-status-warnings.ts';
import { groupColumns, groupsText } from '../grouped-blanks.ts';
import {
  blankExamples,
  countRowsWithoutStatus,
  findingsOrPass,
  firstExamples,
  type ListCheck,
  namingInput,
  type TableWithStatistics,
} from '../list-check.ts';
import { type Candidate, candidatesOf, describeCandidates, shortValue } from '../status-candidates.ts';
import { answersFor } from '../unknown-status/unknown-status-answers.ts';
import { ignoredConsentColumns } from './listed-opt-outs.ts';
import { type InputWithoutStatus, noStatusAnswers } from './no-status-answers.ts';

/**
 * Stops if svc does not know who is subscribed. People of a list without a state get mail only after the user says so
 * (C4). svc asks about each input without a state, and about each input that is named as an opt-out list. It asks even
 * if other inputs give all these people a state, because this input may say who opted out.
 */
export const noStatusCheck: ListCheck = ({ tables, skipped, subscribed }) => {
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
    const details = { people, isMixed: isMixed(surveyed), isOnlyInput, answeredAs: inputName(surveyed) };
    return namingInput(surveyed.table, [inputWithoutStateFinding(surveyed, details)]);
  });
  const warnings = tables.flatMap((surveyed) =>
    defaultStatusWarnings(surveyed, {
      others: tables.filter((other) => other !== surveyed),
      answeredAs: inputName(surveyed),
    }),
  );
  return findingsOrPass([...stops, ...warnings], 'no_status', 'every row has a status');
};

// True if an answer may still sign up people of this input: some rows have no state, or the likely answer for an
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

// The number of rows that no answer gives a state. An answer for them has an effect.
function countOpenRows({ table, statistics: { status } }: TableWithStatistics): number {
  return hasOpenBlanks(table) ? countRowsWithoutStatus(status) : status.withoutStatus.total;
}

interface InputWithoutStateDetails extends Pick<InputWithoutStatus, 'isMixed' | 'isOnlyInput' | 'answeredAs'> {
  /** The number of people without a state in the whole list. */
  readonly people: number;
}

function inputWithoutStateFinding(
  surveyed: TableWithStatistics,
  { people, isMixed, isOnlyInput, answeredAs: name }: InputWithoutStateDetails,
): Finding {
  const { table, statistics } = surveyed;
  const { status } = statistics;
  const total = countRowsWithoutStatus(status);
  const isNameUnclear = hasUnclearName(table.source);
  const stateOfName = isNameUnclear ? undefined : stateByName(table.source);
  const looksLeft = table.reading.suggestedState && !table.hasUnclearTitle && 'it looks like an opt-out list';
  // If the name of the input says no state, a title above the header made svc distrust rows that say subscribed.
  const isTitled = status.distrustedRows > 0 && stateByName(table.source) === undefined;
  const saying = stateOfName ? 'name' : isTitled ? 'title' : undefined;
  const whyOptedOut = saying ? `its ${saying} says that these people opted out` : looksLeft || undefined;
  const isUnclear = whyOptedOut === undefined && (isNameUnclear || table.hasUnclearTitle);
  const all = people > 0 ? ` (${plural(people, 'person', 'people')} in the whole list)` : '';
  const rows = `${plural(total, 'row')} of ${sourceLabel(table.source)}`;
  const columnTexts = columnsWithStates(table, status);
  const who =
    columnTexts === ''
      ? `${rows} ${total === 1 ? 'has' : 'have'} no status${all}`
      : `${rows} ${total === 1 ? 'does' : 'do'} not say for certain who is subscribed${all}; these columns are about it: ${columnTexts}`;
  const candidates = candidatesOf(surveyed);
  const isDoubtful = whyOptedOut === undefined && hasDoubtfulName(table.source);
  const elsewhere = isUnclear
    ? `; its ${isNameUnclear ? 'name' : 'title'} mentions people who opted out, but may mean others`
    : isDoubtful
      ? '; its name says that these people may have opted out'
      : isMixed
        ? '; its people may have opted out, although other inputs say that they are subscribed'
        : '';
  const ignoredByMap = ignoredConsentColumns(table);
  const ignoredText =
    ignoredByMap.length > 0
      ? `; --map takes no status from ${ignoredByMap.join(' and ')}, which may say who opted out`
      : '';
  const believed =
    status.distrustedRows === 0
      ? who
      : `${plural(status.distrustedRows, 'row')} of ${sourceLabel(table.source)} ${status.distrustedRows === 1 ? 'says' : 'say'} subscribed${all}`;
  return {
    check: 'no_status',
    level: 'stop',
    message: `${whyOptedOut === undefined ? `${believed}${elsewhere}` : `${believed}, and ${whyOptedOut}`}${ignoredText}${candidatesText(candidates)}${groupsText(table, groupColumns(surveyed))}`,
    ...noStatusAnswers({
      surveyed,
      rows: total,
      candidates,
      ignoredByMap,
      stateOfName,
      isMixed: isMixed || isDoubtful,
      isUnclear,
      isOnlyInput,
      answeredAs: name,
    }),
    examples: firstExamples([status.withoutStatus.shown, ...blankExamples(status).map(({ shown }) => shown)]),
    total,
  };
}

function candidatesText(candidates: readonly Candidate[]): string {
  const likely = candidates.filter(({ likelihood }) => likelihood > 0);
  const unlikely = candidates.filter(({ likelihood }) => likelihood === 0);
  return [
    ...(likely.length > 0 ? [`these columns may say it: ${describeCandidates(likely)}`] : []),
    ...(unlikely.length > 0 ? [`other columns with few values: ${describeCandidates(unlikely)}`] : []),
  ]
    .map((text) => `; ${text}`)
    .join('');
}

function columnsWithStates(table: Table, { values: columns }: StatusStatistics): string {
  return [...columns]
    .filter(([index]) => filledValuesInColumn(columns, index).length > 0)
    .map(([index, values]) => {
      const shown = [...values.values()]
        .filter(({ rows }) => rows > 0)
        .toSorted((first, second) => second.rows - first.rows)
        .slice(0, 6)
        .map(
          ({ value, rows }) => `${value === '' ? 'blank' : JSON.stringify(shortValue(value))} (${formatNumber(rows)})`,
        );
      return `${columnLabel(table.header, index)}: ${shown.join(', ')}`;
    })
    .join('; ');
}
