import { openPrivateWriter, type PrivateWriter } from '../base/files.ts';
import { type Enrollee, fateOf } from '../import/batch/last-read.ts';
import { csvLine, guardedCell } from '../import/csv/csv-text.ts';
import { readTable } from '../import/csv/pipeline.ts';
import { skipReason } from '../import/dedupe/fold-people.ts';
import type { Table } from '../import/mapping/table.ts';
import { judge } from '../import/record/judge.ts';
import type { RawRow } from '../import/types.ts';
import { refusedRows, rowKey } from '../migrate/verify/refused-rows.ts';
import { ENROLLED, enrolledBefore, type Memory, UNKNOWN, UNSENT, unitOf } from './memory.ts';
import { type Listed, unitName } from './people.ts';
import { toldApart } from './rows.ts';

/** A person whom nobody knows to be enrolled or not, and the unit that asked. Kept in the journal for `runs resolve`. */
export interface Doubtful {
  readonly unit: string;
  readonly line: number;
  readonly email: string;
}

/** The files about people, and who is in doubt. */
export interface Outcomes {
  readonly files: { readonly outcomes?: string; readonly unknown?: string };
  readonly doubtful: readonly Doubtful[];
}

interface Places {
  readonly outcomes: string;
  readonly unknown: string;
}

/**
 * Writes outcomes.csv, everybody but the enrolled, and unknown.csv with those in doubt alone, in one more read of the list.
 * No file is made for nobody. With several inputs a fourth column names the input of the line.
 */
export async function writeOutcomes(listed: Listed, memory: Memory, places: Places): Promise<Outcomes> {
  const several = listed.survey.tables.length + (listed.typed.rows > 0 ? 1 : 0) > 1;
  const outcomes = createTable(places.outcomes, several);
  const unknown = createTable(places.unknown, several);
  const doubtful: Doubtful[] = [];
  try {
    for await (const line of lines(listed, memory)) {
      outcomes.write(line);
      if (line.outcome === UNKNOWN) {
        unknown.write(line);
        doubtful.push({ unit: unitName(line), line: line.line, email: line.email });
      }
    }
  } finally {
    outcomes.close();
    unknown.close();
  }
  const files = {
    ...(outcomes.rows > 0 ? { outcomes: places.outcomes } : {}),
    ...(unknown.rows > 0 ? { unknown: places.unknown } : {}),
  };
  return { files, doubtful };
}

interface Line extends Enrollee {
  readonly outcome: string;
  readonly file: string;
}

async function* lines(listed: Listed, memory: Memory): AsyncGenerator<Line> {
  const outcomeOf = createOutcome(memory);
  for (const table of listed.survey.tables) {
    for await (const rows of readTable(table, {})) {
      for (const row of rows) {
        const line = lineOf(listed, table, row);
        const outcome = line && (line.skipped ?? outcomeOf(line));
        if (line && outcome) {
          yield { ...line, outcome };
        }
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

/** A row as a person, with the reason where that person isn't sent; undefined for rows that stand for nobody. */
function lineOf({ survey, people }: Listed, table: Table, row: RawRow) {
  const judgement = judge(table, row);
  const fate = fateOf({ reading: survey, people }, judgement);
  const place = { source: table.source.index, line: row.line, file: table.name };
  if (fate.kind === 'rejected') {
    return { ...place, email: judgement.cells[table.places.email] ?? '', skipped: 'rejected' };
  }
  if (fate.kind !== 'person') {
    return undefined;
  }
  const skipped = fate.state === 'subscribed' ? undefined : (skipReason(fate.state, fate.why) ?? fate.state);
  return { ...place, email: fate.email, skipped };
}

/** What became of a person who may be enrolled; undefined for the enrolled. */
function createOutcome(memory: Memory): (person: Enrollee) => string | undefined {
  const failed = new Map([...memory.journal.units.failures()].map((failure) => [rowKey(failure), failure.code]));
  const refused = refusedRows(memory.journal);
  return (person) => {
    if (refused.has(rowKey(person))) {
      return failed.get(rowKey(person));
    }
    const unit = unitOf(memory.journal, person);
    switch (unit?.state) {
      case undefined:
        return enrolledBefore(memory, person) ? 'enrolled_before' : UNSENT;
      case 'done':
        return unit?.answer?.word === ENROLLED ? undefined : unit?.answer?.word && toldApart(unit.answer.word);
      case 'refused':
        return enrolledBefore(memory, person) ? 'enrolled_before' : UNSENT;
      default:
        return UNKNOWN;
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
