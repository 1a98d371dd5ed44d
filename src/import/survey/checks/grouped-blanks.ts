import { joinAtMost, plural } from '../../../base/lib/text.ts';
import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import type { Table } from '../../mapping/table.ts';
import { sourceLabel } from '../../source/source.ts';
import type { Finding } from '../finding.ts';
import { mayBeGroups } from '../statistics/value-counts.ts';
import { isAnswered, statusMapFlag, type TableWithStatistics } from './list-check.ts';

/**
 * The indexes of the status columns in which a blank may repeat the value above it (C4). A report with groups prints
 * `Unsubscribed` once, and leaves the cells below it blank. Its groups stand left of the addresses. A platform knows
 * its own blanks, so its columns count only if the table has subtotals.
 */
export function groupColumns({ table, statistics: { status, headings } }: TableWithStatistics): readonly number[] {
  const consent = new Map(table.consentColumns.map(({ index, meaning }) => [index, meaning]));
  const isReport = headings.totals >= FEWEST_TOTALS;
  return [...status.values].flatMap(([index, counts]) =>
    index < table.columnIndexes.email &&
    consent.get(index) !== 'text' &&
    (consent.has(index) || isReport) &&
    mayBeGroups(counts)
      ? [index]
      : [],
  );
}

// A report has at least two rows of totals: one for a group, and one at its end. An ordinary list may have one too.
const FEWEST_TOTALS = 2;

/** A sentence for messages: why cells of these columns may be blank. Empty without columns. */
export function groupsText({ header }: Pick<Table, 'header'>, columns: readonly number[]): string {
  const names = joinAtMost(
    columns.map((index) => JSON.stringify(headerOrNumber(header, index))),
    MOST_NAMES,
  );
  return columns.length === 0
    ? ''
    : `. A blank in ${names} may repeat the value above it, as in a report with groups: fill these cells then, and import the list again`;
}

const MOST_NAMES = 3;

/** Stops if people are subscribed, and their blank cell may repeat an opt-out above it (C4). */
export function groupedBlanksFindings(seen: TableWithStatistics): readonly Finding[] {
  const { table, statistics } = seen;
  return groupColumns(seen).flatMap((index) => {
    const rows = statistics.status.values.get(index)?.get('')?.states.get('subscribed') ?? 0;
    const isOpen = !isAnswered(table, [`${headerOrNumber(table.header, index)}:`]);
    return rows > 0 && isOpen && isLikelyGroup(seen, index) ? [groupedBlanks(table, index, rows)] : [];
  });
}

// True if the table has subtotals, or if the values of the column give different states. A lone mark in the first row
// of an ordinary list is no group.
function isLikelyGroup({ table, statistics: { status, headings } }: TableWithStatistics, index: number): boolean {
  const column = table.consentColumns.find((one) => one.index === index);
  const filled = [...(status.values.get(index)?.values() ?? [])].filter(({ value, rows }) => value !== '' && rows > 0);
  const states = new Set(filled.map(({ value }) => column?.stateOf(value).state));
  return headings.totals >= FEWEST_TOTALS || states.size > 1;
}

function groupedBlanks(table: Table, index: number, rows: number): Finding {
  const name = headerOrNumber(table.header, index);
  return {
    check: 'unknown_status',
    level: 'stop',
    message: `${sourceLabel(table.source)}: ${plural(rows, 'row counts', 'rows count')} as subscribed, although ${JSON.stringify(name)} is blank${groupsText(table, [index])}`,
    hint: statusMapFlag(table, `${name}:`, 'skip'),
    when: `This skips ${plural(rows, 'row')}`,
    otherwise: [
      {
        when: 'Only if a blank repeats no value, and these people agreed to get mail from you',
        flags: statusMapFlag(table, `${name}:`, 'subscribed'),
      },
    ],
    total: rows,
  };
}
