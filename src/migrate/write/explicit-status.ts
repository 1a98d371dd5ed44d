import { canonicalEmail, contactBatchKey, postContactBatch } from '../../api/resources/contacts.ts';
import { isExpired } from '../../api/retry/key-expiry.ts';
import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import { EMPTY_ANSWER } from '../../runs/store/recorded-request.ts';
import type { BatchResponse } from '../../wire/shapes.ts';
import type { WriteContext } from '../run-context.ts';
import { lookUp, storeAddresses } from '../verify/look-up.ts';
import { readBatchResponse } from './batch-response.ts';
import { ALREADY_THERE, joinResults, NOTHING_SENT, type SendResult } from './record-and-send.ts';
import { type RecordedWrite, sendRecorded } from './send-and-bisect.ts';
import { type Batch, type SendBatch, sendBatch } from './send-batch.ts';

/** True for an address that was in the audience before this run wrote to it. */
export type WasInAudience = (email: string) => boolean;

const READ = 'audience_read';

/** Stores who is in the audience before the first write. A resume must not take new contacts for existing ones. */
export async function readAudience(context: WriteContext, audienceId: string): Promise<WasInAudience> {
  const { db } = context.journal;
  if (context.journal.read(READ) !== true) {
    context.emit({ type: 'note', message: 'Reading the audience to find out which people are new.' });
    db.exec(
      'CREATE TABLE IF NOT EXISTS was_there (email TEXT PRIMARY KEY) STRICT, WITHOUT ROWID; DELETE FROM was_there',
    );
    await storeAddresses(context, audienceId, { table: 'was_there', addressOf: canonicalEmail });
    context.journal.note(READ, true);
  }
  const has = db.prepare('SELECT 1 FROM was_there WHERE email = ?');
  return (email) => has.get(email) !== undefined;
}

/**
 * Sends batches in two parts (--explicit-status). New people get `upsert: false` and their status. This cannot change
 * existing people, which the canary proves. Existing people, and people who joined meanwhile, are sent as usual,
 * without `subscribed`. New people of the canary are not sent again, because they may have left since.
 */
export function withExplicitStatus(wasThere: WasInAudience): SendBatch {
  return async (context, audienceId, batch) => {
    refuseUpsertChanges(context);
    const { name, items, counts = () => true } = batch;
    const fresh = items.filter((item) => !wasThere(item.contact.email) && counts(item));
    const proof = { audienceId, name, candidates: [...fresh, ...items] };
    const part = partOf(batch, { name: `${name}.new`, items: fresh, bodyOf: explicitBody });
    const beforeRepeat = (firstSentAt: number) => proveBeforeRepeat(context, proof, { fresh, firstSentAt });
    const sent = await sendSome(context, audienceId, { ...part, beforeRepeat });
    const met = metRows(context);
    await proveUpsertFalse(context, proof);
    const others = items.filter((item) => wasThere(item.contact.email) || met.has(rowKey(item)));
    const rest = await sendSome(
      context,
      audienceId,
      partOf(batch, { name: `${name}.old`, items: others, bodyOf: contactBody }),
    );
    return joinResults(sent, rest);
  };
}

function partOf(batch: Batch, part: Required<Pick<Batch, 'name' | 'items' | 'bodyOf'>>): Batch {
  return { ...batch, ...part, rows: part.items, body: part.bodyOf(part.items) };
}

async function sendSome(context: WriteContext, audienceId: string, part: Batch): Promise<SendResult> {
  return part.items.length === 0 ? NOTHING_SENT : sendBatch(context, audienceId, part);
}

function metRows(context: WriteContext): ReadonlySet<string> {
  if (context.journal.counts().failed[ALREADY_THERE] === undefined) {
    return new Set();
  }
  return new Set(
    [...context.journal.requests.failures()].filter((failure) => failure.code === ALREADY_THERE).map(rowKey),
  );
}

function explicitBody(items: readonly ContactItem[]): Buffer {
  const contacts = items.map(({ contact }) => ({ ...contact, status: contact.status ?? ('subscribed' as const) }));
  return Buffer.from(JSON.stringify({ upsert: false, contacts }));
}

/** The note in the journal once it is known whether `upsert: false` leaves existing people as they are. */
const PROVEN = 'upsert_false';
/** The recorded word of a response that shows a change. */
const UPDATED = 'updated';

// Each candidate costs a look-up.
const CANDIDATES = 4;

/** True until it is proven that `upsert: false` changes no existing person. Until then, batches go alone. */
export function mustProveUpsertFalse({ journal, options }: Pick<WriteContext, 'journal' | 'options'>): boolean {
  return options.explicitStatus && journal.read(PROVEN) !== true;
}

