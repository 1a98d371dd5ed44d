import type { Finding } from '../../../base/finding.ts';
import { joinAtMost, plural } from '../../../base/lib/text.ts';
import { keepsMailAway } from '../../consent-columns/several-columns/combine-readings.ts';
import { columnLabel, statusMapFlag, wordInColumn } from '../../mapping/column-names.ts';
import type { Table } from '../../mapping/table.ts';
import { sourceLabel } from '../../source/source.ts';
import type { GroupStarts } from '../statistics/headings.ts';
import type { StatusStatistics } from '../statistics/status-statistics.ts';
import { isAnswered, type TableWithStatistics } from './check-context.ts';

/**
 * The indexes of the status columns in which a blank may repeat the value above it (C4). A report with groups writes
 * `Unsubscribed` once and leaves the cells below it blank. Columns of groups usually stand left of the addresses. The
 * columns of a platform count only if the table has subtotals, because svc knows what a blank means on a platform.
 */
export function groupColumns({ table, statistics: { status, headings } }: TableWithStatistics): readonly number[] {
  const consent = new Map(table.consentColumns.map(({ index, meaning }) => [index, meaning]));
  const isReport = headings.totals >= MIN_TOTALS;
  return [...status.groupStarts].flatMap(([index, starts]) => {
    const blanks = countBlanks(status, index);
    const isPlaced = index < table.columnIndexes.email || isReport || hasHeadings(starts) || isSparse(starts, blanks);
    const isKnown = consent.get(index) !== 'text' && (consent.has(index) || isReport);
    return starts.rows > 0 && blanks > starts.rows && isPlaced && isKnown ? [index] : [];
  });
}

function countBlanks({ values }: Pick<StatusStatistics, 'values'>, index: number): number {
  return values.get(index)?.get('')?.rows ?? 0;
}

// True if each value stands in a row without an address: such a row is a heading above people.
function hasHeadings({ rows, rowsWithoutAddress }: GroupStarts): boolean {
  return rows === rowsWithoutAddress;
}

// True if at least two groups begin in the column, with at least four blanks for each. An ordinary column right of the
// addresses seldom has so few values.
function isSparse({ rows }: GroupStarts, blanks: number): boolean {
  return rows > 1 && blanks >= rows * MIN_BLANKS_A_START;
}

const MIN_BLANKS_A_START = 4;

// A report has at least two rows of totals: one for a group, and one at its end. An ordinary list may have one too.
const MIN_TOTALS = 2;

/** A sentence for messages: why cells of these columns may be blank. Empty without columns. */
export function groupsText({ header }: Pick<Table, 'header'>, indexes: readonly number[]): string {
  const columnLabels = joinAtMost(
    indexes.map((index) => columnLabel(header, index)),
    MAX_NAMES,
  );
  return indexes.length === 0
    ? ''
    : `. A blank in ${columnLabels} may repeat the value above it, as in a report with groups: fill these cells then, and import the list again`;
}

const MAX_NAMES = 3;

/** Stops or warns if people are subscribed, and their blank cell may repeat an opt-out above it (C4). */
export function groupedBlanksFindings(surveyed: TableWithStatistics): readonly Finding[] {
  const { table, statistics } = surveyed;
  return groupColumns(surveyed).flatMap((index) => {
    const rows = countSubscribedBlanks(table, statistics.status, index);
    const isOpen = !isAnswered(table, index, ['']);
    const level = rows > 0 && isOpen ? levelFor(surveyed, index) : undefined;
    return level ? [{ ...groupedBlanks(table, index, rows), level }] : [];
  });
}

// The number of rows that are subscribed although this cell is blank. Blanks can also get the default status at the end
// of the first read, after the values were counted, so these rows are added.
function countSubscribedBlanks(table: Table, { values, unknown }: StatusStatistics, index: number): number {
  const isDecidedLate = table.blankStatus === table.withoutStatus && table.withoutStatus.state === 'subscribed';
  const blanks = [...unknown.words.values()].find((word) => word.word === '' && word.index === index);
  const lateCount = isDecidedLate ? (blanks?.examples.total ?? 0) : 0;
  return (values.get(index)?.get('')?.states.get('subscribed') ?? 0) + lateCount;
}

// How serious the blanks are. `stop` if the table has subtotals, or if the values of the column give different states.
// If every value keeps mail away: `stop` for several groups, a heading or at least ten blanks, otherwise `warn`.
// Undefined in all other cases.
function levelFor({ table, statistics }: TableWithStatistics, index: number): 'stop' | 'warn' | undefined {
  const column = table.consentColumns.find((other) => other.index === index);
  const starts = statistics.status.groupStarts.get(index);
  const readings = [...(starts?.values ?? [])].map((value) => column?.stateOf(value));
  if (statistics.headings.totals >= MIN_TOTALS || new Set(readings.map((reading) => reading?.state)).size > 1) {
    return 'stop';
  }
  if (starts === undefined || !readings.every((reading) => reading !== undefined && keepsMailAway(reading))) {
    return undefined;
  }
  const isLikely = starts.rows > 1 || hasHeadings(starts) || countBlanks(statistics.status, index) >= MIN_BLANKS;
  return isLikely ? 'stop' : 'warn';
}

const MIN_BLANKS = 10;

function groupedBlanks(table: Table, index: number, rows: number): Omit<Finding, 'level'> {
  const blank = wordInColumn(table.header, index, '');
  return {
    check: 'unknown_status',
    message: `${sourceLabel(table.source)}: ${plural(rows, 'row counts', 'rows count')} as subscribed, although ${columnLabel(table.header, index)} is blank${groupsText(table, [index])}`,
    hint: statusMapFlag(table, blank, 'skip'),
    when: `This skips ${plural(rows, 'row')}`,
    otherwise: [
      {
        when: 'Only if a blank repeats no value, and these people agreed to get mail from you',
        flags: statusMapFlag(table, blank, 'subscribed'),
      },
    ],
    total: rows,
  };
}
