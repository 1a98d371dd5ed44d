import { createDecoder, type Decoded } from '../encoding/decode.ts';
import { type Dialect, labelOf, type RawRow, type Source } from '../types.ts';
import { createScanner, type Scanner } from './scan.ts';
import { encodingMixed, isBlank } from './unreadable.ts';

/** `raw` adds the exact text of each row. `onBytes` gets the number of decompressed bytes that were read. */
export interface ReadOptions {
  readonly raw?: boolean;
  onBytes?(bytes: number): void;
}

// Small, so that rows become garbage before the collector has to move them.
const BATCH_ROWS = 250;

/**
 * The rows after the header, in batches of up to 250. Omits blank rows and repeated headers (files joined with `cat`).
 * Throws SvcError `unterminated_quote`, `row_too_long` or `encoding_mixed`, each with file and line.
 */
export async function* readRows(source: Source, dialect: Dialect, options: ReadOptions = {}): AsyncGenerator<RawRow[]> {
  const { delimiter, header, quoting } = dialect;
  const scanner = createScanner({ label: labelOf(source), delimiter, header, raw: options.raw ?? false, quoting });
  const isData = createFilter(dialect);
  let batch: RawRow[] = [];
  for await (const decoded of decode(source, dialect, options)) {
    feed(scanner, decoded);
    for (let row = scanner.next(); row; row = scanner.next()) {
      if (isData(row)) {
        batch.push(row);
      }
      if (batch.length === BATCH_ROWS) {
        yield batch;
        batch = [];
      }
    }
    if (decoded.bad !== undefined) {
      throw encodingMixed(labelOf(source), scanner.lastLine(), { encoding: dialect.encoding, bytes: decoded.bad });
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

type Piece = Decoded & { readonly last: boolean };

async function* decode(source: Source, dialect: Dialect, options: ReadOptions): AsyncGenerator<Piece> {
  const decoder = createDecoder(dialect.encoding);
  for await (const bytes of source.bytes()) {
    options.onBytes?.(bytes.length);
    yield { ...decoder.write(bytes), last: false };
  }
  yield { ...decoder.end(), last: true };
}

function feed(scanner: Scanner, { text, bad, clean, last }: Piece): void {
  scanner.feed(text, clean);
  if (last && bad === undefined) {
    scanner.finish();
  }
}

/** Creates the filter that drops rows before the header, repeated headers, and blank rows. */
function createFilter({ header, headerLine, sepLine }: Dialect): (row: RawRow) => boolean {
  const firstLine = headerLine > 0 ? headerLine + 1 : sepLine ? 2 : 1;
  return ({ line, cells }) => line >= firstLine && !isBlank(cells) && !isHeader(cells, header);
}

function isHeader(cells: readonly string[], header: readonly string[]): boolean {
  return (
    cells.length === header.length && cells[0] === header[0] && cells.every((cell, index) => cell === header[index])
  );
}
