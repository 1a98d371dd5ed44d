import type { ListBatch, OpenBatches } from '../types.ts';
import { startBatchThread } from './batch-thread.ts';
import { contactTexts } from './contact-text.ts';
import { textBatches } from './cut-batches.ts';
import type { Surveyed } from './last-read.ts';
import type { ListLocation } from './reopen-list.ts';

/** The batches of a list that was surveyed: the same ones, byte for byte, in every reading. */
export interface Batches {
  /** Reads as far as the chunks are asked for. */
  look(): AsyncIterable<ListBatch>;
  /** For the sending, where all of them are needed: may read ahead from now on. */
  open(): OpenBatches;
}

/** A list that was surveyed; up to `size` contacts go into a batch. */
export interface BatchSource extends Surveyed {
  readonly place: ListLocation;
  /** People who will be written as contacts. */
  readonly contacts: number;
  readonly size: number | undefined;
  readonly signal: AbortSignal;
}

/** Fewer contacts are read sooner than a thread starts. */
const WORTH_A_THREAD = 50_000;

/** The batches of a list. A long one is read by a thread of its own while this one sends. */
export function batchesOf(list: BatchSource): Batches {
  const { reading, people, place, size, signal } = list;
  const look = () => textBatches(contactTexts(reading, people, { signal }), { size });
  return {
    look,
    open: () => (list.contacts < WORTH_A_THREAD ? pulled(look()) : startBatchThread({ ...place, size }, signal)),
  };
}

/** Batches that are read when they are asked for. */
export function pulled(chunks: AsyncGenerator<ListBatch>): OpenBatches {
  return { chunks, close: () => chunks.return(undefined) };
}
