import { rowKey } from '../../base/lib/rows.ts';
import { plural, safe } from '../../base/lib/text.ts';
import type { ListBatch } from '../../import/batch/cut-batches.ts';
import type { WriteContext } from '../context.ts';
import { refusedRows } from '../verify/contacts.ts';
import { reportPhase } from './canary.ts';
import {
  type CanaryRecord,
  type CanaryTarget,
  hadOptedOut,
  isOptedOut,
  type OptOut,
  optOutAgain,
  optOutsOfProbes,
} from './canary-state.ts';
import { stopSignedUp, subscribedOf } from './roll-back.ts';

/**
 * Reads the opted-out people of the canary once more after all batches. A service that dropped their rows in silence
 * proved nothing with the canary, and wrote them with their batch (F5). Hours may have passed, so a person may have
 * come back on their own. Then most other opted-out people of the list are still opted out.
 */
export async function confirmOptOuts(
  context: WriteContext,
  record: CanaryRecord,
  target: CanaryTarget,
  batches: AsyncIterable<ListBatch>,
): Promise<void> {
  const { audienceId } = record;
  const probes = optOutsOfProbes(record.probes);
  const found = await subscribedOf(context, audienceId, probes.filter(hadOptedOut));
  if (found.length === 0) {
    return;
  }
  const people = await writtenOptedOut(context, probes, target, batches);
  const open = await subscribedOf(context, audienceId, people);
  const others = people.filter(hadOptedOut).length - open.filter(hadOptedOut).length;
  const who = found.map(({ contact }) => safe(contact.email)).join(', ');
  if (others >= open.filter(hadOptedOut).length) {
    const message = `Came back on their own: ${who}. ${plural(others, 'other person', 'other people')} of the list stayed opted out.`;
    context.emit({ type: 'note', message });
    return;
  }
  const message = `after the last batch, people are subscribed who had opted out: ${who}`;
  reportPhase(context, probes.length);
  await stopSignedUp(context, record, { message, byCount: false, mark: context.randomHex(8), open });
}

/** The people of the list who had opted out before, and were written. */
async function writtenOptedOut(
  context: WriteContext,
  probes: readonly OptOut[],
  { optedOut }: CanaryTarget,
  batches: AsyncIterable<ListBatch>,
): Promise<OptOut[]> {
  const people = new Map(probes.map((item) => [item.contact.email, item]));
  for await (const { items } of batches) {
    for (const item of items.filter(isOptedOut(optedOut))) {
      const { email } = item.contact;
      people.set(email, people.get(email) ?? optOutAgain(item, optedOut.get(email) ?? {}));
    }
  }
  const refused = refusedRows(context.journal);
  return [...people.values()].filter((item) => !refused.has(rowKey(item)));
}
