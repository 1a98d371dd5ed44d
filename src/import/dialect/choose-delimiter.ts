import { SvcError } from '../../base/lib/errors.ts';
import type { Quoting } from '../csv/quoting.ts';
import { createRowScanner, type RowScanner } from '../csv/row-scanner.ts';
import { isBlankRow, type RawRow } from '../csv/row-types.ts';
import { isAddressCell, usualCellCount } from './header-row.ts';

const MAX_ROWS = 200;

/**
 * The first rows of a text that may end in the middle of a row. Blank rows are left out. A quote that is never closed
 * ends the rows.
 */
export function sampleRows(text: string, isWhole: boolean, delimiter: string | undefined, quoting?: Quoting): RawRow[] {
  const cut = (isEnd: boolean) => {
    const scanner = createRowScanner({ label: '', delimiter, header: [], keepsRaw: true, quoting });
    return [...rowsOfText(scanner, text, isEnd).take(MAX_ROWS)];
  };
  const rows = cut(isWhole);
  // Without a line ending the whole text is one row.
  const all = rows.length > 0 || isWhole ? rows : cut(true);
  return all.filter(({ cells }) => !isBlankRow(cells));
}

/** Yields the rows of a text. An unclosed quote or a row that is too long ends them. `isEnd`: no more text follows. */
export function* rowsOfText(scanner: RowScanner, text: string, isEnd: boolean): Generator<RawRow> {
  try {
    scanner.feed(text);
    yield* nextRows(scanner);
    if (isEnd) {
      scanner.finish();
      yield* nextRows(scanner);
    }
  } catch (error) {
    if (!(error instanceof SvcError)) {
      throw error;
    }
  }
}

function* nextRows(scanner: RowScanner): Generator<RawRow> {
  for (let row = scanner.next(); row; row = scanner.next()) {
    yield row;
  }
}

/** The beginning of a table as text, without its `sep=` line. */
export interface TableBeginning {
  readonly text: string;
  /** True if the text is the whole table. */
  readonly isWhole: boolean;
}

export interface CutTable {
  readonly delimiter: string | undefined;
  readonly rows: readonly RawRow[];
}

const CANDIDATES: readonly (string | undefined)[] = [undefined, ',', ';', '\t', '|'];
// Characters that are delimiters only in few files, because they can be part of a text. svc accepts one only if nearly
// all rows then have the same number of cells.
const RARE_DELIMITERS: readonly string[] = ['^', '\u00a6', '~'];
const NEARLY_ALL_ROWS = 0.9;

/** Cuts the beginning at each possible delimiter, and returns the cut with the highest score (`scoreOf`). */
export function chooseDelimiter(beginning: TableBeginning, quoting?: Quoting): CutTable {
  const rare = RARE_DELIMITERS.filter((delimiter) => beginning.text.includes(delimiter)).map((delimiter) =>
    cutAtDelimiter(delimiter, beginning, quoting),
  );
  const cuttings = [
    ...CANDIDATES.map((delimiter) => cutAtDelimiter(delimiter, beginning, quoting)),
    ...rare.filter(({ rows }) => isRegular(rows)),
  ];
  const scored = cuttings.map((cutting) => ({ cutting, score: scoreOf(cutting) }));
  return scored.reduce((best, other) => (other.score > best.score ? other : best)).cutting;
}

/** Cuts the beginning of a table at a delimiter. Undefined means a single column. */
export function cutAtDelimiter(
  delimiter: string | undefined,
  { text, isWhole }: TableBeginning,
  quoting?: Quoting,
): CutTable {
  return { delimiter, rows: sampleRows(text, isWhole, delimiter, quoting) };
}

function isRegular(rows: readonly RawRow[]): boolean {
  const width = usualCellCount(rows);
  return width > 1 && rows.filter(({ cells }) => cells.length === width).length >= rows.length * NEARLY_ALL_ROWS;
}

// Rates a delimiter. A row with an address alone in a cell counts twice, a row with the usual number of cells once. A
// first row of several cells adds half a point. In `a@x.test;Alb, Ana` both `;` and `,` give two cells, but only `;`
// leaves the address alone.
function scoreOf({ rows }: CutTable): number {
  const width = usualCellCount(rows);
  const total = Math.max(rows.length, 1);
  const addressed = rows.filter(({ cells }) => cells.some(isAddressCell)).length;
  const regular = width > 1 ? rows.filter(({ cells }) => cells.length === width).length : 0;
  const header = rows[0] !== undefined && rows[0].cells.length > 1 ? 0.5 : 0;
  return (2 * addressed + regular) / total + header;
}
