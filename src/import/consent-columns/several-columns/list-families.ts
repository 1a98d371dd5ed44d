import type { TableShape } from '../../../platforms/lib/platform.ts';
import { SUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import type { HeaderReading } from '../headers/header-reading.ts';
import { readHeader } from '../headers/read-header.ts';
import { isEmptyValue, readYesNo, STATE_WORDS, wordLookupKey } from '../value-words.ts';
import { beginsWithList } from './named-lists.ts';

/** The filled cells of a column in the first rows. */
export function filledCells({ sample }: TableShape, index: number): readonly string[] {
  return sample.map((row) => row[index] ?? '').filter((cell) => !isEmptyValue(cell));
}

const LIST_READING: HeaderReading = { meaning: 'agreed', asksAboutUnknown: true, filledMeansHappened: false };

/**
 * The meaning of a column such as `List: News`, if such columns say who is on each list. Undefined if their cells are
 * names of lists. The cells of all such columns count, because in one of them all people of the first rows can be
 * subscribed.
 */
export function namedList(shape: TableShape, index: number): HeaderReading | undefined {
  return beginsWithList(shape.header[index] ?? '') && familyHoldsStates(shape) ? LIST_READING : undefined;
}

const familyByShape = new WeakMap<TableShape, boolean>();

// True if all cells of the first rows under headers such as `List: News` are states or answers. Found once for a table,
// because it may have thousands of lists.
function familyHoldsStates(shape: TableShape): boolean {
  const cached = familyByShape.get(shape);
  const isFamily = (header: string) => beginsWithList(header) && readHeader(header)?.holdsGroups === true;
  const holdsStates =
    cached ??
    [...shape.header.keys()]
      .filter((index) => isFamily(shape.header[index] ?? ''))
      .every((index) => filledCells(shape, index).every((cell) => isState(cell) || readYesNo(cell) !== undefined));
  familyByShape.set(shape, holdsStates);
  return holdsStates;
}

function isState(cell: string): boolean {
  return STATE_WORDS.has(wordLookupKey(cell));
}

/** The indexes of columns without those in `others`, in which all filled cells of the first rows say subscribed. */
export function findSubscribedColumns(shape: TableShape, others: ReadonlySet<number>): readonly number[] {
  return [...shape.header.keys()].filter((index) => {
    const cells = others.has(index) ? [] : filledCells(shape, index);
    return cells.length > 0 && cells.every((cell) => STATE_WORDS.get(wordLookupKey(cell)) === SUBSCRIBED);
  });
}
