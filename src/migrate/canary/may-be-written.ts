import { type RowPosition, rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { partsOf, readAudienceMembers, rowsAlreadyThere } from '../write/explicit-status.ts';
import { withStoredSpellings } from '../write/known-spelling.ts';
import { hadNoEffect, namesOfRequests } from '../write/send-and-bisect.ts';
import type { OutgoingBatch } from '../write/send-batch.ts';

type SentBatch = Pick<OutgoingBatch, 'name' | 'items'> & Partial<Pick<OutgoingBatch, 'isCounted'>>;
type ReadJournal = Pick<Journal, 'counts' | 'db' | 'readNote' | 'requests'>;

/**
 * Returns a function that is true for a person of a batch, or of the canary, whom a request may have written. It is
 * false if svc knows that no request with this person had an effect. A batch may be sent in parts (--explicit-status).
 * A part, or a batch without parts, is sent in halves if the service refuses it.
 */
export function createWrittenTest(
  journal: ReadJournal,
  { name, items, isCounted }: SentBatch,
): (row: RowPosition) => boolean {
  const sent = { name, isCounted, items: withStoredSpellings(journal, { name, items }) };
  const isInParts = [`${name}.new`, `${name}.old`].some((part) => journal.requests.stateOf(part).isRecorded);
  const written = new Set(isInParts ? writtenRowsOfParts(journal, sent) : writtenRows(journal, sent));
  return (row) => written.has(rowKey(row));
}

function writtenRowsOfParts(journal: ReadJournal, sent: SentBatch): string[] {
  const { newPart, oldPart, laterPart } = partsOf(journal, sent, readAudienceMembers(journal));
  // The first part writes no person whom the service refused there, because it has the contact.
  const isAnswered = !journal.requests.stateOf(newPart.name).isOpen;
  const refused = isAnswered ? rowsAlreadyThere(journal) : new Set<string>();
  return [
    ...writtenRows(journal, newPart).filter((row) => !refused.has(row)),
    ...writtenRows(journal, oldPart),
    ...writtenRows(journal, laterPart),
  ];
}

/** The rows that a request, or one of its halves, may have written. */
function writtenRows({ requests }: ReadJournal, { name, items }: SentBatch): string[] {
  const mayBeWritten = (_: ContactItem, index: number) =>
    namesOfRequests(name, index, items.length).some((half) => !hadNoEffect(requests.find('contacts', half)));
  return items.filter(mayBeWritten).map(rowKey);
}
