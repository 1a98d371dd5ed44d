import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One point that the service document leaves open, as docs/service-notes.md lists it. */
export interface Note {
  readonly point: string;
  /** Words of the document. */
  readonly quote: string;
  readonly reading: string;
  readonly other: string;
  /** Tests as `file › title`, which fail under another reading. */
  readonly tests: readonly string[];
}

const PAGE = join(import.meta.dirname, '../../../docs/service-notes.md');

/** Every open point of docs/service-notes.md, in its order. */
export function readNotes(): Note[] {
  const rows = cellsOf('point');
  return rows.map(([point = '', quote = '', reading = '', other = '', tests = '']) => ({
    point: point.replaceAll('`', ''),
    quote,
    reading,
    other,
    tests: tests.split('<br>'),
  }));
}

/**
 * The sentences of the document that leave nothing open, and how to make the emulator play what they allow or forbid.
 */
export function readClearSentences(): { readonly quote: string; readonly how: string }[] {
  return cellsOf('the document says').map(([quote = '', how = '']) => ({ quote, how }));
}

/** The rows of all tables whose first column has this title. */
function cellsOf(title: string): string[][] {
  const tables = readFileSync(PAGE, 'utf8').split(/\n(?!\|)/);
  return tables.flatMap((table) => {
    const rows = table.split('\n').map(cells);
    const head = rows.findIndex(([first]) => first === title);
    return head < 0 ? [] : rows.slice(head + 2);
  });
}

function cells(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
