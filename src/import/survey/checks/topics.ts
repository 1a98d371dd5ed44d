import type { Finding } from '../../../base/finding.ts';
import { formatNumber, joinAtMost, plural } from '../../../base/lib/text.ts';
import { columnLabel } from '../../mapping/column-names.ts';
import type { Table } from '../../mapping/table.ts';
import { sourceLabel } from '../../source/source.ts';
import { examplesForFinding } from '../statistics/examples.ts';
import type { TopicCounts, WordRows } from '../statistics/topic-statistics.ts';
import type { ListCheck } from './check-context.ts';

/**
 * Says which topics people refuse, which cells of topic columns can't be read, and how many people have rows that
 * differ in a topic. svc sends no topic for any of them. Passes without a finding if there are none.
 */
export const topicsCheck: ListCheck = ({ tables, differInTopics }) => {
  const ofColumns = tables.flatMap(({ table, statistics }) =>
    statistics.topics.flatMap((counts) => [...refusedFinding(table, counts), ...unreadFinding(table, counts)]),
  );
  return [...ofColumns, ...differingFinding(differInTopics)];
};

// The service document shows no value that refuses a topic, so svc can only leave the topic out.
function refusedFinding(table: Table, { column, refused }: TopicCounts): readonly Finding[] {
  const { total } = refused.rows;
  const people = plural(total, 'row of subscribed people refuses', 'rows of subscribed people refuse');
  const message = `${placeOf(table, column)}: ${people} the topic ${column.topic}: ${wordList(refused)}. svc does not write a refusal, because the service document shows no value for it: people who have the topic keep it`;
  return warning(message, refused);
}

function unreadFinding(table: Table, { column, unread }: TopicCounts): readonly Finding[] {
  const { total } = unread.rows;
  const message = `${placeOf(table, column)}: ${plural(total, 'row has', 'rows have')} a text that svc reads neither as a yes nor as a no, so it does not send the topic ${column.topic}: ${wordList(unread)}`;
  return warning(message, unread);
}

function warning(message: string, { rows }: WordRows): readonly Finding[] {
  return rows.total === 0 ? [] : [{ check: 'topics', level: 'warn', message, ...examplesForFinding(rows) }];
}

function differingFinding(people: number): readonly Finding[] {
  const message = `${plural(people, 'person has', 'people have')} rows that differ in a topic: one chooses it and another does not. The topic is not sent`;
  return people === 0 ? [] : [{ check: 'topics', level: 'warn', message }];
}

function placeOf({ source, header }: Table, { index }: TopicCounts['column']): string {
  return `${sourceLabel(source)}: column ${columnLabel(header, index)}`;
}

const MAX_WORDS = 6;

/** Words with the numbers of their rows: `"no" (12), "never" (1)`. */
export function wordList({ words }: WordRows): string {
  const byRows = [...words].toSorted(([, first], [, second]) => second - first);
  return joinAtMost(
    byRows.map(([word, rows]) => `${JSON.stringify(word)} (${formatNumber(rows)})`),
    MAX_WORDS,
  );
}
