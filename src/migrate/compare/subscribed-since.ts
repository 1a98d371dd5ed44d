import type { Finding } from '../../base/finding.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';

type Notes = Pick<WriteContext['journal'], 'readNote' | 'writeNote'>;

/** The name of a note in run.db: the messages about people who were not subscribed before, and are now. */
const SUBSCRIBED_SINCE_NOTE = 'subscribed_since';

/**
 * Tells the user about people who are subscribed now and were not before. The report keeps the message, because with
 * --json and --quiet no note is shown.
 */
export function noteSubscribedSince(
  { journal, emit }: Pick<WriteContext, 'emit'> & { journal: Notes },
  message: string,
) {
  journal.writeNote(SUBSCRIBED_SINCE_NOTE, [...new Set([...messagesIn(journal), message])]);
  emit({ type: 'note', message });
}

/** The findings about people who are subscribed now and were not before. */
export function subscribedSinceFindings(journal: Pick<Notes, 'readNote'>): Finding[] {
  return messagesIn(journal).map((message) => ({ check: 'subscribed_since', level: 'warn', message }));
}

function messagesIn(journal: Pick<Notes, 'readNote'>): readonly string[] {
  return (journal.readNote(SUBSCRIBED_SINCE_NOTE) as readonly string[] | undefined) ?? [];
}
