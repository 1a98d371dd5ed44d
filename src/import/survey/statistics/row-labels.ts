import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { stateOfTags } from '../../consent-columns/cells/notes.ts';
import { keepsMailAway } from '../../consent-columns/several-columns/combine-readings.ts';
import type { Table } from '../../mapping/table.ts';
import type { ParsedRecord } from '../../record/parse-record.ts';
import { addExample, createExamples, type Examples, exampleAt } from './examples.ts';

/** A column whose cells may each label a group of rows. Only the first row of a group then has the label. */
interface LabelColumn {
  /** The last label. */
  label: string | undefined;
  /** The number of labels. A column about the status that has only one label has no groups. */
  count: number;
  /** True if the last label means opted out, or is a word that svc does not understand. */
  keepsAway: boolean;
  /** Rows with a blank below a label of opted-out people, if no other cell of the row is about an opt-out. */
  readonly below: Examples;
}

export type RowLabels = Map<number, LabelColumn>;

/**
 * Makes an entry for each column that may have labels. An entry is removed once a row shows that its column has no
 * labels.
 */
export function createRowLabels({ labelColumns }: Pick<Table, 'labelColumns'>): RowLabels {
  return new Map(
    labelColumns.map(({ index }) => [index, { label: undefined, count: 0, keepsAway: false, below: createExamples() }]),
  );
}

/** The columns that have blanks below a label of opted-out people, each with the rows of these blanks. */
export function blanksBelowLabels(
  { labelColumns }: Pick<Table, 'labelColumns'>,
  labels: RowLabels,
): readonly (readonly [index: number, below: Examples])[] {
  return labelColumns.flatMap(({ index, isOnlyLabel }) => {
    const column = labels.get(index);
    return column && (isOnlyLabel || column.count > 1) ? [[index, column.below] as const] : [];
  });
}

/**
 * Counts a row that has a blank below a label. A label also holds for the rows below it, as long as their cells are
 * blank.
 */
export function collectRowLabels(labels: RowLabels, record: ParsedRecord): void {
  const { table, cells, statusReading, email } = record;
  const keepsAway = maySayLeft(statusReading);
  for (const { index, isOnlyLabel } of table.labelColumns) {
    const column = labels.get(index);
    const cell = cells[index] ?? '';
    if (column === undefined) {
      continue;
    }
    if (cell === '') {
      if (column.keepsAway && !keepsAway && email !== undefined) {
        addExample(column.below, () => exampleAt(record, headerOrNumber(table.header, index)));
      }
    } else if (cell === column.label && !isOnlyLabel) {
      // A merged cell has its text only once. Here the same label occurs again, so the column has no merged cells, and
      // its blanks do not repeat a label.
      labels.delete(index);
    } else {
      column.label = cell;
      column.count++;
      column.keepsAway = keepsAway && (isOnlyLabel || saysLeft(record, index, cell));
    }
  }
}

// True if the cell itself says that people left, or if it is a word that the user called an opt-out.
function saysLeft({ table, statusReading }: ParsedRecord, index: number, cell: string): boolean {
  const column = table.consentColumns.find((other) => other.index === index);
  const reading = column?.stateOf(cell) ?? stateOfTags(cell);
  return reading.unknown === undefined ? keepsMailAway(reading) : isOptedOut(statusReading);
}

// False for a word that the user answered with `skip`: its state is `pending`, and says nothing about the rows below.
function isOptedOut({ state, unknown }: StatusReading): boolean {
  return unknown === undefined && state !== 'pending';
}

function maySayLeft(reading: StatusReading): boolean {
  return keepsMailAway(reading) || reading.unknown !== undefined;
}
