import { bareName } from '../../../platforms/lib/headers.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { bareWord, NONE, wordKey } from '../../../platforms/lib/status-words.ts';
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

// The key by which a cell is compared with an answer. A word counts like the word with other blanks, hyphens, dots and
// quotes: `opt-out`. In numbers, dates, addresses, short codes and words with another sign each sign counts: `1.5` is
// not 15, `A+` is not A, and `Pro+` is not Pro.
function textKey(text: string): string {
  const isWord = /^\p{L}{3,}$/u.test(bareWord(text)) && !OTHER_SIGN.test(text);
  return isWord
    ? wordKey(text)
    : text
        .normalize('NFKC')
        .replace(/\p{Cf}+/gu, '')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase();
}

// Matches a sign that does not only separate or end words.
const OTHER_SIGN = /[^\p{L}\p{M}\p{Cf}\p{Pd}\p{Pi}\p{Pf}\s_.,;'"]/u;
