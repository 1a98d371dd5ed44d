import type { Finding } from '../../base/finding.ts';
import { legacyEncodingOf } from '../../platforms/registry.ts';
import { prepareWordPatterns } from '../consent-columns/words/word-patterns.ts';
import type { RawRow } from '../csv/row-types.ts';
import { type Dialect, detectDialect } from '../dialect/detect-dialect.ts';
import { checkAnswersFit } from '../mapping/answers/check-answers.ts';
import { answersForInput, type ReadingOptions } from '../mapping/reading-answers.ts';
import { createOptionsForInput, refuseSharedNames } from '../mapping/state/shared-names.ts';
import type { Table } from '../mapping/table.ts';
import type { LaterRows } from '../mapping/table-shape.ts';
import { type ReadOptions, readRows } from '../rows/read-rows.ts';
import { createInputNamer, createNameCounter, type TableSource } from '../source/source.ts';
import { buildTable } from './build-table.ts';
import {
  type ExaminedEntry,
  examineEntry,
  isAboutOtherThings,
  leftOutFindings,
  MAX_SAMPLE_ROWS,
} from './left-out-entries.ts';
import { emptyEntryFindings, unreadFindings } from './unread-entries.ts';

/** A table with its findings. */
interface OpenedTable extends ExaminedEntry {
  readonly findings: readonly Finding[];
}

/** What an earlier read found out about inputs, by the index of the input. */
interface EarlierRead {
  /** Further rows, below the sampled first rows. svc also uses them to decide how to read the table. */
  readonly laterRows?: ReadonlyMap<number, LaterRows> | undefined;
  /** The dialects of inputs. An input without one is examined again, which takes time and memory if it is not UTF-8. */
  readonly dialects?: ReadonlyMap<number, Dialect> | undefined;
}

/**
 * Reads the beginning of each input, and decides how to read the rest. Throws SvcError for an answer that fits no
 * input.
 */
export async function openTables(
  sources: readonly TableSource[],
  options: ReadingOptions,
  { laterRows, dialects }: EarlierRead = {},
) {
  prepareWordPatterns();
  const opened: OpenedTable[] = [];
  const { encoding, delimiter, quote } = options;
  const written = { encoding, delimiter, quote, escape: options.escape, isForSeveral: sources.length > 1 };
  const optionsFor = createOptionsForInput(sources, options);
  const countNamed = createNameCounter(sources);
  const nameOf = createInputNamer(sources);
  let header: readonly string[] = [];
  for (const source of sources) {
    const ownAnswers = answersForInput(options, source, countNamed);
    const mayLackHeader = ownAnswers.maps.some(({ column }) => /^[1-9]\d*$/.test(column));
    const legacy = legacyEncodingOf(source.name);
    const answeredAs = sources.length > 1 ? nameOf(source) : undefined;
    const known = dialects?.get(source.index);
    const { dialect, findings } = known
      ? { dialect: known, findings: [] }
      : await detectDialect(source, { ...written, legacy, mayLackHeader, answeredAs });
    header = isSameHeader(header, dialect.header) ? header : dialect.header;
    const later = laterRows?.get(source.index) ?? [];
    const sample = [...(await readSample(source, dialect)), ...later];
    const start = { source, dialect: { ...dialect, header }, sample, laterRows: later };
    const table = buildTable(start, optionsFor(source), ownAnswers);
    opened.push({
      ...(await examineEntry({ start, table, options: optionsFor(source), answers: ownAnswers })),
      findings,
    });
  }
  const all = opened.map(({ table }) => table);
  checkAnswersFit(all, options);
  refuseSharedNames(sources, options);
  const notRead = new Set(opened.filter((examined) => isAboutOtherThings(examined, all)));
  const selected = opened.filter((examined) => !notRead.has(examined));
  const tables = withNames(
    selected.map(({ table }) => table),
    sources,
  );
  return {
    tables,
    findings: [
      ...selected.flatMap(({ findings }) => findings),
      ...leftOutFindings([...notRead]),
      ...unreadFindings(sources),
      ...emptyEntryFindings(sources),
    ],
  };
}

// The maximum number of inputs of one export that get a name in answers. An archive can have thousands of equal tables,
// and one answer then counts for all of them.
const MAX_NAMED_TABLES = 20;

// Gives each table the name by which an answer means this input alone, so that the answers that svc offers change no
// other input (C11). A single table gets no name, and neither do more than twenty tables of one export.
function withNames(tables: readonly Table[], sources: readonly TableSource[]): readonly Table[] {
  const isOneExport = new Set(tables.map(({ header }) => header)).size === 1;
  const nameOf = createInputNamer(sources);
  return tables.length < 2 || (isOneExport && tables.length > MAX_NAMED_TABLES)
    ? tables
    : tables.map((table) => ({ ...table, answeredAs: nameOf(table.source) }));
}

// True for two equal headers. Tables of one export often have equal headers, and then share one array, because svc
// caches results by array.
function isSameHeader(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((name, index) => name === second[index]);
}

async function readSample(source: TableSource, dialect: Dialect): Promise<readonly (readonly string[])[]> {
  const sample: (readonly string[])[] = [];
  for await (const rows of readRows(source, dialect)) {
    rows.forEach(({ cells }) => sample.push(cells));
    if (sample.length >= MAX_SAMPLE_ROWS) {
      break;
    }
  }
  return sample.slice(0, MAX_SAMPLE_ROWS);
}

interface TableRows {
  readonly table: Table;
  readonly rows: readonly RawRow[];
}

/**
 * Yields the rows of all tables as text, in order. The survey and the batches use `readByteRows`, which gives the
 * same rows, so plan, run and resume agree. The result depends only on the bytes of the input and the options of the
 * user. docs/architecture.md describes the path of a row. Rejects with the reason of the signal if it aborts.
 */
export async function* readTables(tables: readonly Table[], options: ReadOptions): AsyncGenerator<TableRows> {
  for (const table of tables) {
    for await (const rows of readRows(table.source, table.dialect, options)) {
      yield { table, rows };
    }
  }
}
