import { csvCell, spreadsheetSafeCell } from '../../base/lib/text.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import { ROLLED_BACK_DATES_NOTE } from '../../runs/find/run-status.ts';
import type { People, StagedRow } from '../../runs/people/people.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { mayHaveLostDates } from '../compare/lost-dates.ts';

type Notes = Pick<Journal, 'readNote' | 'writeNote'>;

/**
 * The lines of consent.csv for suppressed people: address, state, date, file, line. The file keeps their opt-out dates,
 * because a suppression in the service has no date.
 */
export function* consentLines(survey: Pick<RereadableSurvey, 'tables'>, people: People): Generator<string> {
  const nameByInput = new Map(survey.tables.map(({ source, name }) => [source.index, name]));
  for (const row of people.datedSuppressions()) {
    yield `${cellsOf(row, nameByInput.get(row.source) ?? '').join(',')}\n`;
  }
}

/** Yields the header of consent.csv, then the lines of all parts. Without lines it yields nothing. */
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
function consentLine(optOut: Readonly<Record<'email' | 'optOutDate' | 'file' | 'line', string>>): string {
  const { email, optOutDate: date, file, line } = optOut;
  return `${spreadsheetSafeCell(email)},unsubscribed,${csvCell(date, ',')},${csvCell(file, ',')},${line}\n`;
}

function cellsOf({ email, state, optOutDate: date, line }: StagedRow, file: string): readonly string[] {
  return [spreadsheetSafeCell(email), state, date ?? '', csvCell(file, ','), String(line)];
}

/** Records the opt-out dates of people whom svc opted out again, because the service may have replaced these dates. */
export function noteRolledBackDates(journal: Notes, people: readonly ContactItem[]): void {
  const dates = people.map(({ contact }) => [contact.email, contact.unsubscribed_at]);
  journal.writeNote(ROLLED_BACK_DATES_NOTE, { ...rolledBack(journal), ...Object.fromEntries(dates) });
}

function rolledBack(journal: Notes): Readonly<Record<string, string>> {
  return (journal.readNote(ROLLED_BACK_DATES_NOTE) as Record<string, string> | undefined) ?? {};
}

/**
 * Yields lines of consent.csv: first the people whom svc opted out again. If the service has, or may have, other
 * opt-out dates than the list, also yields each opt-out of the list that has a date (C2).
 */
export async function* lostDateLines(
  journal: Notes,
  { tables }: Pick<RereadableSurvey, 'tables'>,
  readItems: () => AsyncIterable<ContactItem>,
): AsyncGenerator<string> {
  for (const [email, time] of Object.entries(rolledBack(journal))) {
    yield consentLine({ email, optOutDate: time, file: '', line: '' });
  }
  if (!mayHaveLostDates(journal)) {
    return;
  }
  const nameByInput = new Map(tables.map(({ source, name }) => [source.index, name]));
  for await (const { source, line, contact } of readItems()) {
    if (contact.unsubscribed_at !== undefined) {
      const file = nameByInput.get(source) ?? '';
      yield consentLine({ email: contact.email, optOutDate: contact.unsubscribed_at, file, line: String(line) });
    }
  }
}
