import { rowKey } from '../../base/lib/rows.ts';
import { type ContactItem, contactBody } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../../run-lifecycle/data/run-context.ts';
import type { Journal } from '../../runs/store/journal.ts';
import { ALREADY_EXISTS_CODE, joinSendResults, NOTHING_SENT, type SendResult } from '../../sending/record-and-send.ts';
import {
  MAX_PROOF_CANDIDATES,
  proveUpsertFalse,
  refuseDisprovenUpsertFalse,
  refuseOptedOutPeople,
} from './prove-upsert-false.ts';
import { readDifferentlyError } from './send-and-bisect.ts';
import { type OutgoingBatch, type SendBatch, sendBatch } from './send-batch.ts';

/** True for an address that the audience had before this run wrote to it. */
export type WasInAudience = (email: string) => boolean;

/**
 * Returns a function that sends a batch in parts, for --explicit-status:
 *
 * 1. People who are not in the audience get a status and `upsert: false`. New people of the canary are not sent again,
 *    because they may have opted out since.
 * 2. svc proves that `upsert: false` changed no existing contact.
 * 3. All other people are sent without the status `subscribed`, also those who joined meanwhile.
 */
export function withExplicitStatus(wasThere: WasInAudience): SendBatch {
  return async (context, audienceId, batch) => {
    refuseDisprovenUpsertFalse(context);
    const { journal } = context;
    const { name, items } = batch;
    const { newPart } = partsOf(journal, batch, wasThere);
    const beforeAttempt = async (people: readonly ContactItem[]) => {
      await refuseOptedOutPeople(context, { audienceId, name, candidates: people });
      await batch.beforeAttempt?.(people);
    };
    const sent = await sendIfAny(context, audienceId, { ...batch, beforeAttempt }, newPart);
    if (sent.unsent > 0) {
      // The other parts depend on the outcomes of the first part. So a resume sends them, once it has these outcomes.
      return sent;
    }
    recordFoundThere(journal, batch);
    await proveUpsertFalse(context, {
      audienceId,
      name,
      candidates: [...newPart.items, ...items].slice(0, MAX_PROOF_CANDIDATES),
    });
    const { oldPart, laterPart } = partsOf(journal, batch, wasThere);
    refuseCreatedInOldPart(context, oldPart, wasThere);
    const rest = joinSendResults(sent, await sendIfAny(context, audienceId, batch, oldPart));
    return joinSendResults(rest, await sendIfAny(context, audienceId, batch, laterPart));
  };
}

/**
 * The requests that --explicit-status makes of one batch. Each person of the batch is in one or two of them. Only new
 * people of the canary are in none.
 */
export interface BatchParts {
  /** People who were not in the audience before this run. */
  readonly newPart: BatchPart;
  /** All other people of the batch, and people of the first part who were in the audience after all. */
  readonly oldPart: BatchPart;
  /**
   * People of the first part who were found in the audience only when that part was sent again, after an outdated
   * replay (I7). The second part can't take them any more, because it may have its response already.
   */
  readonly laterPart: BatchPart;
}

/** The parts of a batch as far as svc knows them now. The outcomes of the first part decide who is in the last two. */
export function partsOf(
  journal: Pick<Journal, 'counts' | 'readNote' | 'requests'>,
  { name, items, isCounted = () => true }: Pick<OutgoingBatch, 'name' | 'items'> & Partial<OutgoingBatch>,
  wasThere: WasInAudience,
): BatchParts {
  const found = rowsAlreadyThere(journal);
  const absent = new Set(items.filter(({ contact }) => !wasThere(contact.email)));
  const newItems = items.filter((item) => absent.has(item) && isCounted(item));
  const known = items.filter((item) => !absent.has(item) && isCounted(item));
  const foundFirst = readFoundThere(journal, name, known.length) ?? found;
  const others = items.filter((item) => !absent.has(item) || foundFirst.has(rowKey(item)));
  const later = newItems.filter((item) => found.has(rowKey(item)) && !foundFirst.has(rowKey(item)));
  return {
    newPart: { name: `${name}.new`, items: newItems, bodyOf: explicitBody },
    oldPart: { name: `${name}.old`, items: others, bodyOf: contactBody },
    laterPart: { name: `${name}.later`, items: later, bodyOf: contactBody },
  };
}

/**
 * True if run.db has a request for a part of the batch. A batch in parts has a first part (`.new`), a second part
 * (`.old`), or both.
 */
export function isSentInParts({ requests }: Pick<Journal, 'requests'>, name: string): boolean {
  return [`${name}.new`, `${name}.old`].some((part) => requests.stateOf(part).isRecorded);
}

/**
 * Stops if the first part created a person of the second part. This person was in the audience before, and was deleted
 * meanwhile. The second part must keep its rows (I9), so the row would count twice.
 */
function refuseCreatedInOldPart(context: WriteContext, { items }: BatchPart, wasThere: WasInAudience): void {
  const found = rowsAlreadyThere(context.journal);
  if (items.some((item) => !wasThere(item.contact.email) && !found.has(rowKey(item)))) {
    throw readDifferentlyError(context);
  }
}

/** Records which people move from the first part to the second, because a resume must send the same bytes (I9). */
function recordFoundThere(journal: Journal, { name, items }: OutgoingBatch): void {
  const note = foundThereNote(name);
  const found = rowsAlreadyThere(journal);
  const rows = items.map(rowKey).filter((row) => found.has(row));
  const isChanged = rows.length > 0 || journal.readNote(note) !== undefined;
  if (isChanged && !journal.requests.stateOf(`${name}.old`).isRecorded) {
    journal.writeNote(note, rows);
  }
}

/**
 * The rows that moved from the first part to the second. Undefined if an earlier version of svc sent the second part
 * without recording them. Then that part has more rows than `known`, the number of people who were in the audience
 * before.
 */
function readFoundThere(
  journal: Pick<Journal, 'readNote' | 'requests'>,
  name: string,
  known: number,
): ReadonlySet<string> | undefined {
  const rows = journal.readNote(foundThereNote(name)) as readonly string[] | undefined;
  const isUnrecorded = rows === undefined && (journal.requests.find('contacts', `${name}.old`)?.rows ?? known) > known;
  return isUnrecorded ? undefined : new Set(rows);
}

function foundThereNote(name: string): string {
  return `found_there.${name}`;
}

type BatchPart = Pick<OutgoingBatch, 'name' | 'items'> & { readonly bodyOf: NonNullable<OutgoingBatch['bodyOf']> };

async function sendIfAny(
  context: WriteContext,
  audienceId: string,
  batch: OutgoingBatch,
  part: BatchPart,
): Promise<SendResult> {
  const { items } = part;
  return items.length === 0
    ? NOTHING_SENT
    : sendBatch(context, audienceId, { ...batch, ...part, rows: items, body: part.bodyOf(items) });
}

/**
 * The rows that the service refused in the first part of a batch, because the contact already exists. The second or the
 * later part sends them again.
 */
export function rowsAlreadyThere({ counts, requests }: Pick<Journal, 'counts' | 'requests'>): ReadonlySet<string> {
  if (counts().failed[ALREADY_EXISTS_CODE] === undefined) {
    return new Set();
  }
  return new Set([...requests.failures()].filter(({ code }) => code === ALREADY_EXISTS_CODE).map(rowKey));
}

function explicitBody(items: readonly ContactItem[]): Buffer {
  const contacts = items.map(({ contact }) => ({ ...contact, status: contact.status ?? ('subscribed' as const) }));
  return Buffer.from(JSON.stringify({ upsert: false, contacts }));
}
