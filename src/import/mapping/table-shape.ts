import { isEmptyValue } from '../../platforms/lib/blank-cells.ts';
import type { ColumnTarget, TableShape } from '../../platforms/lib/platform.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';
import type { RecognizedTable } from '../consent-columns/column-meaning.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import { isNameless } from '../consent-columns/headers/header-predicates.ts';
import { namesStatusOrGroup } from '../consent-columns/headers/read-header.ts';
import { isPlainYesNo } from '../consent-columns/words/value-words.ts';
import { type AnyRow, cellText, isByteRow, toTextRow } from '../csv/row-types.ts';
import type { Dialect } from '../dialect/detect-dialect.ts';
import { usualCellCount } from '../dialect/header-row.ts';
import type { TableSource } from '../source/source.ts';

/** A table and the rows that show svc how to read it. `sample` has its first rows, and after them `laterRows`. */
export interface SampledTable {
  readonly source: TableSource;
  readonly dialect: Dialect;
  readonly sample: readonly (readonly string[])[];
  readonly laterRows?: LaterRows;
}

/**
 * The shape of a table without the columns that svc wrote. If the table has no header, all its column names are blank.
 */
export function tableShapeOf({ source, dialect, sample }: SampledTable, svcColumns: number): TableShape {
  const userSample = svcColumns > 0 ? sample.map((cells) => cells.slice(svcColumns)) : sample;
  const header =
    dialect.headerLine === 0
      ? Array.from({ length: usualCellCount(userSample.map((cells) => ({ cells }))) }, () => '')
      : svcColumns > 0
        ? dialect.header.slice(svcColumns)
        : dialect.header;
  const originalName = svcColumns > 0 ? sample[0]?.[0] : undefined;
  return { path: source.path, entry: source.entry, name: originalName || source.name, header, sample: userSample };
}

/** The indexes of columns in which most filled cells are a plain yes or no. */
export function columnsWithAnswers({ header, sample }: TableShape): ReadonlySet<number> {
  const areMostAnswers = (index: number) => {
    const filled = sample.map((cells) => cells[index] ?? '').filter((cell) => cell !== '');
    return filled.filter(isPlainYesNo).length * 2 > filled.length;
  };
  return new Set([...header.keys()].filter(areMostAnswers));
}

/**
 * A column that may have labels for groups of rows, which were merged cells in a spreadsheet. Only the first row of a
 * group has the label, so a blank cell means the same as the cell above it.
 */
export interface PossibleLabels {
  readonly index: number;
  /** True for a first column that has only such labels. */
  readonly isOnlyLabel: boolean;
}

/**
 * The columns that may have labels for groups of rows. One is a first column whose labels all differ. The others are
 * about the status or the group of a person, and each value in them differs from the last one above it.
 */
export function findLabelColumns(
  { shape, isGeneric }: Pick<RecognizedTable, 'shape' | 'isGeneric'>,
  consentColumns: readonly Pick<ConsentColumn, 'index' | 'holdsGroups' | 'isPreviousStatus'>[],
  emailAt: number,
): readonly PossibleLabels[] {
  const ofPast = consentColumns.filter(({ isPreviousStatus }) => isPreviousStatus).map(({ index }) => index);
  const mayLabel = (name: string, index: number) =>
    index !== emailAt &&
    !ofPast.includes(index) &&
    namesStatusOrGroup(name) &&
    isNeverRepeated(shape.sample.map((cells) => cells[index] ?? ''));
  // On a known platform, svc knows what a blank means, so there it looks for no labels.
  return (isGeneric ? shape.header : []).flatMap((name, index) => {
    const isOnlyLabel = index === 0 && hasMergedLabels(shape, consentColumns, emailAt);
    return isOnlyLabel || mayLabel(name, index) ? [{ index, isOnlyLabel }] : [];
  });
}

// True if the first cell is filled, and each filled cell differs from the last one above it.
function isNeverRepeated(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return (cells[0] ?? '').trim() !== '' && filled.every((cell, index) => cell !== filled[index - 1]);
}

