import { addToCount } from '../../base/lib/rows.ts';
import { rereadRows } from '../batch/reread-list.ts';
import type { SurveyedList } from '../batch/row-decision.ts';
import { isOptOutList } from '../mapping/state/default-status.ts';
import { findDomainOf } from '../record/domains.ts';
import type { TableWithStatistics } from './checks/list-check.ts';
import type { Examples } from './statistics/examples.ts';
import type { UnreadInput } from './survey-types.ts';

/**
 * Counts, by domain, the people who would get mail although a row about opted-out people names their whole domain: a
 * row `@example.org`, and the subscribed person ana@example.org.
 */
export async function countDomainPeople(
  list: SurveyedList,
  tables: readonly TableWithStatistics[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const namedDomains = new Set(tables.flatMap(({ statistics }) => [...statistics.rejected.unread.domains.keys()]));
  const counts = new Map<string, number>();
  if (namedDomains.size === 0) {
    return counts;
  }
  for await (const rows of rereadRows(list, { signal })) {
    for (const { decision } of rows) {
      const isMailed = decision.kind === 'person' && (decision.state === 'subscribed' || decision.state === 'none');
      const domain = isMailed ? findDomainOf(namedDomains, decision.email) : undefined;
      if (domain !== undefined) {
        addToCount(counts, domain, 1);
      }
    }
  }
  return counts;
}

/**
 * The lists with rows about opted-out people without a readable address. `few`: such rows are less than half of the
 * list, or the list is no opt-out list and subscribes people. A row with a domain such as `ben.example.org` counts too
 * if no person has this domain, because it may be an address without its @. A row with `@example.org` does not count.
 */
export function unreadInputs(
  tables: readonly TableWithStatistics[],
  people: ReadonlyMap<string, number>,
): readonly UnreadInput[] {
  return tables.flatMap(({ table, statistics: { rows, rejected, status } }) => {
    const { name } = table.source;
    const { unread } = rejected;
    const possibleAddresses = [...unread.domains].filter(
      ([domain, { shown }]) => !people.has(domain) && !hasSign(shown),
    );
    const all = [unread.others, ...possibleAddresses.map(([, examples]) => examples)];
    const total = all.reduce((sum, examples) => sum + examples.total, 0);
    const isOptOut = isOptOutList(table) || status.subscribed === 0;
    const isMost = isOptOut && total * 2 >= rows;
    const examples = all.flatMap(({ shown }) => shown).slice(0, 5);
    return total > 0
      ? [{ name, rows, unread: total, sent: unread.sent, examples, ...(!isMost && { few: true as const }) }]
      : [];
  });
}

function hasSign(shown: Examples['shown']): boolean {
  return shown.some(({ value = '' }) => /[@*%]/.test(value));
}
