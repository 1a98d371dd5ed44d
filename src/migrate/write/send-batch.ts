import { contactBatchKey, isUnsubscribed, postContactBatch } from '../../api/resources/contacts.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import type { RowList, RowPosition } from '../../base/lib/rows.ts';
import { joinAtMost, plural, terminalSafe } from '../../base/lib/text.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import { lacksResponseUnder, type SendResult } from '../../sending/record-and-send.ts';
import { personKey } from '../../wire/person-key.ts';
import type { BatchResponse } from '../../wire/shapes.ts';
import { compareContact, compareOptOut } from '../compare/compare-contact.ts';
import { lookUpContact } from '../compare/look-up.ts';
import type { WriteContext } from '../run-data/run-context.ts';
import { noteUnnamedFailures, readBatchResponse, withoutUncountedRows } from './batch-response.ts';
import { forgetAcceptedContent, type IsAccepted, recordAcceptedPeople } from './ledger-writes.ts';
import { type RecordedWrite, refuseUnsent, sendRecorded } from './send-and-bisect.ts';

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

interface PeopleOfResponse {
  readonly accepted: readonly ContactItem[];
  readonly suppressed: readonly ContactItem[];
}

/** Sends a batch to an audience, unless the journal has its response. */
export type SendBatch = (context: WriteContext, audienceId: string, batch: OutgoingBatch) => Promise<SendResult>;

export const sendBatch: SendBatch = (context, audienceId, batch) =>
  sendRecorded(context, contactWrite(context, audienceId, batch));

const NO_SOURCE = -1;
const NAME_LENGTH = 12;

/** The contact that opts out a person who has no row in the list. `number`, from 1, is used as the line of the row. */
export function optOutWithoutRow(email: string, number: number): ContactItem {
  return { source: NO_SOURCE, line: number, contact: { email, status: 'unsubscribed' } };
}

/** Opts out people without a row in the list, and looks them up. Throws if people stay unsent (bisect budget spent). */
export async function sendOptOutsWithoutRow(
  context: WriteContext,
  audienceId: string,
  { kind, items, body }: Pick<OutgoingBatch, 'items' | 'body'> & { readonly kind: 'gone' | 'spelling' },
): Promise<OptOutsWithoutRow> {
  // A run with keys of its own (`keySuffix`) sends another request, which needs another name in the journal.
  const name = [kind, ...(context.keySuffix ? [context.keySuffix] : []), sha256Hex(body).slice(0, NAME_LENGTH)].join(
    '.',
  );
  // Recorded, because a resume does not get the response again.
  const [acceptedNote, suppressedNote] = [`accepted.${name}`, `suppressed.${name}`];
  const recorded = <T>(note: string) => (context.journal.readNote(note) as readonly T[] | undefined) ?? [];
  const onResponse = ({ accepted, suppressed }: PeopleOfResponse) => {
    const lines = accepted.map(({ line }) => line);
    context.journal.writeNote(acceptedNote, [...recorded<number>(acceptedNote), ...lines]);
    const emails = suppressed.map(({ contact }) => contact.email);
    context.journal.writeNote(suppressedNote, [...recorded<string>(suppressedNote), ...emails]);
  };
  const hooks = { isCounted: () => false, onResponse, beforeAttempt: undefined };
  const batch: OutgoingBatch = { name, rows: items, items, body, bodyOf: undefined, op: undefined, ...hooks };
  refuseUnsent(context, (await sendBatch({ ...context, newAutomationGuard: undefined }, audienceId, batch)).unsent);
  const accepted = new Set(recorded<number>(acceptedNote));
  const emails = new Set(recorded<string>(suppressedNote));
  const suppressed = new Set(items.filter(({ contact }) => emails.has(contact.email)));
  const open = new Set<ContactItem>();
  for (const item of items.filter((one) => !suppressed.has(one))) {
    const found = await lookUpContact(context, audienceId, item.contact);
    const isRefused = !accepted.has(item.line) && found !== undefined && !isUnsubscribed(found);
    if (found?.status === 'subscribed' || isRefused) {
      open.add(item);
    }
  }
  noteStillSubscribed(context, items, open);
  return { open, suppressed };
}

interface OptOutsWithoutRow {
  /** People who may still get mail, because the service refused the opt-out. */
  readonly open: ReadonlySet<ContactItem>;
  /** People who are suppressed, so they get no mail. */
  readonly suppressed: ReadonlySet<ContactItem>;
}

const STILL_SUBSCRIBED_NOTE = 'open_beside_list';

/** Records which of these people are still subscribed, and removes the other people of `items` from the record. */
function noteStillSubscribed(
  { journal }: WriteContext,
  items: readonly ContactItem[],
  open: ReadonlySet<ContactItem>,
): void {
  const emailOf = ({ contact }: ContactItem) => contact.email;
  const sent = new Set(items.map(emailOf));
  journal.writeNote(STILL_SUBSCRIBED_NOTE, [
    ...stillSubscribed(journal).filter((email) => !sent.has(email)),
    ...Array.from(open, emailOf),
  ]);
}

function stillSubscribed(journal: WriteContext['journal']): readonly string[] {
  return (journal.readNote(STILL_SUBSCRIBED_NOTE) as readonly string[] | undefined) ?? [];
}

const MAX_NAMED = 3;

/** Throws (exit 3) if the service refused to opt out people who have no row in the list (F8, G6). */
export function refuseStillSubscribed({ journal }: Pick<WriteContext, 'journal'>): void {
  const open = stillSubscribed(journal);
  if (open.length > 0) {
    const who = `the service refused to unsubscribe ${plural(open.length, 'address', 'addresses')}`;
    throw new SvcError(EXIT.partial, 'opt_out_refused', `${who}: ${joinAtMost(open.map(terminalSafe), MAX_NAMED)}`, {
      hint: 'Unsubscribe them in the app. The next import of the list tries again.',
    });
  }
}

function contactWrite(context: WriteContext, audienceId: string, batch: OutgoingBatch): RecordedWrite<BatchResponse> {
  const { rows, name, body, op, isCounted, bodyOf = contactBody } = batch;
  const { client, keySuffix } = context;
  const request = { audienceId, body, keySuffix, op };
  const sharedKeyForVersion = contactBatchKey(client, { ...request, keySuffix: undefined });
  let accepts: IsAccepted = () => false;
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
    readResponse: async (value, replayed) => {
      const read = await readBatchResponse(value, { rows, replayed, isWritten });
      noteUnnamedFailures(context, name, read.unnamed);
      const { recorded } = read;
      accepts = read.accepts;
      batch.onResponse?.({
        accepted: batch.items.filter((_, index) => read.accepts(index)),
        suppressed: batch.items.filter((_, index) => read.isSuppressed(index)),
      });
      return isCounted ? withoutUncountedRows(recorded, rows, isCounted) : recorded;
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
      recordAcceptedPeople(
        context,
        batch,
        (index) => accepts(index) && !open.has(personKey(batch.items[index]!.contact.email)),
      );
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