function hasMergedLabels(
  { header, sample }: TableShape,
  consentColumns: readonly Pick<ConsentColumn, 'index' | 'holdsGroups'>[],
  emailAt: number,
): boolean {
  const firstColumn = consentColumns.find(({ index }) => index === 0);
  const labels = sample.map(([cell = '']) => cell.trim());
  const filled = labels.filter((cell) => cell !== '');
  return (
    emailAt > 0 &&
    (firstColumn === undefined || firstColumn.holdsGroups === true || isNameless(header[0] ?? '')) &&
    filled.length < labels.length &&
    labels[0] !== '' &&
    new Set(filled).size === filled.length
  );
}

/** A column of full names, and an example of a name in it. */
export interface FullNameColumn {
  readonly index: number;
  readonly example: string | undefined;
}

const FULL_NAME: ReadonlySet<string> = new Set(
  [
    ...['name', 'full name', 'your name', "what's your name?", 'contact name', 'customer name', 'subscriber name'],
    ...['display name', 'first and last name', 'naam', 'volledige naam', 'namn', 'navn', 'nimi', 'nom', 'nom complet'],
    ...['nombre completo', 'nombre y apellidos', 'nome completo', 'nome e cognome', 'vollständiger Name'],
    ...['Vor- und Nachname', 'imię i nazwisko', 'ФИО', 'полное имя', '氏名', 'お名前', '姓名'],
  ].map(bareWord),
);

/** Finds a column of full names. Undefined if there is none, or if the table has another column of names. */
export function findFullNameColumn(shape: TableShape, columns: readonly ColumnTarget[]): FullNameColumn | undefined {
  if (columns.some(({ kind }) => kind === 'first_name' || kind === 'last_name' || kind === 'name')) {
    return undefined;
  }
  const index = columns.findIndex(
    ({ kind }, column) => kind === 'attribute' && FULL_NAME.has(bareWord(shape.header[column] ?? '')),
  );
  const shown = shape.sample.map((cells) => (cells[index] ?? '').trim()).filter((cell) => cell !== '');
  return index < 0 ? undefined : { index, example: shown.find((cell) => /\s/u.test(cell)) ?? shown[0] };
}

/** The indexes of columns that are blank in all first rows. */
export function blankColumnsOf({ header, sample }: TableShape): readonly number[] {
  return [...header.keys()].filter((index) => sample.every((cells) => isEmptyValue(cells[index] ?? '')));
}

/**
 * Rows below the first ones, as the cells of the input. They fill columns that are blank above, and so show what these
 * columns contain.
 */
export type LaterRows = readonly (readonly string[])[];

const MAX_ROWS_OF_COLUMN = 50;
const MAX_LATER_ROWS = 500;
const ROWS_WHEN_MANY = 3;

interface BlankColumns {
  readonly blankColumns: readonly number[];
  readonly svcColumns: number;
  readonly width: number;
}

/**
 * Makes a collector of rows that fill a column which is blank in the sampled rows. It takes up to 50 rows for each such
 * column. Once it has 500 rows, it takes only 3 for each.
 */
export function createLaterRows({ blankColumns, svcColumns, width }: BlankColumns) {
  const rows: (readonly string[])[] = [];
  const rowsOfColumn = new Map(blankColumns.map((index) => [index, 0]));
  let open = blankColumns;
  const textAt = (row: AnyRow, cells: readonly string[], index: number) =>
    isByteRow(row) ? cellText(row, svcColumns + index) : (cells[index] as string);
  return {
    rows: rows as LaterRows,
    /** Offers a row. `cells` are those of its record, so a filled cell can be `NOT_DECODED` instead of its text. */
    collect(row: AnyRow, cells: readonly string[]): void {
      if (open.length === 0 || cells.length !== width) {
        return;
      }
      const filled = open.filter((index) => cells[index] !== '' && !isEmptyValue(textAt(row, cells, index)));
      if (filled.length === 0) {
        return;
      }
      rows.push(toTextRow(row).cells);
      for (const index of filled) {
        rowsOfColumn.set(index, (rowsOfColumn.get(index) as number) + 1);
      }
      const most = rows.length < MAX_LATER_ROWS ? MAX_ROWS_OF_COLUMN : ROWS_WHEN_MANY;
      open = open.filter((index) => (rowsOfColumn.get(index) as number) < most);
    },
  };
}