/** Where to make the proof. `name` is the batch with the candidates. */
interface Proof {
  readonly audienceId: string;
  readonly name: string;
  readonly candidates: readonly ContactItem[];
}

/**
 * Proves that a contact sent with `upsert: false` does not change an existing contact. The service document does not
 * say so. Without this proof, svc could sign up a person again who joins and opts out after the audience was read (C1).
 * The proof sends one subscribed person of the audience, without `subscribed`, so it can do no harm. If this person is
 * suppressed meanwhile, the response proves nothing, so the next person is sent.
 */
async function proveUpsertFalse(context: WriteContext, { audienceId, name, candidates }: Proof): Promise<void> {
  if (!mustProveUpsertFalse(context)) {
    return;
  }
  for (const item of candidates.slice(0, CANDIDATES)) {
    if ((await lookUp(context, audienceId, item.contact))?.status !== 'subscribed') {
      continue;
    }
    const requestName = `${name}.upsert.${rowKey(item)}`;
    await sendRecorded(context, proofWrite(context, { audienceId, name: requestName, item }));
    const word = context.journal.requests.find('contacts', requestName)?.answer?.word;
    if (word === UPDATED || word === ALREADY_THERE) {
      context.journal.note(PROVEN, word === ALREADY_THERE);
      return refuseUpsertChanges(context);
    }
  }
}

/** New people whose request is sent again, and when it was first sent, by the service's clock. */
interface Repeat {
  readonly fresh: readonly ContactItem[];
  readonly firstSentAt: number;
}

/**
 * Makes the proof before new people are written a second time. The service forgets a key after a day (I6), so a request
 * whose response was lost is a new one then, and these people may have left since. Stops the run if nobody can show the
 * proof. A new run finds these people in the audience, so it doesn't send them as `subscribed`.
 */
async function proveBeforeRepeat(context: WriteContext, proof: Proof, { fresh, firstSentAt }: Repeat): Promise<void> {
  const { client, retype, options } = context;
  if (!isExpired('repeatable', client.serverNow() - firstSentAt)) {
    return;
  }
  await proveUpsertFalse(context, proof);
  if (mustProveUpsertFalse(context) && (await isAnyThere(context, { ...proof, candidates: fresh }))) {
    const message =
      'the response to some new people is unknown, and the people of it who are in the audience have left';
    const command = retype?.(options.again ? '' : '--again') ?? 'the same command with --again';
    throw new SvcError(EXIT.stopped, 'in_doubt', message, { hint: `A new run reads the audience again:\n${command}` });
  }
}

async function isAnyThere(context: WriteContext, { audienceId, candidates }: Proof): Promise<boolean> {
  for (const { contact } of candidates.slice(0, CANDIDATES)) {
    if (await lookUp(context, audienceId, contact)) {
      return true;
    }
  }
  return false;
}

/** Stops a run, and each resume of it, once it is proven that `upsert: false` changes existing people. */
function refuseUpsertChanges({ journal }: WriteContext): void {
  if (journal.read(PROVEN) === false) {
    throw new SvcError(
      EXIT.unverified,
      'first_batch',
      'the service changes people who are in the audience, although svc sends upsert: false',
      {
        hint: 'Nothing more is sent. With --explicit-status, people who leave during the import would be signed up again. Import without --explicit-status.',
      },
    );
  }
}

/** Its row does not count, because the batch records the outcome of the row. */
function proofWrite(
  context: WriteContext,
  { audienceId, name, item }: { readonly audienceId: string; readonly name: string; readonly item: ContactItem },
): RecordedWrite<BatchResponse> {
  const { client, again } = context;
  const body = Buffer.from(JSON.stringify({ upsert: false, contacts: [item.contact] }));
  const request = { audienceId, body, again, op: 'upsert' } as const;
  const write: RecordedWrite<BatchResponse> = {
    kind: 'contacts',
    name,
    rows: [item],
    counts: () => false,
    keyForVersion: contactBatchKey(client, request),
    post: (sendOptions) => postContactBatch(client, request, sendOptions),
    readResponse: async (value, replayed) => {
      const isThere = () => Promise.resolve(true);
      const batch = { rows: [item], replayed, addressAt: () => item.contact.email, isThere };
      const { recorded } = await readBatchResponse(value, batch);
      const word = recorded.failures[0]?.code ?? (recorded.updated > 0 ? UPDATED : 'created');
      return { ...EMPTY_ANSWER, status: 200, replayed, word };
    },
    // A request with one row is never bisected.
    part: () => write,
  };
  return write;
}
