import type { Finding } from '../../../base/finding.ts';
import { addToCount, sumOf } from '../../../base/lib/rows.ts';
import { formatNumber, joinAtMost, plural } from '../../../base/lib/text.ts';
import type { State } from '../../../platforms/lib/states.ts';
import { rereadRows } from '../../batch/reread-list.ts';
import type { SurveyedList } from '../../batch/row-decision.ts';
import { columnName, mapFlag, statusMapFlag } from '../../mapping/column-names.ts';
import { isOptOutList } from '../../mapping/state/default-status.ts';
import { sourceLabel } from '../../source/source.ts';
import { findDomainOf } from '../../values/domains.ts';
import { createExamples, type Examples } from '../statistics/examples.ts';
import type { UnreadInput } from '../survey-types.ts';
import { firstExamples, type ListCheck, rowsFinding, type TableWithStatistics } from './check-context.ts';

// Checks about people who have no row of their own. The row of another person, a domain, or a row without a readable
// address stands for them.

/** Warns about columns with a second person in a row, because svc imports one person per row. */
export const secondPeopleCheck: ListCheck = ({ tables }) =>
  tables.flatMap(({ table, statistics }) =>
    [...statistics.addresses.secondPeople].flatMap(([index, rows]) => {
      const column = columnName(table, index);
      const message = `${sourceLabel(table.source)}: the column ${JSON.stringify(column)} holds a second address in ${plural(rows.total, 'row')}. svc imports one person per row, so the people of these addresses are not imported`;
      const hint = `Only if they agreed to get mail from you, and the status of the row is theirs too, import the list once more with ${mapFlag(table, column, 'email')}`;
      return rowsFinding(rows, { check: 'columns', level: 'warn', message, hint });
    }),
  );

/**
 * Warns about columns that contain addresses although their header does not say so. The finding counts the people whose
 * state such a column decides, or would decide if it were not about other people (C9).
 */
export const mentionedPeopleCheck: ListCheck = ({ tables }) =>
  tables.flatMap(({ table, statistics }) =>
    table.addressColumns.found.flatMap(({ index, isOfOtherPeople }) => {
      const people = statistics.addresses.mentions.get(index) ?? createExamples();
      const column = `${sourceLabel(table.source)}: the column ${JSON.stringify(columnName(table, index))}`;
      const peopleText = plural(people.total, 'person of the list', 'people of the list');
      const answer = (state: 'subscribed' | 'unsubscribed') =>
        statusMapFlag(table, `${table.header[index] || index + 1}:*`, state);
      const [message, hint] = isOfOtherPeople
        ? [
            `${column} is about other people. It names ${peopleText} in rows that must not be mailed; the column does not opt them out`,
            `If it holds second addresses of the same people: ${answer('unsubscribed')}`,
          ]
        : [
            `${column} holds addresses. It names ${peopleText} in rows that must not be mailed; they are not mailed either`,
            `Only if it names other people, and no status of a row is theirs: ${answer('subscribed')}`,
          ];
      return rowsFinding(people, { check: 'columns', level: 'warn', message, hint });
    }),
  );

/**
 * Stops at rows about opted-out people that name a whole domain, such as `@example.org`. Only the user knows whether
 * all people of the domain opted out (C9). svc asks only about domains of people in the list.
 */
export function wholeDomainFindings(
  { table, statistics }: TableWithStatistics,
  people: ReadonlyMap<string, number>,
): readonly Finding[] {
  const sharedDomains = [...statistics.rejected.unread.domains].filter(([domain]) => people.has(domain));
  if (sharedDomains.length === 0) {
    return [];
  }
  const count = sumOf(sharedDomains.map(([domain]) => people.get(domain) ?? 0));
  const rows = sumOf(sharedDomains.map(([, { total }]) => total));
  const names = sharedDomains.map(([domain]) => `@${domain} (${formatNumber(people.get(domain) ?? 0)})`);
  const flagsFor = (state: State) => sharedDomains.map(([domain]) => statusMapFlag({}, `@${domain}`, state)).join(' ');
  const who = plural(count, 'person of the list has', 'people of the list have');
  return [
    {
      check: 'unknown_status',
      level: 'stop',
      message: `${sourceLabel(table.source)}: ${plural(rows, 'row of opted-out people names', 'rows of opted-out people name')} a whole domain; ${who} an address there: ${joinAtMost(names, 12)}`,
      hint: flagsFor('skip'),
      when: `This leaves out ${plural(count, 'person', 'people')}`,
      otherwise: [
        { when: 'If all of them opted out', flags: flagsFor('unsubscribed') },
        { when: "Only if these rows don't mean that people of the domain opted out", flags: flagsFor('subscribed') },
      ],
      examples: firstExamples(sharedDomains.map(([, { shown }]) => shown)),
      total: rows,
    },
  ];
}

/**
 * Counts, by domain, the people who would get mail although a row about opted-out people names their whole domain. Such
 * a row is `@example.org`, beside the subscribed person ana@example.org.
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
