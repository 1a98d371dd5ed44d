import type { Chunk, ContactItem } from '../../import/types.ts';
import type { Contact } from '../../wire/shapes.ts';
import type { Announce } from '../stage.ts';
import type { Work } from '../work.ts';
import { type Delivered, refuseUnsent } from '../write/deliver.ts';
import { type SendChunk, wasSent } from '../write/send-chunk.ts';
import { type FirstBatchNote, isUnread, keepNote, NOTHING_SHOWN, readNote, type Shown } from './first-batch-note.ts';
import { countOptOuts } from './opt-out-count.ts';
import { putBack, readBack } from './read-back.ts';
import { chooseWitnesses } from './witnesses.ts';

/** Where batches go first, and what they have to show. */
export interface FirstBatches {
  readonly audienceId: string;
  /** People who left the audience before, by address. */
  readonly left: ReadonlyMap<string, Contact>;
  readonly send: SendChunk;
  /** False where every row of the list says that the person left. */
  readonly joins: boolean;
  /** True where people are out of the audience whom nobody looked at. */
  readonly othersLeft: boolean;
  readonly announce: Announce;
}

/** Sends batches alone until one of them has shown what the others rely on. */
export interface Proving {
  /** True once batches may go out a few at a time. */
  readonly done: boolean;
  send(chunk: Chunk): Promise<Delivered>;
}

/**
 * The service drops unknown fields in silence and its document doesn't say what an omitted status becomes. So batches go
 * alone, and people of them are looked at before and after, until a fresh answer has shown both. A difference stops the run
 * after one batch instead of after a million rows.
 */
export function createProving(work: Work, place: FirstBatches): Proving {
  // After a batch that surely wrote nobody new, the next one isn't likely to show more: nobody of it is looked at before.
  let telling = true;
  return {
    get done() {
      return readNote(work.journal)?.verified === true;
    },
    send: async (chunk) => {
      const unread = isUnread(work.journal, chunk);
      const closely = unread || telling || owesTo(work, place, chunk);
      const passed = !unread && wasSent(work, chunk);
      const sent = await (passed
        ? place.send(work, place.audienceId, chunk)
        : examine(work, place, { chunk, closely }));
      refuseUnsent(work, sent.unsent);
      telling = sent.created > 0 || sent.afterLost;
      return sent;
    },
  };
}

/** True for a batch with somebody who left, while nothing shows yet that they stay out. */
function owesTo(work: Work, place: FirstBatches, chunk: Chunk): boolean {
  const note = readNote(work.journal);
  return note?.owesStay === true && note.shown?.stays !== true && goneOf(chunk, place.left).length > 0;
}

interface Examined {
  readonly chunk: Chunk;
  /** False where only those who turn out to be new are looked at, once the batch was written. */
  readonly closely: boolean;
}

async function examine(work: Work, place: FirstBatches, { chunk, closely }: Examined): Promise<Delivered> {
  const { audienceId } = place;
  if (closely) {
    place.announce('first_batch', chunk.items.length);
  }
  // After a kill the people are judged by how they were before the batch, which only the journal still knows.
  const note = isUnread(work.journal, chunk)
    ? readNote(work.journal)!
    : await lookBefore(work, place, { chunk, closely });
  keepNote(work.journal, note);
  const sent = await place.send(work, audienceId, chunk);
  // Reading the batch back proves nothing while some of its people are not sent.
  refuseUnsent(work, sent.unsent);
  if (sent.created > 0) {
    place.announce('first_batch', chunk.items.length);
  }
  if (note.signedUp) {
    // They were put back since, which must not pass for proof that nobody is signed up again.
    await putBack(work, audienceId, { ...note, signedUp: note.signedUp });
  }
  const shown = joinShown(
    note.shown ?? NOTHING_SHOWN,
    await readBack(work, audienceId, { note, items: chunk.items, sent }),
  );
  const verified = shown.fields && (shown.joins || !place.joins) && (shown.stays || note.owesStay !== true);
  keepNote(work.journal, {
    verified,
    chunk: chunk.index,
    looked: true,
    witnesses: [],
    shown,
    owesStay: note.owesStay ?? false,
  });
  return sent;
}

async function lookBefore(work: Work, place: FirstBatches, { chunk, closely }: Examined): Promise<FirstBatchNote> {
  const { audienceId } = place;
  const { shown = NOTHING_SHOWN, owesStay = false } = readNote(work.journal) ?? {};
  const start = { verified: false, audienceId, chunk: chunk.index, shown };
  if (!closely) {
    return { ...start, witnesses: [], owesStay };
  }
  const gone = goneOf(chunk, place.left);
  const counts = place.othersLeft && gone.length === 0 && !shown.stays;
  return {
    ...start,
    witnesses: await chooseWitnesses(work, audienceId, { items: chunk.items, gone }),
    gone,
    outs: counts ? await countOptOuts(work, audienceId, chunk) : undefined,
    owesStay: owesStay || gone.length > 0,
  };
}

/** The people of a batch who had left before it and are sent without a status, as they are put back if need be. */
function goneOf({ items }: Chunk, left: FirstBatches['left']): ContactItem[] {
  return items.filter(isGone(left)).map(({ source, line, contact }) => {
    const at = left.get(contact.email)?.unsubscribed_at;
    return {
      source,
      line,
      contact: { email: contact.email, status: 'unsubscribed', ...(at && { unsubscribed_at: at }) },
    };
  });
}

/** Whether a person had left and is sent without a status. */
export function isGone(left: FirstBatches['left']): (item: ContactItem) => boolean {
  return ({ contact }) => contact.status === undefined && left.has(contact.email);
}

function joinShown(a: Shown, b: Shown): Shown {
  return { fields: a.fields || b.fields, joins: a.joins || b.joins, stays: a.stays || b.stays };
}
