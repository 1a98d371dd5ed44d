import {
  explainsOptOutMark,
  isOptOutHeading,
  namesOptOutList,
  namesTotal,
} from '../../consent-columns/cells/headings.ts';
import type { Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { addExampleOf, type ExamplesByText, exampleAt, moveExamples, textOfCells } from './examples.ts';
import { collectRowLabels, createRowLabels } from './row-labels.ts';
import { countedText, FILLED, isBlankCell, type ValueCounts } from './value-counts.ts';

export type Headings = ReturnType<typeof createHeadings>;

/** Makes empty counts of rows that may say that people of other rows opted out: headings, explanations and labels. */
export function createHeadings(table: Pick<Table, 'labelColumns'>) {
  return {
    /** Rows without an address that are a heading above opted-out people, such as `Unsubscribed:`. */
    headings: new Map() as ExamplesByText,
    /**
     * Possible headings. They are moved to `headings` when a row with a person follows, because a heading at the end
     * heads no people.
     */
    openHeadings: new Map() as ExamplesByText,
    /** Rows without an address that explain a mark of opted-out people: `* = no mail`. */
    legends: new Map() as ExamplesByText,
    /** The columns that may label groups of rows. */
    labels: createRowLabels(table),
    /** The number of rows of totals, such as `Subtotal: 3`. Reports with groups have such rows. */
    totals: 0,
  };
}

/** Counts a row that is a heading, explains a mark, or may belong to a heading or a label above it. */
export function collectHeadings(headings: Headings, record: ParsedRecord): void {
  if (record.email !== undefined) {
    endOpenHeadings(headings);
  } else if (record.problem) {
    collectText(headings, record);
  }
  if (headings.labels.size > 0) {
    collectRowLabels(headings.labels, record);
  }
}

/**
 * Counts a row of totals. Called for rows of each kind, because on some platforms such a row has the kind `no_address`.
 */
export function collectTotals(headings: Headings, { email, cells }: ParsedRecord): void {
  headings.totals += email === undefined && namesTotal(cells) ? 1 : 0;
}

function endOpenHeadings({ openHeadings, headings }: Headings): void {
  if (openHeadings.size > 0) {
    moveExamples(openHeadings, headings);
  }
}

function collectText({ headings, openHeadings, legends }: Headings, record: ParsedRecord): void {
  const { table, cells } = record;
  const addTo = (byText: ExamplesByText) =>
    addExampleOf(byText, textOfCells(cells), () => exampleAt(record, undefined, cells.join(' ').trim()));
  if (explainsOptOutMark(cells)) {
    addTo(legends);
  } else if (namesOptOutList(cells)) {
    addTo(headings);
  } else if (isOptOutHeading(cells, table.header)) {
    addTo(openHeadings);
  }
}

/**
 * A status column whose filled cells may each begin a group of rows. A report with groups writes the value only in the
 * first row of a group.
 */
export interface GroupStarts {
  last: string | undefined;
  /**
   * The indexes of the columns of outer groups, such as regions. They are filled in the first row of a group, and blank
   * below it.
   */
  outer: readonly number[];
  readonly values: Set<string>;
  /** The number of rows with a value. `rowsWithoutAddress` is how many of these rows have no address. */
  rows: number;
  rowsWithoutAddress: number;
}

/** Makes an entry for each status column. A column is removed at the first row that shows that it has no groups. */
export function createGroupStarts(counts: ValueCounts): Map<number, GroupStarts> {
  const empty = { last: undefined, outer: [], rows: 0, rowsWithoutAddress: 0 };
  return new Map([...counts.keys()].map((index) => [index, { ...empty, values: new Set() }]));
}

interface CountedColumns {
  readonly values: ValueCounts;
  readonly groupStarts: Map<number, GroupStarts>;
}

/**
 * Looks for groups that begin in a row. A row without an address may be the heading of a group, but is no member of
 * one.
 */
export function collectGroupStarts(
  { values: counts, groupStarts }: CountedColumns,
  { cells, email }: Pick<ParsedRecord, 'cells' | 'email'>,
): void {
  for (const [index, starts] of groupStarts) {
    const cell = (cells[index] ?? '').trim();
    if (!isBlankCell(cell)) {
      const value = countedText(counts.get(index) ?? new Map(), cell);
      if (!beginsGroup(starts, value, cells)) {
        groupStarts.delete(index);
        continue;
      }
      collectStart(starts, value, cells, index);
      starts.rowsWithoutAddress += email === undefined ? 1 : 0;
    } else if (email !== undefined && starts.last === undefined) {
      groupStarts.delete(index);
    } else if (email !== undefined) {
      starts.outer = starts.outer.filter((outerIndex) => isBlankCell(cells[outerIndex] ?? ''));
    }
  }
}

// True if a group begins with this value. Its value must differ from that of the group above, unless an outer group
// begins in the same row.
function beginsGroup({ last, outer }: GroupStarts, value: string, cells: readonly string[]): boolean {
  if (last === undefined) {
    return value !== FILLED;
  }
  return value !== last || outer.some((outerIndex) => !isBlankCell(cells[outerIndex] ?? ''));
}

function collectStart(starts: GroupStarts, value: string, cells: readonly string[], index: number): void {
  if (starts.last === undefined) {
    starts.outer = [...cells.keys()].slice(0, index).filter((outerIndex) => !isBlankCell(cells[outerIndex] ?? ''));
  }
  starts.last = value;
  starts.values.add(value);
  starts.rows++;
}
