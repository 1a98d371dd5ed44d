import type { RowPosition } from '../../base/lib/rows.ts';
import { hasSentRequests, LOOKED_UP_NOTE } from '../../runs/find/run-status.ts';
import type { OpenEnrollment } from './automation.ts';
import type { EnrollmentList } from './enrollment-list.ts';
import { type KnownPeople, lookUpKnownPeople, NO_KNOWN_PEOPLE } from './known-people.ts';
import { createRowSet, type RecordedRows, type RowSet } from './row-set.ts';

/** People of the list who may be enrolled, but are not written as contacts. */
export interface UnwrittenPeople extends KnownPeople {
  readonly has: (row: RowPosition) => boolean;
  readonly count: number;
  /** When this process looked up the people to write. Undefined in a resume of a run that sent requests. */
  readonly lookedUpAt: number | undefined;
}

interface RecordedUnwritten extends Pick<KnownPeople, 'known' | 'unproven' | 'deleted'> {
  readonly rows: RecordedRows;
  readonly count: number;
}

const UNWRITTEN_NOTE = 'unwritten';

/**
 * Finds whom --create-contacts does not write: the people who were enrolled before, and those who were deleted in the
 * app since an earlier run wrote them. The former may have been deleted too, and svc would sign them up again (C1).
 * Stores them with the run. A resume then sends the same batches even if the ledgers have changed (G4).
 */
export async function findUnwritten(
  run: OpenEnrollment,
  listed: EnrollmentList,
  before: { readonly rows: Pick<RowSet, 'has' | 'record'>; readonly count: number },
): Promise<UnwrittenPeople> {
  const { journal, options, clock } = run;
  if (!options.createContacts) {
    return unwrittenOf(NONE, { lookedUp: [], lookedUpAt: undefined });
  }
  if (hasSentRequests(journal)) {
    // A run of an older svc has no such notes, and writes all people.
    const recorded = journal.readNote(UNWRITTEN_NOTE) as RecordedUnwritten | undefined;
    const lookedUp = (journal.readNote(LOOKED_UP_NOTE) ?? []) as KnownPeople['lookedUp'];
    return unwrittenOf({ ...NONE, ...recorded }, { lookedUp, lookedUpAt: undefined });
  }
  const { lookedUp, ...found } = await lookUpKnownPeople(run, listed, before.rows.has);
  const rows = createRowSet(before.rows.record());
  found.deleted.forEach(rows.add);
  const unwritten = { ...found, rows: rows.record(), count: before.count + found.deleted.length };
  const isEmpty = unwritten.count + found.known.changed + found.unproven === 0;
  journal.writeNote(UNWRITTEN_NOTE, isEmpty ? undefined : (unwritten satisfies RecordedUnwritten));
  journal.writeNote(LOOKED_UP_NOTE, lookedUp.length > 0 ? lookedUp : undefined);
  return unwrittenOf(unwritten, { lookedUp, lookedUpAt: clock.now() });
}

const NONE: RecordedUnwritten = { ...NO_KNOWN_PEOPLE, rows: [], count: 0 };

function unwrittenOf(
  { rows, ...recorded }: RecordedUnwritten,
  lookUps: Pick<UnwrittenPeople, 'lookedUp' | 'lookedUpAt'>,
): UnwrittenPeople {
  return { ...recorded, ...lookUps, has: createRowSet(rows).has };
}
