import type { Finding, OtherAnswer } from '../../../base/finding.ts';
import { plural } from '../../../base/lib/text.ts';
import { CUT_OFF_ROW } from '../../csv/cut-off-row.ts';
import { columnName, mapFlag } from '../../mapping/column-names.ts';
import type { Table } from '../../mapping/table.ts';
import { ROWS_IN_QUOTES } from '../../record/rows-in-quotes.ts';
import { sourceLabel } from '../../source/source.ts';
import type { DateStatistics } from '../statistics/date-statistics.ts';
import { createExamples, type Examples, examplesForFinding } from '../statistics/examples.ts';
import { findingsOrPass, type ListCheck, rowsFinding, type TableWithStatistics } from './check-context.ts';
import { blankLabelFindings } from './layout/blank-labels.ts';
import { headingFindings } from './layout/headings.ts';
import { joinedFilesFindings } from './layout/joined-files.ts';

export const raggedRowsCheck: ListCheck = ({ tables, answers }) =>
  findingsOrPass(
    tables.flatMap((surveyed) => [
      ...raggedFindings(surveyed),
      ...headingFindings(surveyed, answers.allowed),
      ...blankLabelFindings(surveyed, answers.allowed.blanks),
      ...joinedFilesFindings(surveyed, answers.allowed.joinedFiles),
    ]),
    'ragged_rows',
    'every row has the columns of its header',
  );

/**
 * Checks the opt-out dates. svc never guesses the order of day and month, so the dates of a column must prove it (F9).
 */
export const ambiguousDatesCheck: ListCheck = ({ tables }) =>
  findingsOrPass(tables.flatMap(dateFindings), 'ambiguous_dates', 'every opt-out date can be read in one way only');

export const otherAddressesCheck: ListCheck = ({ tables, offerKey }) =>
  tables.flatMap(({ table, statistics }) => {
    const { unused } = statistics.addresses;
    const { usable, other } = table.addressColumns;
    const more = [...usable.slice(1), ...other];
    const message = `${sourceLabel(table.source)}: ${plural(unused.total, 'row holds', 'rows hold')} several addresses; the first usable one is taken, the others are not sent. If the row says that the person opted out, no row of the list signs any of them up`;
    const flags = more
      .map((index) =>
        mapFlag(
          table,
          columnName(table, index),
          `attributes.${offerKey(table.header[index] ?? '', index + 1)}_${index + 1}`,
        ),
      )
      .join(' ');
    const hint = more.length > 0 ? `To keep them: ${flags}` : undefined;
    return rowsFinding(unused, { check: 'columns', level: 'warn', message, hint });
  });

function raggedFindings({ table, statistics }: TableWithStatistics): readonly Finding[] {
  const warning = (rows: Examples, what: string, hint?: string) => {
    const message = `${sourceLabel(table.source)}: ${plural(rows.total, 'row')} ${what}`;
    return rowsFinding(rows, { check: 'ragged_rows', level: 'warn', message, ...(hint !== undefined && { hint }) });
  };
  const rejectedFor = (reason: string) => statistics.rejected.byReason.get(reason) ?? createExamples();
  return [
    ...warning(statistics.misshapenRows.short, 'with fewer cells than the header; the missing cells are not sent'),
    ...warning(rejectedFor('too_many_fields'), 'with more cells than the header, not sent as contacts'),
    ...warning(
      rejectedFor(ROWS_IN_QUOTES),
      'rejected, because a quote opens there and closes further down, so the cell holds other rows',
      'Close or remove the quote',
    ),
    ...warning(
      rejectedFor(CUT_OFF_ROW),
      'rejected, because the file ends there without a line break and before the last cell, so it was probably cut off',
      'Export the list again. If the row is whole, end it with a line break',
    ),
    ...(table.dialect.quoting ? [] : backslashFinding(table, rejectedFor('backslash_before_quote'))),
  ];
}

// Stops at quotes after backslashes if the first of them is far down in the table. `detectQuoting` reads only the first
// rows, so it did not see them.
function backslashFinding(table: Table, rows: Examples): readonly Finding[] {
  const message = `${sourceLabel(table.source)}: ${plural(rows.total, 'row')} with \\" inside a quoted cell, as MySQL and PHP write a quote; they would be rejected`;
  const otherwise = [{ when: 'To reject these rows', flags: `--escape '"'` }];
  return rowsFinding(rows, { check: 'ragged_rows', level: 'stop', message, hint: "--escape '\\'", otherwise });
}

function dateFindings({ table, statistics }: TableWithStatistics): readonly Finding[] {
  const label = sourceLabel(table.source);
  const { unreadable } = statistics.dates;
  const message = `${label}: ${plural(unreadable.total, 'opt-out date')} can't be read; these opt-outs are written without a date`;
  return [
    ...(table.dateStyle.order === undefined ? undecidedOrder(statistics.dates, label) : []),
    ...rowsFinding(unreadable, { check: 'ambiguous_dates', level: 'warn', message }),
  ];
}

// The finding about a column of dates whose order of day and month is not clear. Either no date proves an order, or
// some dates prove one order and some the other.
function undecidedOrder({ ambiguous, dmy, mdy }: DateStatistics, label: string): Finding[] {
  const areBothProven = dmy.total > 0 && mdy.total > 0;
  if (ambiguous.total === 0 && !areBothProven) {
    return [];
  }
  const shown = ambiguous.total > 0 ? ambiguous : mdy.total < dmy.total ? mdy : dmy;
  const what =
    ambiguous.total > 0
      ? `${plural(ambiguous.total, 'opt-out date')} can be read two ways`
      : 'the opt-out dates contradict each other';
  const why = areBothProven
    ? 'some are day first, some month first'
    : 'nothing in the column says whether the day or the month is first';
  const message = `${label}: ${what}: ${why}`;
  const orders = mdy.total > dmy.total ? DATE_ORDER_ANSWERS.toReversed() : DATE_ORDER_ANSWERS;
  const [{ when, flags: hint }, ...otherwise] = orders as [OtherAnswer];
  return [{ check: 'ambiguous_dates', level: 'stop', message, hint, when, otherwise, ...examplesForFinding(shown) }];
}

/** The answers for dates such as `03/04/2026`, in which svc does not know which number is the day. */
export const DATE_ORDER_ANSWERS: readonly OtherAnswer[] = [
  { when: 'Where the day stands before the month', flags: '--date-order dmy' },
  { when: 'Where the month stands before the day', flags: '--date-order mdy' },
];
