import { plural } from '../../base/lib/text.ts';
import { contactBody } from '../../import/batch/cut-batches.ts';
import type { ListBatch } from '../../import/types.ts';
import { lookUp, rowKey } from '../verify/contacts.ts';
import { type SendBatch, wasSent } from '../write/send-batch.ts';
import { NOTHING_SENT, refuseUnsent, type SendResult } from '../write/send-recorded.ts';
import type { WriteContext } from '../write-context.ts';
import { chooseProbes, type OptedOut } from './choose.ts';
import { keepCountsBefore } from './opt-out-count.ts';
import { readBack } from './read-back.ts';
import { type CanaryRecord, keepRecord, NOTHING_SHOWN, readRecord } from './record.ts';
import { optOutAgain, stopSignedUp } from './roll-back.ts';

/** Where the contacts go, and what must be shown before several batches may be sent at once. */
export interface CanaryTarget {
  readonly audienceId: string;
  /** People who opted out of the audience, as far as svc read its pages. */
  readonly optedOut: OptedOut;
  /** True if more people opted out than the pages that svc read show. */
  readonly othersOptedOut: boolean;
  /** False if every row of the list is an opt-out. */
  readonly joins: boolean;
}

const NAME = 'canary';

/**
 * Chooses the canary: at most four people who show what the service makes of a contact. After a kill, a canary that was
 * already sent is not chosen again. Only the journal knows what the audience held before. Returns undefined for an
 * empty list.
 */
export async function prepareCanary(
  work: WriteContext,
  { audienceId, optedOut, othersOptedOut }: CanaryTarget,
  batches: AsyncIterable<ListBatch>,
): Promise<CanaryRecord | undefined> {
  const record = readRecord(work.journal);
  if (record?.signedUp) {
    reportPhase(work, record.probes.length);
    await stopSignedUp(work, record, record.signedUp);
  }
  if (othersOptedOut) {
    await keepCountsBefore(work, audienceId);
  }
  if (record && wasSent(work, NAME)) {
    return record;
  }
  const probes = await chooseProbes(work, { audienceId, batches, optedOut });
  if (probes.length === 0) {
    return undefined;
  }
  const chosen = { audienceId, probes, shown: NOTHING_SHOWN };
  keepRecord(work.journal, chosen);
  return chosen;
}

/**
 * Sends the canary and reads it back, unless an earlier process did so. The service drops unknown fields in silence
 * (F5). Its document does not say what an omitted status becomes (C1). A difference stops the run here, after four
 * people at most.
 */
export async function runCanary(work: WriteContext, send: SendBatch): Promise<void> {
  const record = readRecord(work.journal);
  if (!record || record.batchesRead !== undefined) {
    return;
  }
  const { probes, audienceId } = record;
  reportPhase(work, probes.length);
  const items = probes.map(({ source, line, contact }) => ({ source, line, contact }));
  const sent = await send(work, audienceId, { name: NAME, op: 'canary', rows: items, items, body: contactBody(items) });
  refuseUnsent(work, sent.unsent);
  const optedOut = probes.filter(({ before }) => before === 'opted out');
  const rollBack = optedOut.map((probe) => optOutAgain(probe, probe.optedOutAt));
  const what = `the canary of ${plural(probes.length, 'person', 'people')}`;
  const shown = await readBack(work, record, { what, probes, rollBack, missing: 0, sent });
  keepRecord(work.journal, { ...record, shown, batchesRead: 0 });
}

/** Adds probe contacts to the known opt-outs who opted out on a page that svc did not read, and are still opted out. */
export async function withProbes(work: WriteContext, place: CanaryTarget): Promise<CanaryTarget> {
  const { shown, probes } = readRecord(work.journal)!;
  const optedOut = new Map(place.optedOut);
  const hidden = probes.filter(({ before, contact }) => before === 'opted out' && !optedOut.has(contact.email));
  for (const { contact } of shown.stays ? [] : hidden) {
    const now = await lookUp(work, place.audienceId, contact);
    if (now && now.status !== 'subscribed') {
      optedOut.set(contact.email, now);
    }
  }
  return { ...place, optedOut };
}

/** Scripts read the phase name `first_batch`, which is older than the word canary. So it stays. */
export function reportPhase({ emit }: WriteContext, total: number): void {
  emit({ type: 'phase', phase: 'first_batch', total, unit: 'rows' });
}

/**
 * Sends regular batches. The canary already counted its probe contacts, so their rows do not count again. A batch of
 * probe contacts only is not sent again.
 */
export function createRegularSending(send: SendBatch, { journal }: Pick<WriteContext, 'journal'>) {
  const probes = new Set(readRecord(journal)?.probes.map(rowKey));
  const counts = (row: Parameters<typeof rowKey>[0]) => !probes.has(rowKey(row));
  return (work: WriteContext, audienceId: string, listBatch: ListBatch): Promise<SendResult> => {
    const { index, rows, body } = listBatch;
    const batch = {
      name: String(index),
      rows,
      body,
      counts,
      get items() {
        return listBatch.items;
      },
    };
    return rows.some(counts) ? send(work, audienceId, batch) : Promise.resolve(NOTHING_SENT);
  };
}
