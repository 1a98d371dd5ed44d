import { formatNumber, plural } from '../../../../base/lib/text.ts';
import { columnLabel } from '../../../mapping/column-names.ts';
import type { Table } from '../../../mapping/table.ts';
import { sourceLabel } from '../../../source/source.ts';
import type { StatusStatistics } from '../../statistics/status-statistics.ts';
import { filledValuesInColumn } from '../../statistics/value-counts.ts';
import type { TableWithStatistics } from '../check-context.ts';
import { groupColumns, groupsText } from '../grouped-blanks.ts';
import { type Candidate, describeCandidates, shortValue } from '../status-candidates.ts';
import { wordList } from '../topics.ts';
import type { InputWithoutStatus } from './input-without-status.ts';

/** Says how many rows of an input have no state, why svc doubts what the input says, and which columns may say it. */
export function noStatusMessage(input: InputWithoutStatus): string {
  const { surveyed, ignoredByMap, candidates } = input;
  const columns = groupsText(surveyed.table, groupColumns(surveyed));
  return `${rowsText(input)}${suspicionText(input)}${ignoredText(ignoredByMap)}${topicsText(surveyed)}${candidatesText(candidates)}${columns}`;
}

function rowsText({ surveyed: { table, statistics }, people, rows }: InputWithoutStatus): string {
  const { status } = statistics;
  const place = `of ${sourceLabel(table.source)}`;
  const all = people > 0 ? ` (${plural(people, 'person', 'people')} in the whole list)` : '';
  if (status.distrustedRows > 0) {
    const count = status.distrustedRows;
    return `${plural(count, 'row')} ${place} ${count === 1 ? 'says' : 'say'} subscribed${all}`;
  }
  const columns = columnsWithStates(table, status);
  return columns === ''
    ? `${plural(rows, 'row')} ${place} ${rows === 1 ? 'has' : 'have'} no status${all}`
    : `${plural(rows, 'row')} ${place} ${rows === 1 ? 'does' : 'do'} not say for certain who is subscribed${all}; these columns are about it: ${columns}`;
}

// Why these people may have opted out.
function suspicionText({ optedOutBy, unclearBy, isDoubtful, isMixed }: InputWithoutStatus): string {
  if (optedOutBy !== undefined) {
    return optedOutBy === 'look'
      ? ', and it looks like an opt-out list'
      : `, and its ${optedOutBy} says that these people opted out`;
  }
  if (unclearBy !== undefined) {
    return `; its ${unclearBy} mentions people who opted out, but may mean others`;
  }
  if (isDoubtful) {
    return '; its name says that these people may have opted out';
  }
  return isMixed ? '; its people may have opted out, although other inputs say who is subscribed' : '';
}

function ignoredText(ignoredByMap: readonly string[]): string {
  return ignoredByMap.length > 0
    ? `; --map takes no status from ${ignoredByMap.join(' and ')}, which may say who opted out`
    : '';
}

// The topic columns with words that refuse. They may say who wants no mail at all.
function topicsText({ table, statistics }: TableWithStatistics): string {
  const refusing = statistics.topics.filter(({ withoutState }) => withoutState.rows.total > 0);
  const texts = refusing.map(
    ({ column, withoutState }) => `${columnLabel(table.header, column.index)}: ${wordList(withoutState)}`,
  );
  return texts.length > 0 ? `; these columns are sent as topics, and some rows refuse them: ${texts.join('; ')}` : '';
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
