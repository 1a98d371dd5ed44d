import { canonicalEmail } from '../../api/resources/contacts.ts';
import { rowKey } from '../../base/lib/rows.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import { ALREADY_EXISTS_CODE, joinSendResults, NOTHING_SENT, type SendResult } from '../../sending/record-and-send.ts';
import { CANARY_NAME } from '../canary/canary-state.ts';
import type { WriteContext } from '../run-context.ts';
import { storeAddresses } from '../verify/look-up.ts';
import {
  MAX_PROOF_CANDIDATES,
  proveUpsertFalse,
  refuseDisprovenUpsertFalse,
  refuseOptedOutPeople,
} from './prove-upsert-false.ts';
import { type OutgoingBatch, type SendBatch, sendBatch } from './send-batch.ts';

/** True for an address that the audience had before this run wrote to it. */
export type WasInAudience = (email: string) => boolean;

const AUDIENCE_READ_NOTE = 'audience_read';

/**
 * Stores in run.db who is in the audience before the first write. Otherwise a resume would take its own new contacts
 * for existing contacts. Until the canary is sent, each process reads the audience again, because people join and
 * leave.
 */
export async function recordAudienceMembers(context: WriteContext, audienceId: string): Promise<WasInAudience> {
  const { db, requests } = context.journal;
  if (context.journal.readNote(AUDIENCE_READ_NOTE) !== true || !requests.stateOf(CANARY_NAME).isRecorded) {
    context.emit({ type: 'note', message: 'Reading the audience to find out which people are new.' });
    db.exec(
      'CREATE TABLE IF NOT EXISTS was_there (email TEXT PRIMARY KEY) STRICT, WITHOUT ROWID; DELETE FROM was_there',
    );
    await storeAddresses(context, audienceId, { table: 'was_there', addressOf: canonicalEmail });
    context.journal.writeNote(AUDIENCE_READ_NOTE, true);
  }
  const has = db.prepare('SELECT 1 FROM was_there WHERE email = ?');
  return (email) => has.get(email) !== undefined;
}

/**
 * Returns a function that sends a batch in two parts (--explicit-status). People who are not in the audience get
 * `upsert: false` and a status. svc proves that this changes no existing contact. Then all other people are sent as
 * usual, without `subscribed`. They include people who joined meanwhile. New people of the canary are not sent again,
 * because they may have opted out since.
 */
export function withExplicitStatus(wasThere: WasInAudience): SendBatch {
  return async (context, audienceId, batch) => {
    refuseDisprovenUpsertFalse(context);
    const { name, items, isCounted = () => true } = batch;
    const newItems = items.filter((item) => !wasThere(item.contact.email) && isCounted(item));
    const beforeAttempt = async (people: readonly ContactItem[]) => {
      await refuseOptedOutPeople(context, { audienceId, name, candidates: people });
      await batch.beforeAttempt?.(people);
    };
    const newPart = partOf(batch, { name: `${name}.new`, items: newItems, bodyOf: explicitBody });
    const sent = await sendIfAny(context, audienceId, { ...newPart, beforeAttempt });
    if (sent.unsent > 0) {
      // The second part depends on the outcomes of the first, so the resume sends it.
      return sent;
    }
    const alreadyThere = rowsAlreadyThere(context);
    await proveUpsertFalse(context, {
      audienceId,
      name,
      candidates: [...newItems, ...items].slice(0, MAX_PROOF_CANDIDATES),
    });
    const others = items.filter((item) => wasThere(item.contact.email) || alreadyThere.has(rowKey(item)));
    const rest = await sendIfAny(
      context,
      audienceId,
      partOf(batch, { name: `${name}.old`, items: others, bodyOf: contactBody }),
    );
    return joinSendResults(sent, rest);
  };
}

interface BatchPart extends Pick<OutgoingBatch, 'name' | 'items'> {
  readonly bodyOf: NonNullable<OutgoingBatch['bodyOf']>;
}

function partOf(batch: OutgoingBatch, part: BatchPart): OutgoingBatch {
  return { ...batch, ...part, rows: part.items, body: part.bodyOf(part.items) };
}

async function sendIfAny(context: WriteContext, audienceId: string, part: OutgoingBatch): Promise<SendResult> {
  return part.items.length === 0 ? NOTHING_SENT : sendBatch(context, audienceId, part);
}

function rowsAlreadyThere(context: WriteContext): ReadonlySet<string> {
  if (context.journal.counts().failed[ALREADY_EXISTS_CODE] === undefined) {
    return new Set();
  }
  return new Set(
    [...context.journal.requests.failures()].filter((failure) => failure.code === ALREADY_EXISTS_CODE).map(rowKey),
  );
}

function explicitBody(items: readonly ContactItem[]): Buffer {
  const contacts = items.map(({ contact }) => ({ ...contact, status: contact.status ?? ('subscribed' as const) }));
  return Buffer.from(JSON.stringify({ upsert: false, contacts }));
}
