import type { Finding, OtherAnswer } from '../../../base/finding.ts';
import { plural } from '../../../base/lib/text.ts';
import { explainsOptOutMark } from '../../consent-columns/cells/headings.ts';
import { columnName, mapFlag } from '../../mapping/column-names.ts';
import type { Table } from '../../mapping/table.ts';
import { BELOW_OTHER_HEADER } from '../../record/row-problems.ts';
import { sourceLabel } from '../../source/source.ts';
import type { DateStatistics } from '../statistics/date-statistics.ts';
import { createExamples, type Examples, examplesForFinding } from '../statistics/examples.ts';
import { findingsOrPass, type ListCheck, rowsFinding, type TableWithStatistics } from './check-context.ts';

export const raggedRowsCheck: ListCheck = ({ tables, answers }) =>
  findingsOrPass(
    tables.flatMap((surveyed) => [...raggedFindings(surveyed), ...joinedFindings(surveyed, answers.allowJoinedFiles)]),
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
    const message = `${sourceLabel(table.source)}: ${plural(unused.total, 'row holds', 'rows hold')} several addresses; the first usable one is taken, the others are not sent. If the row says that the person opted out, that holds for all of them`;
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
      rejectedFor('rows_in_quotes'),
      'rejected, because a quote opens there and closes further down, so the cell holds other rows',
      'Close or remove the quote',
    ),
    ...(table.dialect.quoting ? [] : backslashFinding(table, rejectedFor('backslash_before_quote'))),
  ];
}

// Stops at quotes after backslashes that first occur further down in the table. `detectQuoting` sees only those in the
// first rows.
function backslashFinding(table: Table, rows: Examples): readonly Finding[] {
  const message = `${sourceLabel(table.source)}: ${plural(rows.total, 'row')} with \\" inside a quoted cell, as MySQL and PHP write a quote; they would be rejected`;
  const otherwise = [{ when: 'To reject these rows', flags: `--escape '"'` }];
  return rowsFinding(rows, { check: 'ragged_rows', level: 'stop', message, hint: "--escape '\\'", otherwise });
}

/**
 * Findings that two files were joined, or that rows are headings, labels or explanations about opted-out people. They
 * stop the run; `--allow-joined-files` makes them warnings.
 */
function joinedFindings({ table, statistics }: TableWithStatistics, isAllowed: boolean): readonly Finding[] {
  const label = sourceLabel(table.source);
  const level = isAllowed ? 'warn' : 'stop';
  const below = statistics.rejected.byReason.get(BELOW_OTHER_HEADER)?.total ?? 0;
  const findingOf = (rows: Examples, what: string, advice: string, rejected = theseRows(rows.total)) => {
    const message = `${label}: ${plural(rows.total, 'row')} ${what}${isAllowed ? `; svc rejects ${rejected}` : ''}`;
    const answer = { hint: '--allow-joined-files', when: `${advice}. To reject ${rejected} and continue` };
    return rowsFinding(rows, { check: 'ragged_rows', level, message, ...(!isAllowed && answer) });
  };
  return [
    ...headingFinding(label, statistics.headings.headings, level),
    ...labelFinding(label, statistics.headings.belowLabels, level),
    ...legendFinding(label, withLegendsAbove(table, statistics.headings.legends), level),
    ...findingOf(
      statistics.misshapenRows.otherDelimiter,
      'with all fields in one cell, so they cannot be read. Two files may have been joined, or whole lines may be in quotes',
      'Give two joined files one by one, and remove quotes around whole lines',
    ),
    ...findingOf(
      statistics.misshapenRows.otherHeader,
      'below the header with the names of other columns, so two files may have been joined. The rows below it belong to these columns',
      'Give the two files one by one',
      below === 0 ? undefined : `it and ${plural(below, 'row')} below it`,
    ),
  ];
}

function theseRows(total: number): string {
  return total === 1 ? 'this row' : 'these rows';
}

type Level = Finding['level'];

// The finding about a heading above opted-out people. Its hint is no command, because with any flag svc would read the
// people below the heading like all others.
function headingFinding(label: string, rows: Examples, level: Level): readonly Finding[] {
  const message = `${label}: ${plural(rows.total, 'row')} without an address that may be the heading of a group of people who left. The rows below or above it may be this group`;
  const hint =
    'Move these rows to a file whose name says their state. If these people did not leave: --allow-joined-files';
  return rowsFinding(rows, { check: 'ragged_rows', level, message, hint });
}

// The finding about blanks below the label of a group. In a spreadsheet one merged cell can label several rows, but in
// CSV only the first of these rows has the label.
function labelFinding(label: string, rows: Examples, level: Level): readonly Finding[] {
  const message = `${label}: ${plural(rows.total, 'row has', 'rows have')} a blank in the first column, below a cell that says that its people opted out. A merged cell may have stood there, so these people may have opted out too`;
  const hint = 'Fill each blank with the cell above it. If a blank does not mean the same: --allow-joined-files';
  return rowsFinding(rows, { check: 'ragged_rows', level, message, hint });
}

function withLegendsAbove({ source, dialect }: Table, legendsInRows: Examples): Examples {
  const above = (dialect.titles ?? []).filter(({ text }) => explainsOptOutMark([text]));
  const shown = above.map(({ line, text }) => ({ file: source.entry ?? source.name, line, value: text }));
  return { total: above.length + legendsInRows.total, shown: [...shown, ...legendsInRows.shown].slice(0, 5) };
}

// The finding about rows that explain a mark, such as `* = no mail`. svc can't read such marks. A mark can stand beside
// a name, in a cell of its own, or be a color.
function legendFinding(label: string, rows: Examples, level: Level): readonly Finding[] {
  const message = `${label}: ${plural(rows.total, 'row explains', 'rows explain')} a mark that means no mail. svc doesn't read such marks, so people with the mark count like all others`;
  const hint =
    'Move the people with the mark to a file whose name says their state, and remove the explanation. If no person has the mark: --allow-joined-files';
  return rowsFinding(rows, { check: 'ragged_rows', level, message, hint });
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
  const orders = [
    { when: 'Where the day stands before the month', flags: '--date-order dmy' },
    { when: 'Where the month stands before the day', flags: '--date-order mdy' },
  ];
  const [{ when, flags: hint }, ...otherwise] = (mdy.total > dmy.total ? orders.reverse() : orders) as [OtherAnswer];
  return [{ check: 'ambiguous_dates', level: 'stop', message, hint, when, otherwise, ...examplesForFinding(shown) }];
}
