import type { Journal } from '../runs/store/journal.ts';
import type { Unit } from '../runs/store/recorded-request.ts';

const NOTE = 'other_key';

/**
 * A run may go on with another key, but what is in doubt under the old one is not repeated: the service can't tell that
 * it is the same request (rule K4). Notes up to which unit that holds, then takes the new key.
 */
export function takeKey(journal: Journal, keyFingerprint: string): void {
  if (journal.header.keyFingerprint !== keyFingerprint) {
    const last = journal.db.prepare('SELECT MAX(id) AS id FROM units').get()?.id;
    journal.note(NOTE, Number(last ?? 0));
    journal.amend({ keyFingerprint });
  }
}

/** True for a unit that was begun before the key was changed. */
export function isOfAnotherKey(journal: Journal, { id }: Unit): boolean {
  const last = journal.read(NOTE);
  return typeof last === 'number' && id <= last;
}
