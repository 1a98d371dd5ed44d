import { contactBatchKey, postContactBatch } from '../../api/resources/contacts.ts';
import type { RowList, RowPosition } from '../../base/lib/rows.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { lacksResponseUnder, type SendResult } from '../../sending/record-and-send.ts';
import { personKey } from '../../wire/person-key.ts';
import type { BatchResponse } from '../../wire/shapes.ts';
import { compareContact, compareOptOut } from '../compare/compare-contact.ts';
import { lookUpContact } from '../compare/look-up.ts';
import { noteDatesAtRisk } from '../compare/lost-dates.ts';
import { noteUnnamedFailures, readBatchResponse, withoutUncountedRows } from './batch-response.ts';
import { forgetAcceptedContent, type PersonOutcomes, recordAcceptedPeople } from './ledger-writes.ts';
import { type RecordedWrite, sendRecorded } from './send-and-bisect.ts';
import { stillSubscribed } from './still-subscribed.ts';

/** Contacts to send in one request. */
export interface OutgoingBatch {
  /** The name of the request in the journal. */
  readonly name: string;
  readonly rows: RowList;
  readonly items: readonly ContactItem[];
  readonly body: Buffer;
  /** Makes the body for a part of the batch; by default `contactBody`. */
  readonly bodyOf: ((items: readonly ContactItem[]) => Buffer) | undefined;
  /** False for a row whose outcome another request records. Undefined if every row counts. */
  readonly isCounted: ((row: RowPosition) => boolean) | undefined;
  /** A word in the idempotency key of the canary, because the canary and a batch may have the same bytes. */
  readonly op: 'canary' | undefined;
  /**
   * Called with the people of a response, before it is recorded. People whom the service refused for another reason
   * than a suppression are in neither list.
   */
  readonly onResponse: ((people: PeopleOfResponse) => void) | undefined;
  /** Called before each attempt, with the people of the request. If it throws, this attempt is not sent. */
  readonly beforeAttempt: ((items: readonly ContactItem[]) => Promise<void>) | undefined;
}

export interface PeopleOfResponse {
  readonly accepted: readonly ContactItem[];
  readonly suppressed: readonly ContactItem[];
}

/** Sends a batch to an audience, unless the journal has its response. */
export type SendBatch = (context: WriteContext, audienceId: string, batch: OutgoingBatch) => Promise<SendResult>;

export const sendBatch: SendBatch = (context, audienceId, batch) =>
  sendRecorded(context, contactWrite(context, audienceId, batch));

function contactWrite(context: WriteContext, audienceId: string, batch: OutgoingBatch): RecordedWrite<BatchResponse> {
  const { rows, name, body, op, isCounted, bodyOf = contactBody } = batch;
  const { client, keySuffix } = context;
  const request = { audienceId, body, keySuffix, op };
  const sharedKeyForVersion = contactBatchKey(client, { ...request, keySuffix: undefined });
  let outcomes: PersonOutcomes = { accepts: () => false, isSuppressed: () => false };
  const isWritten = async (index: number) => {
    const { contact } = batch.items[index]!;
    const found = await lookUpContact(context, audienceId, contact);
    return found !== undefined && [...compareContact(contact, found), ...compareOptOut(contact, found)].length === 0;
  };
  return {
    kind: 'contacts',
    name,
    rows,
    isCounted,
    keyForVersion:
      keySuffix !== undefined &&
      lacksResponseUnder(context.journal.requests.find('contacts', name), sharedKeyForVersion)
        ? sharedKeyForVersion
        : contactBatchKey(client, request),
    sharedKeyForVersion,
    post: (sendOptions) => postContactBatch(client, request, sendOptions),
    readResponse: async (value, replayed, isAfterLostResponse) => {
      const read = await readBatchResponse(value, { rows, replayed, isWritten });
      noteUnnamedFailures(context, name, read.unnamed);
      const { recorded } = read;
      outcomes = read;
      batch.onResponse?.({
        accepted: batch.items.filter((_, index) => read.accepts(index)),
        suppressed: batch.items.filter((_, index) => read.isSuppressed(index)),
      });
      const counted = isCounted ? withoutUncountedRows(recorded, rows, isCounted) : recorded;
      noteDatesAtRisk(context.journal, batch, {
        // A replay may describe an update, but not after a lost response: then it describes the write of this run.
        mayHaveUpdated: counted.updated > 0 || (replayed && !isAfterLostResponse),
        suppressed: counted.alreadySuppressed,
        isSuppressed: read.isSuppressed,
      });
      return counted;
    },
    beforeSending: () => forgetAcceptedContent(context, batch),
    beforeAttempt: async () => {
      await batch.beforeAttempt?.(batch.items);
      await context.newAutomationGuard?.refuseNew();
    },
    isStale: context.newAutomationGuard?.isStale,
    afterWrite: () => {
      // If another contact of the person is still subscribed, the ledger does not record the person (G2). So the next
      // run sends this person again.
      const open = new Set(stillSubscribed(context.journal).map(personKey));
      recordAcceptedPeople(context, batch, {
        accepts: (index) => outcomes.accepts(index) && !open.has(personKey(batch.items[index]!.contact.email)),
        isSuppressed: outcomes.isSuppressed,
      });
    },
    part: (from, to, partName) => {
      const half = batch.items.slice(from, to);
      return contactWrite(context, audienceId, {
        ...batch,
        name: partName,
        rows: half,
        items: half,
        body: bodyOf(half),
      });
    },
  };
}
