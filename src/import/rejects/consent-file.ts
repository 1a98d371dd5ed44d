import { csvCell } from '../../base/lib/text.ts';
import type { People, StagedRow } from '../../runs/store/people.ts';
import { spreadsheetSafeCell } from '../csv/csv-text.ts';
import type { RereadableSurvey } from '../survey/survey-types.ts';

/**
 * The lines of consent.csv. It keeps the opt-out dates, because a suppression in the service has no date. Columns:
 * address, state, date, file, line.
 */
export function* consentLines(reading: Pick<RereadableSurvey, 'tables'>, people: People): Generator<string> {
  const nameByInput = new Map(reading.tables.map(({ source, name }) => [source.index, name]));
  for (const row of people.datedSuppressions()) {
    yield `${cellsOf(row, nameByInput.get(row.source) ?? '').join(',')}\n`;
  }
}

/** Yields the header of consent.csv and then the lines of all parts. Yields nothing if there are no lines. */
export async function* withConsentHeader(
  ...parts: readonly (Iterable<string> | AsyncIterable<string>)[]
): AsyncGenerator<string> {
  let head = 'address,state,date,file,line\n';
  for (const lines of parts) {
    for await (const line of lines) {
      yield `${head}${line}`;
      head = '';
    }
  }
}

/** The line of a person who opted out. `file` is empty if the date is not from the list. */
export function consentLine(optOut: Readonly<Record<'email' | 'optOutDate' | 'file' | 'line', string>>): string {
  const { email, optOutDate: date, file, line } = optOut;
  return `${spreadsheetSafeCell(email)},unsubscribed,${csvCell(date, ',')},${csvCell(file, ',')},${line}\n`;
}

function cellsOf({ email, state, optOutDate: date, line }: StagedRow, file: string): readonly string[] {
  return [spreadsheetSafeCell(email), state, date ?? '', csvCell(file, ','), String(line)];
}
