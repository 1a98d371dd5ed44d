import { SvcError } from '../../base/lib/errors.ts';
import type { RawRow } from '../csv/byte-row.ts';
import { createScanner } from '../csv/scan.ts';
import { isBlank } from '../csv/unreadable.ts';
import type { Quoting } from './quoting/quoting.ts';

const MOST_ROWS = 200;

/** The first rows of a text that may stop anywhere, without blank rows. An unclosed quote ends them. */
export function sampleRows(text: string, whole: boolean, delimiter: string | undefined, quoting?: Quoting): RawRow[] {
  const scanner = createScanner({ label: '', delimiter, header: [], raw: true, quoting });
  const rows: RawRow[] = [];
  try {
    scanner.feed(text);
    for (let row = scanner.next(); row && rows.length < MOST_ROWS; row = scanner.next()) {
      rows.push(row);
    }
    // Without any line ending, the rest is the only row.
    if (rows.length < MOST_ROWS && (whole || rows.length === 0)) {
      scanner.finish();
      const rest = scanner.next();
      if (rest) {
        rows.push(rest);
      }
    }
  } catch (error) {
    if (!(error instanceof SvcError)) {
      throw error;
    }
  }
  return rows.filter(({ cells }) => !isBlank(cells));
}
