import { join } from 'node:path';
import { spreadsheetSafeCell } from '../../base/lib/text.ts';
import { replaceFileByText } from '../../base/os/replace-file.ts';
import { eachRow, type SqlRow, transaction } from '../../base/os/sqlite.ts';
import type { Enrollee } from '../../import/batch/reread-list.ts';
import { csvLine } from '../../import/csv/quoting.ts';
import { UNKNOWN_ENROLLMENT } from '../../ledgers/enrollment-entries.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { ENROLLED, type EnrollmentRecords, personOutcomeOf, UNSENT } from '../records/enrollment-records.ts';
import { type OutcomeLine, type OutcomeLines, outcomeLines, type PlannedList } from './outcome-lines.ts';

// The lines of outcomes.csv and unknown.csv. They are stored while some outcomes are unknown. `runs resolve` writes the
// files again from them, because a finished run has no input copies any more.
const EMPTY_TABLE = `
  PRAGMA secure_delete = ON;
  DROP TABLE IF EXISTS outcomes;
  CREATE TABLE outcomes (
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL, line INTEGER NOT NULL, email TEXT NOT NULL,
    outcome TEXT NOT NULL, file TEXT
  ) STRICT`;

const STORED_OUTCOMES_NOTE = 'outcomes';

/**
 * Reads the list again, and writes outcomes.csv and unknown.csv at the end of a run. While outcomes are unknown, also
 * stores the lines in run.db, because `runs resolve` changes them.
 */
export async function writeOutcomes(
  listed: PlannedList,
  records: EnrollmentRecords,
  signal: AbortSignal,
): Promise<OutcomeFiles> {
  const { journal } = records;
  const lines = outcomeLines(listed, records, signal);
  journal.writeNote(STORED_OUTCOMES_NOTE, undefined);
  deleteStoredOutcomes(journal);
  const sent = journal.counts('enrollment');
  const files =
    sent.doubt + sent.pending > 0 ? await storeAndWrite(records, lines) : await writeFiles(journal, lines, []);
  journal.writeNote(STORED_OUTCOMES_NOTE, true);
  return files;
}

async function storeAndWrite(records: EnrollmentRecords, lines: AsyncIterable<OutcomeLines>): Promise<OutcomeFiles> {
  const { db } = records.journal;
  const insert = db.prepare('INSERT INTO outcomes (source, line, email, outcome, file) VALUES (?, ?, ?, ?, ?)');
  for await (const block of lines) {
    transaction(db, () => {
      for (const { source, line, email, outcome, file } of block) {
        insert.run(source, line, email, outcome, file ?? null);
      }
    });
  }
  return rewriteOutcomes(records);
}

/** The command with which the user decides about unknown outcomes. */
export function commandToResolve(run: string): string {
  return `svc runs resolve ${run}`;
}

/** True once the run wrote outcomes.csv, or found that the file would have no line. */
export function hasWrittenOutcomes({ readNote }: Journal): boolean {
  return readNote(STORED_OUTCOMES_NOTE) === true;
}

/** The people whose outcome was unknown at the end of the run, and who are not resolved yet. */
export function peopleWithUnknownOutcome(records: EnrollmentRecords): OutcomeLines {
  return currentLines(records)
    .filter(({ outcome }) => outcome === UNKNOWN_ENROLLMENT)
    .toArray();
}

/**
 * Deletes the stored lines, because they are personal data. Called before new lines are stored, and once the user has
 * decided about all of them.
 */
export function deleteStoredOutcomes({ db }: Journal): void {
  transaction(db, () => db.exec(EMPTY_TABLE));
}

/** The paths of outcomes.csv and unknown.csv, if they exist. */
export interface OutcomeFiles {
  readonly outcomes?: string;
  readonly unknown?: string;
}

/** Writes outcomes.csv and unknown.csv again from run.db, with the decisions of the user. */
export function rewriteOutcomes(records: EnrollmentRecords): Promise<OutcomeFiles> {
  const outcomes = currentLines(records).map((line) => [line]);
  return writeFiles(records.journal, outcomes, [peopleWithUnknownOutcome(records)]);
}

/**
 * Writes outcomes.csv (all people who were not enrolled, or may not have been) and unknown.csv (people with an unknown
 * outcome). Deletes a file without lines. With several inputs, a fourth column names the input.
 */
async function writeFiles(
  { files }: Journal,
  outcomes: AsyncIterable<OutcomeLines> | Iterable<OutcomeLines>,
  unknown: Iterable<OutcomeLines>,
): Promise<OutcomeFiles> {
  const unknownPath = join(files.folder, 'unknown.csv');
  return {
    ...((await replaceFileByText(files.outcomesCsv, csvText(outcomes))) && { outcomes: files.outcomesCsv }),
    ...((await replaceFileByText(unknownPath, csvText(unknown))) && { unknown: unknownPath }),
  };
}

/**
 * The stored lines with the user's decisions, in the order of the list. Leaves out people who count as enrolled now.
 */
function* currentLines(records: EnrollmentRecords): Generator<OutcomeLine> {
  for (const row of eachRow(records.journal.db, 'SELECT * FROM outcomes ORDER BY id')) {
    const stored = readLine(row);
    const outcome = stored.outcome === UNKNOWN_ENROLLMENT ? decidedOutcome(records, stored) : stored.outcome;
    if (outcome !== ENROLLED) {
      yield { ...stored, outcome };
    }
  }
}

/** The outcome after the user's decision about a person. A person who was not enrolled counts as unsent. */
function decidedOutcome(records: EnrollmentRecords, person: Enrollee): string {
  const outcome = personOutcomeOf(records, person);
  if (outcome.kind === UNKNOWN_ENROLLMENT) {
    return UNKNOWN_ENROLLMENT;
  }
  return outcome.kind === 'accepted' && outcome.word === ENROLLED ? ENROLLED : UNSENT;
}

function readLine({ source, line, email, outcome, file }: SqlRow): OutcomeLine {
  return {
    source: Number(source),
    line: Number(line),
    email: String(email),
    outcome: String(outcome),
    file: file === null ? undefined : String(file),
  };
}

async function* csvText(lines: AsyncIterable<OutcomeLines> | Iterable<OutcomeLines>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const block of lines) {
    if (isFirst && block[0]) {
      yield `line,email,outcome${block[0].file === undefined ? '' : ',file'}\n`;
      isFirst = false;
    }
    yield block.map(csvOfOutcome).join('');
  }
}

function csvOfOutcome({ line, email, outcome, file }: OutcomeLine): string {
  return `${line},${spreadsheetSafeCell(email)},${csvLine([outcome, ...(file === undefined ? [] : [file])], ',')}\n`;
}
