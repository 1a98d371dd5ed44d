import { plural } from '../../../base/lib/text.ts';
import { labelOf } from '../../source/source.ts';
import { shownOf } from '../examples.ts';
import type { Finding } from '../finding.ts';
import { columnName, type ListCheck, statusFlags } from './context.ts';

/** Columns that hold addresses without an address header, with the people of their opt-outs (C9). */
export const mentions: ListCheck = ({ tables }) =>
  tables.flatMap(({ table, statistics }) =>
    table.addressColumns.found.flatMap(({ at, another }): Finding[] => {
      const people = statistics.mentions.get(at);
      if (!people || people.total === 0) {
        return [];
      }
      const column = `${labelOf(table.source)}: the column ${JSON.stringify(columnName(table, at))}`;
      const named = plural(people.total, 'person of the list', 'people of the list');
      const answer = (state: 'subscribed' | 'unsubscribed') => statusFlags(`${table.header[at] || at + 1}:*`, state);
      const [message, hint] = another
        ? [
            `${column} is about other people. It names ${named} in rows that must not be mailed; this changes nothing for them`,
            `If it holds second addresses of the same people: ${answer('unsubscribed')}`,
          ]
        : [
            `${column} holds addresses. It names ${named} in rows that must not be mailed; they are not mailed either`,
            `If it names other people: ${answer('subscribed')}`,
          ];
      return [{ check: 'columns', level: 'warn', message, hint, ...shownOf(people) }];
    }),
  );
