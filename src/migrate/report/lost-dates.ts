import type { ContactItem } from '../../import/batch/cut-batches.ts';
import { consentLine } from '../../import/rejects/consent-file.ts';
import type { RereadableSurvey } from '../../import/survey/survey-types.ts';
import type { Journal } from '../../runs/store/journal.ts';

/**
 * The part of the journal that records lost opt-out dates. The service document promises to keep dates for new contacts
 * only (C2). The run writes lost dates to consent.csv, because they prove when people left.
 */
type Notes = Pick<Journal, 'readNote' | 'writeNote'>;

const LOST_DATES_NOTE = 'lost_dates';
const ROLLED_BACK_DATES_NOTE = 'lost_dates_rolled_back';

/** Records that the opt-out dates of some people differ between the service and the list. */
export function noteLostDates(journal: Notes): void {
  journal.writeNote(LOST_DATES_NOTE, true);
}

/** Records the opt-out dates of people whom svc opted out again. The service may have replaced their dates. */
export function noteRolledBackDates(journal: Notes, people: readonly ContactItem[]): void {
  const dates = people.map(({ contact }) => [contact.email, contact.unsubscribed_at]);
  journal.writeNote(ROLLED_BACK_DATES_NOTE, { ...rolledBack(journal), ...Object.fromEntries(dates) });
}

function rolledBack(journal: Notes): Readonly<Record<string, string>> {
  return (journal.readNote(ROLLED_BACK_DATES_NOTE) as Record<string, string> | undefined) ?? {};
}

/**
 * Yields lines of consent.csv: first the people whom svc opted out again. If the service has other opt-out dates than
 * the list, it then yields each opt-out of the list that has a date.
 */
export async function* lostDateLines(
  journal: Notes,
  { tables }: Pick<RereadableSurvey, 'tables'>,
  readItems: () => AsyncIterable<ContactItem>,
): AsyncGenerator<string> {
  for (const [email, time] of Object.entries(rolledBack(journal))) {
    yield consentLine({ email, optOutDate: time, file: '', line: '' });
  }
  if (journal.readNote(LOST_DATES_NOTE) !== true) {
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
