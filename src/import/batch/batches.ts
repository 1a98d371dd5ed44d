import { type PositionSet, withoutPositions } from '../../base/lib/bit-set.ts';
import { hasRoomForThreads } from '../../base/os/worker-threads.ts';
import type { OpenBatches } from './batch-thread.ts';
import { contactTexts } from './contact-text.ts';
import { cutTextBatches, type ListBatch } from './cut-batches.ts';
import type { ListThread } from './list-thread.ts';
import type { ListLocation } from './reread-list.ts';
import type { SurveyedList } from './row-decision.ts';

/** The batches of a list. `preview` and `open` give the same batches, byte for byte. */
export interface Batches {
  /** Batches that are read one by one, as the caller asks for them. */
  preview(): AsyncIterable<ListBatch>;
  /**
   * Lets a thread open the list, if `open` needs a thread. Call it early, so that the thread opens the list while the
   * caller does other work.
   */
  prepare(): void;
  /** Batches for sending. A thread may read ahead. May be called again, also while an earlier reading goes on. */
  open(): OpenBatches;
}

/** A surveyed list, and what is needed to make its batches. */
export interface BatchSource extends SurveyedList {
  readonly location: ListLocation;
  /** The number of people who are contacts, including unchanged ones. */
  readonly contacts: number;
  /** The positions of people who are not sent, because they are unchanged. */
  readonly unchanged: PositionSet | undefined;
  readonly size: number | undefined;
  readonly signal: AbortSignal;
  readonly thread: ListThread;
}

/** With fewer contacts, starting a thread takes longer than reading the list. */
const MIN_CONTACTS_FOR_THREAD = 50_000;

/** The batches of a list. For a long list a separate thread reads, while this thread sends. */
export function batchesOf(list: BatchSource): Batches {
  const { location, size, unchanged, signal, contacts, thread } = list;
  const readPreview = () => cutTextBatches(withoutPositions(contactTexts(list, { signal }), unchanged), { size });
  const usesThread = thread.isRunning() || (contacts >= MIN_CONTACTS_FOR_THREAD && hasRoomForThreads());
  let isPrepared = false;
  const openList = () => thread.openList({ ...location, size, unchanged });
  return {
    preview: readPreview,
    prepare: () => {
      if (usesThread) {
        openList();
        isPrepared = true;
      }
    },
    open: () => {
      if (!usesThread) {
        return withoutThread(readPreview());
      }
      if (!isPrepared) {
        openList();
      }
      isPrepared = false;
      return thread.batches();
    },
  };
}

/** Batches that are read in this thread, as the caller asks for them. */
export function withoutThread(batches: AsyncGenerator<ListBatch>): OpenBatches {
  return { inOrder: batches, reuse: () => undefined, close: () => batches.return(undefined) };
}
