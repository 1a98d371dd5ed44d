import { sumOf } from '../../../base/lib/rows.ts';
import { formatNumber, listed, plural } from '../../../base/lib/text.ts';
import type { State } from '../../../platforms/lib/states.ts';
import { labelOf } from '../../source/source.ts';
import type { Finding } from '../finding.ts';
import { firstExamples, type SeenTable, statusFlags } from './list-check.ts';

/**
 * Rows about opted-out people that name a whole domain. Only the user knows if all people of the domain opted out, so
 * nothing is sent before an answer (C9). svc doesn't ask about a domain that no person of the list has.
 */
export function wholeDomains(
  { table, statistics }: SeenTable,
  people: ReadonlyMap<string, number>,
): readonly Finding[] {
  const found = [...statistics.unread.domains].filter(([domain]) => people.has(domain));
  if (found.length === 0) {
    return [];
  }
  const count = sumOf(found.map(([domain]) => people.get(domain) ?? 0));
  const rows = sumOf(found.map(([, { total }]) => total));
  const names = found.map(([domain]) => `@${domain} (${formatNumber(people.get(domain) ?? 0)})`);
  const flags = (state: State) => found.map(([domain]) => statusFlags(`@${domain}`, state)).join(' ');
  const who = plural(count, 'person of the list has', 'people of the list have');
  return [
    {
      check: 'unknown_status',
      level: 'stop',
      message: `${labelOf(table.source)}: ${plural(rows, 'row is', 'rows are')} about people who left and ${rows === 1 ? 'names' : 'name'} a whole domain; ${who} an address there: ${listed(names, 12)}`,
      hint: flags('skip'),
      when: `This leaves out ${plural(count, 'person', 'people')}`,
      otherwise: [
        { when: 'If all of them left', flags: flags('unsubscribed') },
        { when: "Only if these rows don't mean that people of the domain left", flags: flags('subscribed') },
      ],
      examples: firstExamples(found.map(([, { shown }]) => shown)),
      total: rows,
    },
  ];
}
