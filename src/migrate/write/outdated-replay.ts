import { isSharedKey } from '../../api/retry/key-source.ts';
import type { Finding } from '../../base/finding.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { plural } from '../../base/lib/text.ts';
import { OWN_CONTACT_KEYS_NOTE, recordedRandomHex, type WriteContext } from '../../run-lifecycle/data/run-context.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { readListedRun } from '../../runs/store/open-journal.ts';
import type { RecordedReplay } from '../../runs/store/replayed-requests.ts';
import { writtenAudienceId } from '../../runs/store/run-header.ts';
import { commandToCompare } from '../compare/command-to-compare.ts';
import { createReplacedSearch, type FindReplaced, type ReplacedSearch } from './find-replaced.ts';
import type { OutgoingBatch, SendBatch } from './send-batch.ts';

/** The write context. If the run switched to contact keys of its own, it has their random part (`keySuffix`). */
function withContactKeys<T extends WriteContext>(context: T): T {
  const isOwn = context.keySuffix === undefined && context.journal.readNote(OWN_CONTACT_KEYS_NOTE) === true;
  return isOwn ? { ...context, keySuffix: recordedRandomHex(context, 'contact_keys', 8) } : context;
}

/**
 * Returns a function that sends a batch. If the response is an outdated replay, sends the batch again under a key of
 * this run only (I7). From then on all contacts get such keys, and the earlier replays of the run count as not sent.
 */
export function withoutOutdatedReplays(send: SendBatch): SendBatch {
  const findOutdated = createReplayCheck();
  let writtenBefore: number | undefined;
  return async (context, audienceId, batch) => {
    writtenBefore ??= countWritten(context);
    const sent = await send(withContactKeys(context), audienceId, batch);
    const mayBeOutdated = sent.replayed && context.keySuffix === undefined;
    const replays = mayBeOutdated ? sharedReplays(context, batch.name) : [];
    if (replays.length === 0) {
      return sent;
    }
    const isDecided = () => context.journal.readNote(OWN_CONTACT_KEYS_NOTE) === true;
    if (!isDecided()) {
      const { isReplaced, unseen } = await findOutdated(context, audienceId, batch, replays);
      // The response counts, unless another batch found an outdated replay meanwhile: then the run sends all again.
      if (!isReplaced && !isDecided()) {
        recordUnseen(context, batch.name, unseen);
        return sent;
      }
    }
    useOwnContactKeys(context, writtenBefore);
    return send(withContactKeys(context), audienceId, batch);
  };
}

function sharedReplays({ journal }: WriteContext, batch?: string): RecordedReplay[] {
  return journal.requests.replays(batch).filter(({ key }) => isSharedKey(key));
}

/** The number of people whom this run has written itself so far, without replays. */
function countWritten({ journal }: WriteContext): number {
  const { freshCreated, freshUpdated } = journal.counts('contacts');
  return freshCreated + freshUpdated;
}

/**
 * Switches contact requests to idempotency keys of this run only. `writtenBefore` is the number of people whom an
 * earlier process of this run wrote, and who are not sent again.
 */
function useOwnContactKeys(context: WriteContext, writtenBefore: number): void {
  const { journal, emit } = context;
  journal.requests.reopenReplays(sharedReplays(context));
  if (journal.readNote(OWN_CONTACT_KEYS_NOTE) !== true) {
    // Replays are not checked any more, because all their people are sent again now. This note is written first, so
    // that a kill does not lose the number.
    journal.writeNote(UNSEEN_REPLAYS_NOTE, writtenBefore > 0 ? { [EARLIER_PROCESS]: writtenBefore } : undefined);
    journal.writeNote(OWN_CONTACT_KEYS_NOTE, true);
    const message =
      'The service repeated a response of an earlier import, but contacts may have changed since then. So svc writes again what was repeated, and then the rest of the list.';
    emit({ type: 'note', message });
  }
}

type FindOutdated = (
  context: WriteContext,
  audienceId: string,
  batch: OutgoingBatch,
  replays: readonly RecordedReplay[],
) => Promise<ReplacedSearch>;

/**
 * Returns a function that finds out if a replay is outdated: another write may have replaced what it describes. A
 * replay is outdated if a person of the batch differs from what was sent.
 *
 * If another run of this machine sent the key, svc also compares times of the service. If a person was changed after
 * the last write of these runs, the replay is outdated. If another machine sent the key, svc can't know when. Then a
 * change alone is no reason to write the list again, because people who were deleted since would come back (I7).
 */
