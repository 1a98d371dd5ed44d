import type { Chunk, ContactItem } from '../../import/types.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { OptOutCount } from './opt-out-count.ts';
import type { Witness } from './witnesses.ts';

/** What batches showed by fresh answers; a replay shows how an earlier run went, and writes nothing. */
export interface Shown {
  /** Somebody reads back as sent. */
  readonly fields: boolean;
  /** A new person without a status is subscribed. */
  readonly joins: boolean;
  /** Somebody who had left stays out. */
  readonly stays: boolean;
}

/** What run.db keeps of the batches sent alone. */
export interface FirstBatchNote {
  readonly verified: boolean;
  /** Where the batches went; absent in runs of older versions. */
  readonly audienceId?: string;
  /** The batch that was looked at last; a resume may not take another, its people are known as they were before it. */
  readonly chunk?: number;
  /** True once it was read back. */
  readonly looked?: boolean;
  readonly witnesses: readonly Witness[];
  /** Contacts that put people back who had left; absent in runs of older versions. */
  readonly gone?: readonly ContactItem[];
  readonly outs?: OptOutCount | undefined;
  readonly shown?: Shown;
  /** Somebody who left is in the list, so that it must be shown that they stay out. */
  readonly owesStay?: boolean;
  /** Who was found to be signed up again: the run is stopped for good. */
  readonly signedUp?: readonly string[];
  /** How many were, where only their number is known. */
  readonly lost?: number;
}

const NOTE = 'first_batch';
/** Before any batch. */
export const NOTHING_SHOWN: Shown = { fields: false, joins: false, stays: false };

/** The note of a run; undefined before its first batch. */
export function readNote(journal: Pick<Journal, 'read'>): FirstBatchNote | undefined {
  return journal.read(NOTE) as FirstBatchNote | undefined;
}

/** Keeps the note; on disk when this returns. */
export function keepNote(journal: Pick<Journal, 'note'>, note: FirstBatchNote): void {
  journal.note(NOTE, note);
}

/** Index of the chunk that goes first, once that is settled. */
export function chosenFirst(journal: Pick<Journal, 'read'>): number | undefined {
  return readNote(journal)?.chunk;
}

/** True for the batch whose people were looked at before a kill, and not after it. */
export function isUnread(journal: Pick<Journal, 'read'>, chunk: Chunk): boolean {
  const note = readNote(journal);
  return note?.chunk === chunk.index && note.looked !== true;
}

/** True where a batch of the run signed people of this audience up again who had left. */
export function signedPeopleUp(journal: Pick<Journal, 'read' | 'header'>, audienceId: string): boolean {
  const note = readNote(journal);
  return note?.signedUp !== undefined && (note.audienceId ?? journal.header.destination?.id) === audienceId;
}

/** True once somebody who had left stayed out: what the counts say of others is not this run's doing. */
export function staysShown(journal: Pick<Journal, 'read'>): boolean {
  return readNote(journal)?.shown?.stays === true;
}
