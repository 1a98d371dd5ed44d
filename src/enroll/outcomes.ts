import { existsSync, readFileSync, rmSync } from 'node:fs';
import { openPrivateWriter, type PrivateWriter, writePrivateFile } from '../base/os/files.ts';
import { type Enrollee, rowOutcome } from '../import/batch/row-outcome.ts';
import { afterCells, csvLine, guardedCell } from '../import/csv/csv-text.ts';
import { readTables } from '../import/csv/pipeline.ts';
import { skipReason } from '../import/dedupe/merge-duplicates.ts';
import type { Table } from '../import/mapping/table.ts';
import { parseRecord } from '../import/record/parse-record.ts';
import type { RawRow } from '../import/types.ts';
import { rowKey } from '../migrate/verify/contacts.ts';
import { distinctName } from './counts.ts';
import { ENROLLED, type EnrollmentRecords, outcomeOf, refusals, UNKNOWN, UNSENT } from './enrollment-records.ts';
import { type Listed, requestName } from './people.ts';

/** A person with an unknown outcome, and the name of the request. Stored in the journal for `runs resolve`. */
export interface UnknownPerson {
  readonly request: string;
  readonly line: number;
  readonly email: string;
}

/** The written files, and the people with unknown outcomes. */
export interface WrittenOutcomes {
  readonly files: { readonly outcomes?: string; readonly unknown?: string };
  readonly unknownPeople: readonly UnknownPerson[];
}

interface OutcomePaths {
  readonly outcomes: string;
  readonly unknown: string;
}

/**
 * Reads the list again and writes outcomes.csv (all people except the enrolled) and unknown.csv (unknown outcomes
 * only). Empty files are not created. With several inputs a fourth column names the input.
 */
export async function writeOutcomes(
  listed: Listed,
  records: EnrollmentRecords,
  { paths, signal }: { readonly paths: OutcomePaths; readonly signal: AbortSignal },
): Promise<WrittenOutcomes> {
  const several = listed.survey.tables.length + (listed.typed.rows > 0 ? 1 : 0) > 1;
  const outcomes = createTable(paths.outcomes, several);
  const unknown = createTable(paths.unknown, several);
  const unknownPeople: UnknownPerson[] = [];
  try {
    for await (const line of lines(listed, records, signal)) {
      outcomes.write(line);
      if (line.outcome === UNKNOWN) {
        unknown.write(line);
        unknownPeople.push({ request: requestName(line), line: line.line, email: line.email });
      }
    }
  } finally {
    outcomes.close();
    unknown.close();
  }
  const files = {
    ...(outcomes.rows > 0 ? { outcomes: paths.outcomes } : {}),
    ...(unknown.rows > 0 ? { unknown: paths.unknown } : {}),
  };
  return { files, unknownPeople: unknownPeople };
}

interface Line extends Enrollee {
  readonly outcome: string;
  readonly file: string;
}

async function* lines(listed: Listed, records: EnrollmentRecords, signal: AbortSignal): AsyncGenerator<Line> {
  const outcomeOf = createOutcome(records);
  for await (const { table, rows } of readTables(listed.survey.tables, { signal })) {
    for (const row of rows) {
      const line = lineOf(listed, table, row);
      const outcome = line && (line.skipped ?? outcomeOf(line));
      if (line && outcome) {
        yield { ...line, outcome };
      }
    }
  }
  for (const person of listed.typed.people) {
    const outcome = outcomeOf(person);
    if (outcome) {
      yield { ...person, outcome, file: '--email' };
    }
  }
}

/** The person of a row, and why the person is skipped; undefined for merged and empty rows. */
function lineOf({ survey, people }: Listed, table: Table, row: RawRow) {
  const parsed = parseRecord(table, row);
  const outcome = rowOutcome({ reading: survey, people }, parsed);
  const place = { source: table.source.index, line: row.line, file: table.name };
  if (outcome.kind === 'rejected') {
    return { ...place, email: parsed.cells[table.columnIndexes.email] ?? '', skipped: 'rejected' };
  }
  if (outcome.kind !== 'person') {
    return undefined;
  }
  const skipped =
    outcome.state === 'subscribed' ? undefined : (skipReason(outcome.state, outcome.why) ?? outcome.state);
  return { ...place, email: outcome.email, skipped };
}

