import type { Journal } from '../../runs/store/journal.ts';
import type { RecordedRequest } from '../../runs/store/recorded-request.ts';

const LAST_REQUEST_OF_PREVIOUS_KEY_NOTE = 'other_key';

/**
 * Called on a resume, which may use another API key. The service does not recognize earlier requests under another key,
 * so those with an unknown outcome are not repeated (K4). Records the last request of the old key, then the new key.
 */
export function recordKeyChange(journal: Journal, keyFingerprint: string): void {
  if (journal.header.keyFingerprint !== keyFingerprint) {
    const last = journal.db.prepare('SELECT MAX(id) AS id FROM units').get()?.id;
    journal.writeNote(LAST_REQUEST_OF_PREVIOUS_KEY_NOTE, Number(last ?? 0));
    journal.amendHeader({ keyFingerprint });
  }
}

/** True for a request that was sent before the run continued with another API key. */
export function wasSentWithPreviousKey(journal: Journal, { id }: RecordedRequest): boolean {
  const last = journal.readNote(LAST_REQUEST_OF_PREVIOUS_KEY_NOTE);
  return typeof last === 'number' && id <= last;
}
