import { memoize } from '../../base/lib/memoize.ts';
import { type RowPosition, rowKey } from '../../base/lib/rows.ts';
import type { ContactItem } from '../../import/batch/cut-batches.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { isSentInParts, partsOf, rowsAlreadyThere } from '../write/explicit-status.ts';
import { withStoredSpellings } from '../write/known-spelling.ts';
import { hadNoEffect, namesOfRequests } from '../write/send-and-bisect.ts';
import type { OutgoingBatch } from '../write/send-batch.ts';
import { readAudienceMembers } from './audience-members.ts';

type SentBatch = Pick<OutgoingBatch, 'name' | 'items'> & Partial<Pick<OutgoingBatch, 'isCounted'>>;
type RowTest = (row: RowPosition) => boolean;
type ReadJournal = Pick<Journal, 'counts' | 'db' | 'readNote' | 'requests'>;

/**
 * Returns a function that says if a request may have written a person of a batch, or of the canary. False only if svc
 * knows that no request with this person had an effect. With --explicit-status a batch is sent in parts, and a refused
 * request is sent again in halves. If this version of svc reads the list differently, it does not know who was in which
 * request. Then the result is the same for each person: true if any request of the batch may have had an effect.
 */
export function createWrittenTest(journal: ReadJournal, { name, items, isCounted }: SentBatch): RowTest {
  const batch = { name, isCounted, items: withStoredSpellings(journal, { name, items }) };
  const sent = isSentInParts(journal, name) ? sentParts(journal, batch) : [batch];
  const { requests } = journal;
  if (sent.some((part) => isReadDifferently(journal, part))) {
    return () => requests.stateOf(name).mayHaveEffect;
  }
  const written = new Set(sent.flatMap((part) => writtenRows(journal, part)));
  return (row) => written.has(rowKey(row));
}

interface SentRequest extends SentBatch {
  /** The rows that the request certainly did not write, although it had an effect. */
  readonly refused?: ReadonlySet<string>;
}

function sentParts(journal: ReadJournal, batch: SentBatch): SentRequest[] {
  const { newPart, oldPart, laterPart } = partsOf(journal, batch, readAudienceMembers(journal));
  // The service refused these people in the first part, because it had their contacts already. So that part did not
  // write them.
  const hasResponse = !journal.requests.stateOf(newPart.name).isOpen;
  const first = hasResponse ? { ...newPart, refused: rowsAlreadyThere(journal) } : newPart;
  return [first, oldPart, laterPart].map((part) => ({ ...part, isCounted: batch.isCounted }));
}

/** True if the request was sent with other rows than `items`. svc sees this only if the number of rows differs. */
function isReadDifferently({ requests }: ReadJournal, { name, items, isCounted = () => true }: SentBatch): boolean {
  const recorded = requests.find('contacts', name);
  return recorded !== undefined && recorded.rows !== items.filter(isCounted).length;
}

/** The rows that a request, or one of its halves, may have written. */
function writtenRows({ requests }: ReadJournal, { name, items, refused }: SentRequest): string[] {
  const mayHaveEffect = memoize((half: string) => !hadNoEffect(requests.find('contacts', half)));
  const mayBeWritten = (_: ContactItem, index: number) =>
    namesOfRequests(name, index, items.length).some(mayHaveEffect);
  return items
    .filter(mayBeWritten)
    .map(rowKey)
    .filter((row) => !refused?.has(row));
}
