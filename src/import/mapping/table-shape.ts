import type { TableShape } from '../../platforms/lib/platform.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import { isNameless } from '../consent-columns/headers/header-predicates.ts';
import { isPlainYesNo } from '../consent-columns/value-words.ts';
import { usualCellCount } from '../dialect/delimiter.ts';
import type { Dialect } from '../dialect/detect-dialect.ts';
import type { TableSource } from '../source/source.ts';

/** The beginning of a table, by which svc decides how to read the rest. `sample` has its first rows. */
export interface SampledTable {
  readonly source: TableSource;
  readonly dialect: Dialect;
  readonly sample: readonly (readonly string[])[];
}

/** The shape of a table without the columns that svc wrote. A table without a header gets blank names. */
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
 * True if the first column has labels for groups of rows: merged cells of a spreadsheet. Only the first row of a group
 * has the label, so a blank cell means the same as the cell above it.
 */
export function hasMergedLabels(
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
