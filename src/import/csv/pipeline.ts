import type { Table } from '../mapping/table.ts';
import type { RawRow } from '../types.ts';
import { readRows } from './parse.ts';

/** How a read of a table may be watched and ended. */
export interface ReadingWatcher {
  readonly signal?: AbortSignal | undefined;
  /** Adds the exact text of each row. */
  readonly raw?: boolean;
  onBytes?(bytes: number): void;
}

/**
 * One read of a table. Every read of a list takes the same path, so that the plan, the run and its resume meet the same
 * rows: open → detect (dialect) → decode → parse → map (build-table) → judge → normalize → fold → chunk → send.
 *
 * The first read (first-read) judges and counts each row by itself; the second (second-read) gathers into `people` the rows
 * whose address may have come twice; fold-people decides what becomes of them; the last (last-read) turns what is left into
 * contacts, chunk cuts these into batches, and suppression-chunks takes the suppressions out of `people`. All of it is a
 * function of the input's bytes and the user's answers: no clock, network, environment or randomness.
 *
 * Rejects when the signal aborts, with its reason.
 */
export async function* readTable(table: Table, watcher: ReadingWatcher = {}): AsyncGenerator<readonly RawRow[]> {
  for await (const rows of readRows(table.source, table.dialect, watcher)) {
    watcher.signal?.throwIfAborted();
    yield rows;
  }
}
