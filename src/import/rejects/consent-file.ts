import { csvCell } from '../../base/lib/text.ts';
import type { People, StagedRow } from '../../runs/store/people.ts';
import { guardedCell } from '../csv/csv-text.ts';
import type { Reading } from '../survey/survey-types.ts';

/**
 * The text of consent.csv: opt-out dates, because a suppression in the service has no date. The columns are address,
 * state, date, source file and line. Without such dates there is no text.
 */
export function* consentLines(reading: Pick<Reading, 'tables'>, people: People): Generator<string> {
  const names = new Map(reading.tables.map(({ source, name }) => [source.index, name]));
  let head = 'address,state,date,file,line\n';
  for (const row of people.consent()) {
    yield `${head}${cellsOf(row, names.get(row.source) ?? '').join(',')}\n`;
    head = '';
  }
}

function cellsOf({ email, state, at, line }: StagedRow, file: string): readonly string[] {
  return [guardedCell(email), state, at ?? '', csvCell(file, ','), String(line)];
}
