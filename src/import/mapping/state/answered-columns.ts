import { bareName } from '../../../platforms/lib/headers.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { textKey } from '../answers/answer-keys.ts';
import { answerNames } from '../column-names.ts';
import type { CheckedAnswers } from '../reading-answers.ts';

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
  { typedStates }: Pick<CheckedAnswers, 'typedStates'>,
  isRead: (index: number) => boolean,
): readonly AnsweredColumn[] {
  if (typedStates.size === 0) {
    return [];
  }
  return [...header.keys()].flatMap((index) => {
    const stateByText = isRead(index) ? undefined : answersByText(typedStates, answerNames(header, index));
    return stateByText === undefined || stateByText.size === 0
      ? []
      : [{ index, stateOf: (cell) => stateByText.get(textKey(cell)) ?? NONE }];
  });
}

// The answers for the texts of a column. If two answers are about one text, the one with the more exact name counts.
function answersByText(
  typedStates: CheckedAnswers['typedStates'],
  names: readonly string[],
): ReadonlyMap<string, StatusReading> {
  const found = names
    .toReversed()
    .flatMap((name) =>
      [...typedStates].flatMap(([subject, state]) =>
        textsAfter(subject, name).map((text) => [textKey(text), state] as const),
      ),
    );
  return new Map([...new Map(found)].filter(([, { state }]) => state !== 'subscribed'));
}

// The text that an answer names in a column: `10:30` of `Last seen:10:30`. Empty if the answer names another column.
function textsAfter(subject: string, name: string): readonly string[] {
  const parts = subject.split(':');
  return [...parts.keys()]
    .filter((count) => count > 0 && isSameName(parts.slice(0, count).join(':'), name))
    .map((count) => parts.slice(count).join(':'));
}

function isSameName(typed: string, name: string): boolean {
  return bareName(name) === '' ? typed.trim() === name.trim() : bareName(typed) === bareName(name);
}
