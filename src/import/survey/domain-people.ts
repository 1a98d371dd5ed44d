import { rowOutcomes } from '../batch/reread-list.ts';
import type { SurveyedList } from '../batch/row-outcome.ts';
import { domainIn } from '../record/domains.ts';
import type { UnreadOptOuts } from './statistics/unread-opt-outs.ts';

/** The number of people, by domain, who would get mail although a row about opted-out people names their domain. */
export async function countDomainPeople(
  list: SurveyedList,
  seen: readonly { readonly unread: UnreadOptOuts }[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(seen.flatMap(({ unread }) => [...unread.domains.keys()]));
  const counts = new Map<string, number>();
  if (wanted.size === 0) {
    return counts;
  }
  for await (const rows of rowOutcomes(list, { signal })) {
    for (const { outcome } of rows) {
      const isMailed = outcome.kind === 'person' && (outcome.state === 'subscribed' || outcome.state === 'none');
      const domain = isMailed ? domainIn(wanted, outcome.email) : undefined;
      if (domain !== undefined) {
        counts.set(domain, (counts.get(domain) ?? 0) + 1);
      }
    }
  }
  return counts;
}
