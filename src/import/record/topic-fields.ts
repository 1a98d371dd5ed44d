import { isRefusal } from '../consent-columns/topics/topic-choice.ts';
import type { Table } from '../mapping/table.ts';

/** The topics of a row or a person. */
export interface TopicFields {
  /** The value to send, by the id of the topic. */
  readonly topics?: Readonly<Record<string, string>>;
  /**
   * The ids of topics that a filled cell does not choose: it refuses the topic, or svc reads it neither as a yes nor as
   * a no.
   */
  readonly refusedTopics?: readonly string[];
}

/** The topics of a row. If two columns are mapped to one topic, the stricter one counts (C7). */
export function topicFieldsOf(table: Pick<Table, 'topics'>, cells: readonly string[]): TopicFields {
  let fields: TopicFields = {};
  for (const { index, topic, value, choiceOf } of table.topics) {
    const choice = choiceOf(cells[index] ?? '');
    if (choice !== 'nothing') {
      const ofColumn = choice === 'chosen' ? { topics: { [topic]: value } } : { refusedTopics: [topic] };
      fields = mergeTopics(fields, ofColumn);
    }
  }
  return fields;
}

/**
 * Merges the topics of two columns, or of two rows of one person. The most restrictive wins (C7): svc sends a value
 * that means a refusal, if there is one. If there is none, it sends nothing for a refused topic, and the later value
 * for any other.
 */
export function mergeTopics(earlier: TopicFields, later: TopicFields): TopicFields {
  const refused = new Set([...(earlier.refusedTopics ?? []), ...(later.refusedTopics ?? [])]);
  const topics = { ...earlier.topics };
  for (const [topic, value] of Object.entries(later.topics ?? {})) {
    const known = topics[topic];
    topics[topic] = known !== undefined && isRefusal(known) ? known : value;
  }
  const sent = Object.entries(topics).filter(([topic, value]) => !refused.has(topic) || isRefusal(value));
  return {
    ...(sent.length > 0 && { topics: Object.fromEntries(sent) }),
    ...(refused.size > 0 && { refusedTopics: [...refused] }),
  };
}

/** True if one row chooses a topic that another row refuses. */
export function differInTopics(one: TopicFields, other: TopicFields): boolean {
  const choosesRefused = (chosen: TopicFields, { refusedTopics = [] }: TopicFields) =>
    refusedTopics.some((topic) => chosen.topics !== undefined && Object.hasOwn(chosen.topics, topic));
  return choosesRefused(one, other) || choosesRefused(other, one);
}
