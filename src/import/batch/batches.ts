import { type OpenBatches, startBatchThread } from './batch-thread.ts';
import { contactTexts } from './contact-text.ts';
import { type ListBatch, textBatches } from './cut-batches.ts';
import { type Positions, withoutPositions } from './positions.ts';
import type { ListLocation } from './reread-list.ts';
import type { SurveyedList } from './row-outcome.ts';

export interface Batches {
  /** Reads only as far as batches are requested. */
  preview(): AsyncIterable<ListBatch>;
  /** For sending, which needs all batches. It may read ahead. */
  open(): OpenBatches;
}

export interface BatchSource extends SurveyedList {
  readonly place: ListLocation;
  /** People of the list who are written as contacts, changed or not. */
  readonly contacts: number;
  /** The people who are not sent. */
  readonly unchanged?: Positions | undefined;
  readonly size: number | undefined;
  readonly signal: AbortSignal;
}

/** Below this number of contacts, reading takes less time than starting a thread. */
const WORTH_A_THREAD = 50_000;

/** The batches of a list. A separate thread reads a long list while this thread sends. */
export function batchesOf(list: BatchSource): Batches {
  const { reading, people, place, size, unchanged, signal } = list;
  const preview = () => textBatches(withoutPositions(contactTexts(reading, people, { signal }), unchanged), { size });
  return {
    preview,
    open: () =>
      list.contacts < WORTH_A_THREAD
        ? withoutThread(preview())
        : startBatchThread({ ...place, size, unchanged }, signal),
  };
}

/** Batches that are read on request. */
export function withoutThread(batches: AsyncGenerator<ListBatch>): OpenBatches {
  return { inOrder: batches, close: () => batches.return(undefined) };
}
