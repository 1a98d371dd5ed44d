import type { ConsentColumn } from '../find-consent-columns.ts';
import { wordsOf } from '../words-and-stems.ts';
import { LIST_WORD, namesIn, namesOneList, WORDS_FOR_NO_LIST } from './named-lists.ts';

/** The word that svc asks about if a person is subscribed by one list column and unsubscribed by another. */
export const LISTS_DISAGREE = 'subscribed and unsubscribed';

/**
 * The indexes of the columns that each stand for one list. Either two headers each have a word that names another list,
 * such as `List: News` and `List: Offers`. Or one header names one list of several, such as `Unsubscribed from News`.
 */
export function findListColumns(columns: readonly ConsentColumn[], header: readonly string[]): ReadonlySet<number> {
  const open = columns.filter(isPlainState).map((column): OpenColumn => {
    const words = wordsOf(header[column.index] ?? '').split(' ');
    return { column, words, names: namesIn(words) };
  });
  const found = new Set<number>();
  for (const [index, one] of open.entries()) {
    for (const other of open.slice(index + 1)) {
      // A table can have thousands of lists. Two that were found are not compared again.
      const isFound = found.has(one.column.index) && found.has(other.column.index);
      if (!isFound && isSameKind(one, other) && areTwoLists(one, other)) {
        found.add(one.column.index).add(other.column.index);
      }
    }
  }
  const alone = open.filter(({ column }) => namesOneList(header[column.index] ?? '')).map(({ column }) => column.index);
  return new Set([...found, ...alone]);
}

const STATES: ReadonlySet<string> = new Set(['status', 'agreed', 'optedOut']);

function isPlainState(column: ConsentColumn): boolean {
  const { meaning, holdsGroups, holdsStates, isPreviousStatus, needsConfirmation, isStatusOfOtherThing } = column;
  const isState = STATES.has(meaning) || holdsGroups === true;
  // A reason or a campaign is text. The day of an opt-out is not: it says as much as a yes.
  const isText = column.filledMeansHappened && !column.holdsDates;
  return holdsStates && isState && !isText && !isPreviousStatus && !needsConfirmation && !isStatusOfOtherThing;
}

interface OpenColumn {
  readonly column: ConsentColumn;
  readonly words: readonly string[];
  /** The words that can name a list. */
  readonly names: readonly string[];
}

function isSameKind(one: OpenColumn, other: OpenColumn): boolean {
  return (one.column.meaning === 'optedOut') === (other.column.meaning === 'optedOut');
}

// True if each header has a word that names a list. Headers about opt-outs must also share a word, because
// `Unsubscribed` and `Gone` are two signs of one opt-out. Beside a word such as `list`, also a general word is a name.
// `Newsletter status` and `Newsletter consent` are two signs of one list.
function areTwoLists(one: OpenColumn, other: OpenColumn): boolean {
  const shared = one.words.filter((word) => other.words.includes(word));
  const areNames = shared.some((word) => LIST_WORD.test(word));
  const isNamed = ({ names }: OpenColumn) =>
    names.some((word) => !shared.includes(word) && (areNames || !WORDS_FOR_NO_LIST.has(word)));
  return isNamed(one) && isNamed(other) && (one.column.meaning !== 'optedOut' || shared.length > 0);
}
