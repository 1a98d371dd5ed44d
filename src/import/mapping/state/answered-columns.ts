import type { StatusReading } from '../../../platforms/lib/states.ts';
import { bareWord, NONE } from '../../../platforms/lib/status-words.ts';
import { answerNames } from '../column-names.ts';
import { answerInColumn, type CheckedAnswers } from '../reading-answers.ts';

/** A column whose words svc knows only from answers of `--status-map`. */
interface AnsweredColumn {
  readonly index: number;
  stateOf(cell: string): StatusReading;
}

/**
 * The columns that an answer names, except those whose rules apply answers themselves (`isRead`). Example: svc takes
 * `Code` for an attribute, but `--status-map Code:B=unsubscribed` says that people with B left. The answer
 * `subscribed` signs no person up here, because the other words of the column have no meaning.
 */
export function findAnsweredColumns(
  header: readonly string[],
  answers: CheckedAnswers,
  isRead: (index: number) => boolean,
): readonly AnsweredColumn[] {
  const named = new Set([...answers.states.keys()].map((key) => bareWord(key.slice(0, key.lastIndexOf(':') + 1))));
  named.delete('');
  return [...header.keys()].flatMap((index) => {
    const names = answerNames(header, index);
    return isRead(index) || !names.some((name) => named.has(bareWord(name))) ? [] : [answeredColumn(index, names)];
  });

  function answeredColumn(index: number, names: readonly string[]): AnsweredColumn {
    return {
      index,
      stateOf: (cell) => {
        const answer = answerInColumn(answers, names, cell.trim());
        return answer === undefined || answer.state === 'subscribed' ? NONE : answer;
      },
    };
  }
}
