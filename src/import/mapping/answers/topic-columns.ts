import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { shellWord } from '../../../base/lib/text.ts';
import { headerOrNumber } from '../../../platforms/lib/headers.ts';
import { createTopicReader } from '../../consent-columns/topics/topic-choice.ts';
import type { MappedTable } from '../map-columns.ts';
import type { InputAnswers } from '../reading-answers.ts';
import type { TopicColumn } from '../table.ts';
import { answerInColumn, type CheckedAnswers } from './answer-lookup.ts';
import { findNamedColumns } from './named-columns.ts';

/** The columns that assign topics. Throws SvcError if `--topic-value` is missing for one. */
export function topicColumns(
  { columns }: MappedTable,
  header: readonly string[],
  answers: CheckedAnswers,
): TopicColumn[] {
  const values = new Map(
    [...answers.topicValues].flatMap(([column, value]) =>
      findNamedColumns(header, column).map((index) => [index, value]),
    ),
  );
  return columns.flatMap((target, index) => {
    if (target.kind !== 'topic') {
      return [];
    }
    const value = values.get(index);
    if (value === undefined) {
      throw missingTopicValue(headerOrNumber(header, index), answers);
    }
    const isAnsweredYes = (cell: string) => answerInColumn(answers, index, cell)?.state === 'subscribed';
    const choiceOf = createTopicReader({ header: header[index] ?? '', value, isAnsweredYes });
    return [{ index, topic: target.topic, value, choiceOf }];
  });
}

// The error for a topic column without a value. `--topic-value a=yes=no` names the column `a=yes`.
function missingTopicValue(column: string, { topicValues }: InputAnswers): SvcError {
  const missing = `no value is given for the topic of column ${JSON.stringify(column)}`;
  const other = [...topicValues].find(([name]) => name.startsWith(`${column}=`));
  const pair = other && `--topic-value ${other[0]}=${other[1]} names the column ${JSON.stringify(other[0])}`;
  const message = pair ? `${pair}, because svc splits it at its last "=". So ${missing}` : missing;
  const advice = pair ? 'Give a value without "=":\n' : '';
  return new SvcError(EXIT.usage, 'topic_value', message, {
    hint: `${advice}--topic-value ${shellWord(`${column}=<value>`)}`,
  });
}