/** Returns the outcome of a person; undefined for enrolled people. */
function createOutcome(records: EnrollmentRecords): (person: Enrollee) => string | undefined {
  const refused = new Map(refusals(records.journal).map((failure) => [rowKey(failure), failure.code]));
  return (person) => {
    const outcome = outcomeOf(records, person);
    switch (outcome.kind) {
      case 'answered':
        return outcome.word === ENROLLED ? undefined : distinctName(outcome.word);
      case 'refused':
        return outcome.code;
      default:
        // A person who was refused as a contact has no enrollment.
        return refused.get(rowKey(person)) ?? outcome.kind;
    }
  };
}

interface OutcomeTable {
  readonly rows: number;
  write(line: Line): void;
  close(): void;
}

function createTable(path: string, several: boolean): OutcomeTable {
  let file: PrivateWriter | undefined;
  let rows = 0;
  return {
    get rows() {
      return rows;
    },
    write({ line, email, outcome, file: name }) {
      if (!file) {
        file = openPrivateWriter(path);
        file.write(`line,email,outcome${several ? ',file' : ''}\n`);
      }
      rows += 1;
      file.write(`${line},${guardedCell(email)},${csvLine([outcome, ...(several ? [name] : [])], ',')}\n`);
    },
    close: () => file?.close(),
  };
}

/** A person whose unknown outcome was decided by the user. */
export interface ResolvedPerson extends UnknownPerson {
  readonly decision: string;
}

/** The paths of outcomes.csv and unknown.csv, if they exist. */
export interface OutcomeFiles {
  readonly outcomes?: string | undefined;
  readonly unknown?: string | undefined;
}

/**
 * Removes resolved people from unknown.csv and enrolled ones from outcomes.csv too; the others become unsent there.
 * Returns the remaining files.
 */
export function resolveInFiles(
  { outcomes, unknown }: OutcomeFiles,
  resolved: readonly ResolvedPerson[],
): RemainingFiles {
  const decisions = new Map(resolved.map(({ line, email, decision }) => [`${line},${guardedCell(email)}`, decision]));
  const left = {
    outcomes: outcomes && rewrite(outcomes, decisions),
    unknown: unknown && rewrite(unknown, asEnrolled(decisions)),
  };
  return {
    ...(left.outcomes ? { outcomes: left.outcomes } : {}),
    ...(left.unknown ? { unknown: left.unknown } : {}),
  };
}

/** Files that still have lines. */
interface RemainingFiles {
  readonly outcomes?: string;
  readonly unknown?: string;
}

type Decisions = ReadonlyMap<string, string>;

/** Every resolved person leaves unknown.csv, whatever the decision. */
function asEnrolled(decisions: Decisions): Decisions {
  return new Map([...decisions.keys()].map((who) => [who, ENROLLED]));
}

/** Rewrites a file; undefined if no line is left and the file was removed. */
function rewrite(path: string, decisions: Decisions): string | undefined {
  const [header = '', ...lines] = existsSync(path) ? readFileSync(path, 'utf8').replace(/\n$/, '').split('\n') : [];
  const kept = lines.flatMap((line) => resolveLine(line, decisions) ?? []);
  if (kept.length === 0) {
    rmSync(path, { force: true });
    return undefined;
  }
  writePrivateFile(path, `${[header, ...kept].join('\n')}\n`);
  return path;
}

/** Applies a decision to one line: line number, address, outcome, and with several inputs the file. */
function resolveLine(line: string, decisions: Decisions): string | undefined {
  const rest = afterCells(line, 2, ',');
  const who = line.slice(0, -rest.length - 1);
  const decision = rest.split(',')[0] === UNKNOWN ? decisions.get(who) : undefined;
  if (decision === undefined) {
    return line;
  }
  return decision === ENROLLED ? undefined : `${who},${UNSENT}${rest.slice(UNKNOWN.length)}`;
}
