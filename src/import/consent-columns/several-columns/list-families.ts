import type { TableShape } from '../../../platforms/lib/platform.ts';
import type { HeaderReading } from '../headers/header-reading.ts';
import { readHeader } from '../headers/read-header.ts';
import { meaningOfValues } from '../meaning-of-values.ts';
import { isEmptyValue, keyOf, STATE_WORDS, yesNoIn } from '../value-words.ts';
import { wordsOf } from '../words-and-stems.ts';
import { isListName, namesOneList } from './named-lists.ts';

/** The filled cells of a column in the first rows. */
export function filledCells({ sample }: TableShape, at: number): readonly string[] {
  return sample.map((row) => row[at] ?? '').filter((cell) => !isEmptyValue(cell));
}

const OF_LIST: HeaderReading = { meaning: 'agreed', asksAboutUnknown: true, filledMeansHappened: false };

/**
 * The meaning of a column such as `List: News`, if such columns say who is on each list. The cells of all of them
 * count, because in one column all people of the first rows can be subscribed. Undefined if cells are names of lists.
 */
export function namedList(shape: TableShape, at: number): HeaderReading | undefined {
  return namesOneList(shape.header[at] ?? '') && familyOf(shape).holdsStates ? OF_LIST : undefined;
}

/** What the columns of a table show about lists. */
interface ListFamily {
  /** True if all cells under headers such as `List: News` are states or answers. */
  readonly holdsStates: boolean;
  /** The indexes of columns such as `Press` that hold states although their headers say nothing. */
  readonly byValues: readonly number[];
}

const families = new WeakMap<TableShape, ListFamily>();

// Found once for a table, because it may have thousands of lists.
function familyOf(shape: TableShape): ListFamily {
  const known = families.get(shape);
  const indexes = [...shape.header.keys()];
  const nameOf = (at: number) => shape.header[at] ?? '';
  const family = known ?? {
    holdsStates: indexes
      .filter((at) => namesOneList(nameOf(at)) && readHeader(nameOf(at))?.holdsGroups === true)
      .every((at) => filledCells(shape, at).every((cell) => isState(cell) || yesNoIn(cell) !== undefined)),
    byValues: indexes.filter(
      (at) => mayBeList(nameOf(at)) && meaningOfValues(nameOf(at), filledCells(shape, at))?.meaning === 'status',
    ),
  };
  families.set(shape, family);
  return family;
}

const BESIDE_LISTS: HeaderReading = {
  meaning: 'status',
  asksAboutUnknown: false,
  filledMeansHappened: false,
  statusOfOtherThing: true,
};

/**
 * The meaning of a column such as `Products` in which each cell of the first rows is `active`, if a column such as
 * `Press` has states too. It never signs a person up, but it may contradict the other column.
 */
export function besideLists(shape: TableShape, at: number): HeaderReading | undefined {
  const cells = filledCells(shape, at);
  const holdsStates = cells.length > 0 && cells.every(isState);
  const isBeside =
    holdsStates && mayBeList(shape.header[at] ?? '') && familyOf(shape).byValues.some((other) => other !== at);
  return isBeside ? BESIDE_LISTS : undefined;
}

function mayBeList(header: string): boolean {
  return readHeader(header) === undefined && wordsOf(header).split(' ').some(isListName);
}

function isState(cell: string): boolean {
  return STATE_WORDS.has(keyOf(cell));
}
