import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import type { ContactItem } from '../../import/types.ts';
import { listReadableRuns } from '../../runs/find/list.ts';
import { type Journal, tryReadRun } from '../../runs/store/journal.ts';
import type { Probe } from './choose.ts';
import type { OptOutCount } from './opt-out-count.ts';

/** What fresh responses showed so far. A replay writes nothing, so it shows none of this (I7). */
export interface Shown {
  /** A contact reads back as sent. */
  readonly fields: boolean;
  /** A newly created contact without a status is subscribed. */
  readonly joins: boolean;
  /** A person who opted out and is sent without a status stays opted out. */
  readonly stays: boolean;
}

export const NOTHING_SHOWN: Shown = { fields: false, joins: false, stays: false };

/** What run.db records about the canary. */
export interface CanaryRecord {
  readonly audienceId: string;
  readonly probes: readonly Probe[];
  readonly shown: Shown;
  /** The number of regular batches that were sent alone and read back. Undefined until the canary was read back. */
  readonly batchesRead?: number | undefined;
  /** The batch that is being sent alone. */
  readonly alone?: AloneBatch | undefined;
  /** Set once the service signed up people who had opted out. This run never continues. */
  readonly signedUp?: SignedUp | undefined;
}

/** What svc read before a batch that is sent alone. After the batch, only the journal knows who had opted out. */
export interface AloneBatch {
  readonly index: number;
  /** True if an earlier process sent rows of it. Then a person may have opted out after their row was written. */
  readonly sentBefore: boolean;
  /** Contacts that opt people of the batch out again, as they were before. */
  readonly rollBack: readonly ContactItem[];
  /** The opt-outs of the audience, if they are compared. */
  readonly count: OptOutCount | undefined;
}

/** The proof that people were signed up again, and the people who must still be opted out again. */
export interface SignedUp {
  /** The proof in words. */
  readonly message: string;
  /** True if only a number shows it, and no person. */
  readonly byCount: boolean;
  /** Makes the idempotency key of the roll-back new. */
  readonly mark: string;
  readonly open: readonly ContactItem[];
}

const NAME = 'canary';

/** The record of a run. Undefined before its canary was chosen. */
export function readRecord(journal: Pick<Journal, 'read'>): CanaryRecord | undefined {
  return journal.read(NAME) as CanaryRecord | undefined;
}

/** Stores the record. It is on disk when this returns. */
export function keepRecord(journal: Pick<Journal, 'note'>, record: CanaryRecord): void {
  journal.note(NAME, record);
}

/** True once a person who opted out stayed opted out. Then this run did not cause a lower count of opt-outs. */
export function staysShown(journal: Pick<Journal, 'read'>): boolean {
  return readRecord(journal)?.shown.stays === true;
}

/**
 * Refuses to write contacts if an earlier run showed that the service signs up people who opted out. Other flags or
 * another list do not change that. The next batch may hold people whom no roll-back knows (C1: what an omitted status
 * becomes).
 */
export function refuseUnresolved(place: { state: string; journal: Journal; audienceId: string }): void {
  const { state, journal, audienceId } = place;
  const { origin, run: own } = journal.header;
  const signsUp = ({ run }: { readonly run: string }) =>
    tryReadRun(state, run, (other) => {
      const record = readRecord(other);
      return record?.signedUp !== undefined && record.audienceId === audienceId;
    }) === true;
  const earlier = listReadableRuns(state).find((run) => run.run !== own && run.origin === origin && signsUp(run));
  if (earlier) {
    throw new SvcError(
      EXIT.unverified,
      'first_batch',
      `nothing was sent: ${earlier.run} showed that this service signs up people again who opted out, and nothing shows that this was corrected`,
      {
        hint: `Give each person who opted out that state in the list ("svc contacts export" shows it), or have the service corrected. Then: svc runs delete ${earlier.run}`,
      },
    );
  }
}
