import { postSuppressions, suppressionsKey } from '../../api/resources/suppressions.ts';
import { MAX_RESPELLED_ITEMS, suppressionBatches, suppressionBody } from '../../import/batch/suppression-batches.ts';
import { countRowsWithOutcome } from '../../run-lifecycle/data/row-counts.ts';
import { recordedRandomHex, type WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { People } from '../../runs/people/people.ts';
import type { SuppressedPerson } from '../../runs/people/suppressed-people.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { lacksResponseUnder, type SendResult } from '../../sending/record-and-send.ts';
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../wire/service-words.ts';
import type { SuppressionResponse } from '../../wire/shapes.ts';
import { type RecordedWrite, refuseUnsent, sendRecorded } from './send-and-bisect.ts';

/**
 * Writes all suppressions before any contact (S1): the strongest reason first, one request after the other. Each
 * response says how many addresses the account suppresses (`total_suppressed_after`). svc sends one request at a time,
 * so that the verification can compare that number with the addresses sent until then. `refuseFailures` is called after
 * each request, and throws if too many rows failed.
 */
export async function applySuppressions(
  context: WriteContext,
  people: People,
  { total, refuseFailures }: { readonly total: number; readonly refuseFailures: () => void },
): Promise<void> {
  const done = countRowsWithOutcome(context.journal.counts('suppressions'));
  context.emit({ type: 'phase', phase: 'suppressions', total, done, unit: 'rows' });
  let doneCount = 0;
  let unsent = 0;
  for (const reason of SUPPRESSION_REASONS) {
    for (const batch of suppressionBatches(reason, people.suppressions(reason), context.options.batchSize)) {
      const part = { name: `${reason}.${batch.index}`, ...batch };
      unsent += (await sendSuppressions(context, reason, part)).unsent;
      doneCount += batch.items.length;
      context.emit({ type: 'progress', phase: 'suppressions', done: Math.max(done, doneCount) });
      refuseFailures();
    }
  }
  refuseUnsent(context, unsent);
  await suppressRespelled(context, people);
}

/**
 * Suppresses the same people under the other spellings of their addresses (F8). These requests come last and count no
 * rows, because the service may take two spellings for one address, or refuse a spelling.
 */
async function suppressRespelled(context: WriteContext, people: People): Promise<void> {
  const size = Math.min(context.options.batchSize ?? MAX_RESPELLED_ITEMS, MAX_RESPELLED_ITEMS);
  for (const reason of SUPPRESSION_REASONS) {
    for (const batch of suppressionBatches(reason, people.suppressedUnderOtherSpellings(reason), size)) {
      const part = { name: `spelling.${reason}.${batch.index}`, ...batch, isBesideList: true };
      await sendSuppressions(context, reason, part);
    }
  }
}

interface Part {
  readonly name: string;
  readonly items: readonly SuppressedPerson[];
  readonly body: Buffer;
  /** True for other spellings of addresses. They are no rows of the list. */
  readonly isBesideList?: boolean;
}

/**
 * The name of a note in run.db: true once suppressions are sent under idempotency keys of this run only. It is set once
 * a response answers the request of another run. Since that request, a person may have been taken off the suppression
 * list, and a replay writes nothing (I7). To suppress a person twice has the same effect as once.
 */
const OWN_SUPPRESSION_KEYS_NOTE = 'own_suppression_keys';

/** Sends suppressions, and sends them once more under a key of this run if the response is that of another run. */
async function sendSuppressions(context: WriteContext, reason: SuppressionReason, part: Part): Promise<SendResult> {
  const { journal } = context;
  const sent = await sendRecorded(context, suppressionWrite(context, reason, part));
  const replays = sent.replayed ? journal.requests.foreignSuppressionReplays(part.name) : [];
  if (replays.length === 0) {
    return sent;
  }
  journal.writeNote(OWN_SUPPRESSION_KEYS_NOTE, true);
  journal.requests.reopenReplays(replays);
  return sendRecorded(context, suppressionWrite(context, reason, part));
}

function keySuffixOf(context: WriteContext): string | undefined {
  const isOwn = context.keySuffix === undefined && context.journal.readNote(OWN_SUPPRESSION_KEYS_NOTE) === true;
  return isOwn ? recordedRandomHex(context, 'suppression_keys', 8) : context.keySuffix;
}

function suppressionWrite(
  context: WriteContext,
  reason: SuppressionReason,
  { name, items, body, isBesideList = false }: Part,
): RecordedWrite<SuppressionResponse> {
  const call = { body, keySuffix: keySuffixOf(context) };
  const sharedKeyForVersion = suppressionsKey(context.client, { body, keySuffix: undefined });
  const isOpen = lacksResponseUnder(context.journal.requests.find('suppressions', name), sharedKeyForVersion);
  return {
    kind: 'suppressions',
    name,
    rows: items,
    isCounted: () => !isBesideList,
    keyForVersion: isOpen ? sharedKeyForVersion : suppressionsKey(context.client, call),
    sharedKeyForVersion,
    post: (sendOptions) => postSuppressions(context.client, call, sendOptions),
    readResponse: async (value, replayed) => {
      const created = isBesideList ? 0 : items.length;
      if (!replayed && !isBesideList) {
        const suppressedBefore = context.journal.counts('suppressions').suppressed;
        // Recorded, because a resume needs it for its verification.
        const seen: SuppressedTotal = { total: value.total_suppressed_after, sent: suppressedBefore + created };
        context.journal.writeNote(SUPPRESSED_TOTAL_NOTE, seen);
      }
      return { status: 200, replayed, created, updated: 0, alreadySuppressed: 0, failures: [] };
    },
    part: (from, to, partName) => {
      const half = items.slice(from, to);
      const part = { name: partName, items: half, body: suppressionBody(reason, half), isBesideList };
      return suppressionWrite(context, reason, part);
    },
  };
}

/** `total`: the number of suppressed addresses in the account, by the last response that was not a replay. */
interface SuppressedTotal {
  readonly total: number;
  /** The number of addresses of this run that the service had accepted when it sent that response. */
  readonly sent: number;
}

const SUPPRESSED_TOTAL_NOTE = 'suppressed_total';

/** The recorded total. Undefined if every response so far was a replay. */
export function readSuppressedTotal(journal: Journal): SuppressedTotal | undefined {
  return journal.readNote(SUPPRESSED_TOTAL_NOTE) as SuppressedTotal | undefined;
}
