import type { ConsentColumn } from '../find-consent-columns.ts';
import { wordsOf } from '../words/plain-words.ts';
import { LIST_WORD, namesIn, namesOneList, WORDS_FOR_NO_LIST } from './named-lists.ts';

/**
 * svc asks about this text as if it were an unknown word. It means that one list column subscribes the person, and
 * another one unsubscribes the person.
 */
export const LISTS_DISAGREE = 'subscribed and unsubscribed';

/**
 * The indexes of the columns that are each about one list. Two headers show it together if each has its own word that
 * names a list: `List: News` and `List: Offers`. A single header shows it if it names one list of several:
 * `Unsubscribed from News`.
 */
export function findListColumns(columns: readonly ConsentColumn[], header: readonly string[]): ReadonlySet<number> {
  const open = columns.filter(isPlainState).map((column): OpenColumn => {
    const words = wordsOf(header[column.index] ?? '').split(' ');
    return { column, words, names: namesIn(words) };
  });
  const found = new Set<number>();
  for (const [index, first] of open.entries()) {
    for (const second of open.slice(index + 1)) {
      // A table can have thousands of lists, so two columns that were found before are not compared.
      const isFound = found.has(first.column.index) && found.has(second.column.index);
      if (!isFound && isSameKind(first, second) && areTwoLists(first, second)) {
        found.add(first.column.index).add(second.column.index);
      }
    }
  }
  const foundAlone = open
    .filter(({ column }) => namesOneList(header[column.index] ?? ''))
    .map(({ column }) => column.index);
  return new Set([...found, ...foundAlone]);
}

const STATES: ReadonlySet<string> = new Set(['status', 'agreed', 'optedOut']);

function isPlainState(column: ConsentColumn): boolean {
  const { meaning, holdsGroups, holdsStates, isPreviousStatus, needsConfirmation, isStatusOfOtherThing } = column;
  const isState = STATES.has(meaning) || holdsGroups === true;
  // A column with reasons or campaigns says too little to count as a column of one list. A column with the days of
  // opt-outs says as much as a column with a yes.
  const isText = column.filledMeansHappened && !column.holdsDates;
  return holdsStates && isState && !isText && !isPreviousStatus && !needsConfirmation && !isStatusOfOtherThing;
}

interface OpenColumn {
  readonly column: ConsentColumn;
  readonly words: readonly string[];
  /** The words that can name a list. */
  readonly names: readonly string[];
}

function isSameKind(first: OpenColumn, second: OpenColumn): boolean {
  return (first.column.meaning === 'optedOut') === (second.column.meaning === 'optedOut');
}

// True if each header has a word of its own that names a list. Headers about opt-outs must also share a word, because
// `Unsubscribed` and `Gone` are about the same opt-out. If the headers share a word such as `list`, general words are
// names too. `Newsletter status` and `Newsletter consent` are about one list: `status` and `consent` name no list.
function areTwoLists(first: OpenColumn, second: OpenColumn): boolean {
  const shared = first.words.filter((word) => second.words.includes(word));
  const areNames = shared.some((word) => LIST_WORD.test(word));
  const isNamed = ({ names }: OpenColumn) =>
    names.some((word) => !shared.includes(word) && (areNames || !WORDS_FOR_NO_LIST.has(word)));
  return isNamed(first) && isNamed(second) && (first.column.meaning !== 'optedOut' || shared.length > 0);
}