function createReplayCheck(): FindOutdated {
  let earlier: EarlierWrites | undefined;
  let findReplaced: FindReplaced | undefined;
  return async (context, audienceId, batch, replays) => {
    earlier ??= readEarlierWrites(context, audienceId);
    const { keys, until } = earlier;
    const known = replays.filter(({ key }) => keys.has(key));
    // After a lost response, the replay of a key that only this run sent describes a write of this run.
    const hasKeysOfOthers = replays.some(({ key, afterLostResponse }) => !keys.has(key) && !afterLostResponse);
    if (known.length === 0 && !hasKeysOfOthers) {
      return { isReplaced: false, unseen: 0 };
    }
    findReplaced ??= createReplacedSearch(context, audienceId);
    if (known.length === 0) {
      return findReplaced(batch, undefined);
    }
    if (until === undefined) {
      return { isReplaced: true, unseen: 0 };
    }
    // Changes after the lost request may be writes of this run, so they do not count.
    const lost = known.filter(({ afterLostResponse }) => afterLostResponse);
    const firstLostAt = lost.reduce(
      (earliest, { firstSentAt }) => Math.min(earliest, firstSentAt),
      Number.POSITIVE_INFINITY,
    );
    return findReplaced(batch, { after: until + TOLERANCE_MS, before: firstLostAt });
  };
}

/** The name of a note in run.db: for each replayed batch, the number of people whom svc did not check. */
const UNSEEN_REPLAYS_NOTE = 'unseen_replays';

// The entry of the note that stands for all batches which an earlier process of this run wrote.
const EARLIER_PROCESS = 'earlier process';

type UnseenByBatch = Readonly<Record<string, number>>;

/**
 * Records how many people of a batch svc did not check. A resume checks each replayed batch again, so the new number
 * replaces the old one.
 */
function recordUnseen({ journal }: WriteContext, batch: string, unseen: number): void {
  const known = unseenIn(journal);
  if (unseen !== (known[batch] ?? 0)) {
    journal.writeNote(UNSEEN_REPLAYS_NOTE, { ...known, [batch]: unseen });
  }
}

function unseenIn(journal: Pick<WriteContext['journal'], 'readNote'>): UnseenByBatch {
  return (journal.readNote(UNSEEN_REPLAYS_NOTE) as UnseenByBatch | undefined) ?? {};
}

/** The finding about people of replayed batches whom svc did not check. Undefined if there are none. */
export function unseenReplaysFinding(
  journal: Pick<WriteContext['journal'], 'readNote' | 'header'>,
): Finding | undefined {
  const unseen = sumOf(Object.values(unseenIn(journal)));
  const message = `the service replayed stored responses, and svc did not check ${plural(unseen, 'person', 'people')} whom an earlier import, or an earlier part of this run, wrote. Another machine may have changed them since. To compare all people: ${commandToCompare(journal.header)}`;
  return unseen === 0 ? undefined : { check: 'unseen_replays', level: 'warn', message };
}

/** Prints the finding of `unseenReplaysFinding`. Called once all contacts are sent. */
export function noteUnseenReplays({ journal, emit }: WriteContext): void {
  const finding = unseenReplaysFinding(journal);
  if (finding) {
    emit({ type: 'note', message: `${finding.message.charAt(0).toUpperCase()}${finding.message.slice(1)}` });
  }
}

// `Date` headers have whole seconds, and the clocks of the service's servers may differ by a little.
const TOLERANCE_MS = 2_000;

/** What other runs of this machine wrote to the audience: their idempotency keys, and the time of their last write. */
interface EarlierWrites {
  readonly keys: ReadonlySet<string>;
  readonly until: number | undefined;
}

function readEarlierWrites({ stateFolder, journal, origin }: WriteContext, audienceId: string): EarlierWrites {
  const keys = new Set<string>();
  let until: number | undefined;
  for (const { run, header, ...other } of listReadableRuns(stateFolder)) {
    const isSame = header && run !== journal.run && other.origin === origin && writtenAudienceId(header) === audienceId;
    const writes = isSame ? readListedRun(stateFolder, run, ({ requests }) => requests.contactWrites()) : undefined;
    for (const key of writes?.keys ?? []) {
      keys.add(key);
    }
    until = Math.max(until ?? 0, writes?.until ?? 0) || undefined;
  }
  return { keys, until };
}
