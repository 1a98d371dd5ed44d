import type { TableShape } from '../../platforms/lib/platform.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import { isNameless } from '../consent-columns/headers/header-predicates.ts';

/**
 * True if the first column has labels for groups of rows: merged cells of a spreadsheet. Only the first row of a group
 * has the label, so a blank cell means the same as the cell above it.
 */
export function hasMergedLabels(
  { header, sample }: TableShape,
  consentColumns: readonly Pick<ConsentColumn, 'at' | 'holdsGroups'>[],
  emailAt: number,
): boolean {
  const own = consentColumns.find(({ at }) => at === 0);
  const labels = sample.map(([cell = '']) => cell.trim());
  const filled = labels.filter((cell) => cell !== '');
  return (
    emailAt > 0 &&
    (own === undefined || own.holdsGroups === true || isNameless(header[0] ?? '')) &&
    filled.length < labels.length &&
    labels[0] !== '' &&
    new Set(filled).size === filled.length
  );
}
