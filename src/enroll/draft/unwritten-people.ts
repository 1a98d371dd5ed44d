import type { RowPosition } from '../../base/lib/rows.ts';
import { hasSentRequests } from '../../runs/find/run-status.ts';
import type { OpenEnrollment } from './automation.ts';
import { createRowSet, type RecordedRows, type RowSet } from './row-set.ts';

/** People of the list who may be enrolled, but are not written as contacts. */
export interface UnwrittenPeople {
  readonly has: (row: RowPosition) => boolean;
  readonly count: number;
}

interface RecordedUnwritten {
  readonly rows: RecordedRows;
  readonly count: number;
}

const UNWRITTEN_NOTE = 'unwritten';

/**
 * Finds whom --create-contacts does not write: the people who were enrolled before. They may have been deleted in the
 * app since, and svc would sign them up again (C1). Stores them with the run. A resume then sends the same batches even
 * if the ledger has changed (G4).
 */
export function findUnwritten(
  { journal, options }: Pick<OpenEnrollment, 'journal' | 'options'>,
  before: { readonly rows: Pick<RowSet, 'record'>; readonly count: number },
): UnwrittenPeople {
  if (!options.createContacts) {
    return unwrittenOf(NONE);
  }
  if (hasSentRequests(journal)) {
    // A run of an older svc has no such note, and writes all people.
    return unwrittenOf((journal.readNote(UNWRITTEN_NOTE) as RecordedUnwritten | undefined) ?? NONE);
  }
  const unwritten = before.count > 0 ? { rows: before.rows.record(), count: before.count } : undefined;
  journal.writeNote(UNWRITTEN_NOTE, unwritten);
  return unwrittenOf(unwritten ?? NONE);
}

const NONE: RecordedUnwritten = { rows: [], count: 0 };

function unwrittenOf({ rows, count }: RecordedUnwritten): UnwrittenPeople {
  return { has: createRowSet(rows).has, count };
}
