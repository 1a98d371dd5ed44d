import { rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RowPosition, rowKey } from '../../base/lib/rows.ts';
import { joinAtMost } from '../../base/lib/text.ts';
import { ensurePrivateFolder, openPrivateWriter, pathExists } from '../../base/os/files.ts';
import { replaceFileByText } from '../../base/os/replace-file.ts';
import { rankOf, type State } from '../../platforms/lib/states.ts';
import type { People } from '../../runs/people/people.ts';
import { type RowWithDecision, rereadDoubtfulRows } from '../batch/reread-list.ts';
import type { RowDecision } from '../batch/row-decision.ts';
import type { Table } from '../mapping/table.ts';
import { sourceLabel } from '../source/source.ts';
import type { RereadableSurvey } from '../survey/survey-types.ts';
import { createFileNames } from './file-names.ts';
import { detectLineEnding, type RejectedRow, readRawHeader, rejectsText } from './rejects-file.ts';

/** A row that the service refused, with the code of the refusal. */
export interface FailedRow extends RowPosition {
  readonly code: string;
  readonly detail?: string | undefined;
}

interface RejectsOptions {
  /** The folder for the files. It is created only if there are rows to write. */
  readonly folder: string;
  readonly failures: Iterable<FailedRow>;
  readonly signal: AbortSignal;
}

/**
 * Writes a rejects file for each input that has rejected or failed rows, and reads these inputs once more for it.
 * Resolves to the paths of the files. The user can correct the rows and import such a file with the same command.
 */
export async function writeRejects(
  survey: RereadableSurvey,
  people: People,
  options: RejectsOptions,
): Promise<string[]> {
  const failures = bySource(options.failures);
  const otherRows = failures.size === 0 ? NO_ROWS : otherRowsOf(survey, people, failures);
  const allPaths = pathsOf(survey, options.folder);
  const paths: string[] = [];
  for (const [index, table] of survey.tables.entries()) {
    const failed = failures.get(table.source.index) ?? new Map<number, FailedRow>();
    if (failed.size === 0 && !survey.inputsWithRejects.has(table.source.index)) {
      continue;
    }
    ensurePrivateFolder(options.folder);
    const path = allPaths[index]!;
    const tableRejects = { survey, people, table, failed, otherRows, signal: options.signal };
    // The temporary file lies outside of the folder, because the rejects file of another input could have its name.
    if (await replaceFileByText(path, partsOf(tableRejects), `${options.folder}.part`)) {
      paths.push(path);
    }
  }
  return paths;
}

/**
 * Creates the files and deletes them again. So svc notices that it can't write to the folder before it sends anything.
 * Files that already exist stay unchanged.
 */
export function checkRejectsWritable(survey: Pick<RereadableSurvey, 'tables'>, folder: string): void {
  const isNew = !pathExists(folder);
  ensurePrivateFolder(folder);
  for (const path of pathsOf(survey, folder)) {
    const wasThere = pathExists(path);
    openPrivateWriter(path, { append: true }).close();
    if (!wasThere) {
      rmSync(path, { force: true });
    }
  }
  if (isNew) {
    rmdirSync(folder);
  }
}

/**
 * The path of each table's rejects file, in order. A table has the same path whether or not other tables have rejected
 * rows.
 */
function pathsOf({ tables }: Pick<RereadableSurvey, 'tables'>, folder: string): readonly string[] {
  const nameOf = createFileNames();
  return tables.map(({ name }) => join(folder, nameOf(name)));
}

interface TableRejects {
  readonly survey: RereadableSurvey;
  readonly people: People;
  readonly table: Table;
  readonly failed: ReadonlyMap<number, FailedRow>;
  readonly otherRows: OtherRows;
  readonly signal: AbortSignal;
}

/** Yields the rejects file of one table in parts. Yields nothing if no row was rejected. */
async function* partsOf({ survey, people, table, failed, otherRows, signal }: TableRejects): AsyncGenerator<Buffer> {
  const text = rejectsText(table, { ending: await detectLineEnding(table.source), header: await readRawHeader(table) });
  const keepsLine = (line: number) => failed.has(line);
  let isFirst = true;
  for await (const rows of rereadDoubtfulRows({ survey, people }, table, { signal, keepsLine })) {
    for (const { row, record, decision } of rows) {
      const others = otherRows.get(rowKey({ source: table.source.index, line: row.line }));
      const reject = rejectOf({ row, record, others }, decision, failed.get(row.line));
      if (reject && isFirst) {
        isFirst = false;
        yield text.head();
      }
      if (reject) {
        yield text.row(reject);
      }
    }
  }
}

type GivenBackRow = Pick<RowWithDecision, 'row' | 'record'> & { readonly others: readonly string[] | undefined };

function rejectOf(
  { row, record, others = [] }: GivenBackRow,
  decision: RowDecision,
  failure: FailedRow | undefined,
): RejectedRow | undefined {
  if (decision.kind === 'rejected') {
    return { row, problem: decision.problem, state: stateToWrite(decision.state, record) };
  }
  if (decision.kind !== 'person' || !failure) {
    return undefined;
  }
  const also = others.length > 0 ? [`the contact also has data from ${joinAtMost(others, MAX_OTHER_ROWS)}`] : [];
  const detail = [failure.detail, ...also].filter((part) => part !== undefined && part !== '').join('; ');
  return { row, problem: { reason: failure.code, column: '', detail }, state: stateToWrite(decision.state, record) };
}

// The state for svc_state. svc suppresses no person whose address it only guessed. But the user corrects the address,
// so the row then suppresses its person (C3).
function stateToWrite(state: State, { loweredFrom }: RowWithDecision['record']): State {
  return loweredFrom !== undefined && rankOf(loweredFrom) < rankOf(state) ? loweredFrom : state;
}

const MAX_OTHER_ROWS = 20;

/** By the key of a failed row: the lines that were merged into it. */
type OtherRows = ReadonlyMap<string, readonly string[]>;

const NO_ROWS: OtherRows = new Map();

// The rejects file has only the row that failed. Its data can come from further rows, such as the date of an opt-out.
// The user needs their lines to complete the row.
function otherRowsOf(
  { tables }: RereadableSurvey,
  people: People,
  failures: ReadonlyMap<number, ReadonlyMap<number, FailedRow>>,
): OtherRows {
  const labels = new Map(tables.map(({ source }) => [source.index, sourceLabel(source)]));
  const found = new Map<string, string[]>();
  for (const { source, line, mergedInto } of people.mergedRows()) {
    if (failures.get(mergedInto.source)?.has(mergedInto.line)) {
      const label = source === mergedInto.source ? `line ${line}` : `${labels.get(source)} line ${line}`;
      const others = found.get(rowKey(mergedInto)) ?? [];
      found.set(rowKey(mergedInto), others);
      others.push(label);
    }
  }
  return found;
}

function bySource(failures: Iterable<FailedRow>): Map<number, Map<number, FailedRow>> {
  const lists = new Map<number, Map<number, FailedRow>>();
  for (const failure of failures) {
    const list = lists.get(failure.source) ?? new Map<number, FailedRow>();
    lists.set(failure.source, list.set(failure.line, failure));
  }
  return lists;
}
