import { addToCount, sumOf } from '../../base/lib/rows.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { countSvcColumns } from '../../import/mapping/table.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { ContactLedger, LedgerPerson } from '../../ledgers/contact-ledger.ts';

/** The shape of a list: name, platform and columns of each input. */
type ListShape = readonly {
  /** The file name with `#` for each number, because exports often have a date in their name: `members-#-#.csv`. */
  readonly name: string;
  readonly platform: string;
  readonly columns: readonly string[];
}[];

/**
 * The ledger stores this value in place of the shape, while a list with changed columns is imported. No real list has
 * this shape, so the next run sees that the import did not finish.
 */
export const UNFINISHED_SHAPE: ListShape = [];

interface KnownList {
  readonly id: number;
  /** The file names of the list's inputs. Lists with the same names are versions of one list. */
  readonly name: string;
  readonly shape: ListShape;
  /** True once an import of the list ended. Until then the list may replace lists with other names. */
  readonly ended: boolean;
  /** The last run whose import of the list ended. Undefined in ledgers of an older svc. */
  readonly run?: string | undefined;
  /**
   * The last run that compared its list with the list before it, if that is not `run`. A run without --gone whose list
   * is in another folder does not compare, so the folder of its list does not count yet.
   */
  readonly placeRun?: string | undefined;
}

type Lists = Pick<ContactLedger, 'lists' | 'setLists' | 'removeOtherLists'>;

/** The lists of a ledger, in the order of their last import. */
export function knownLists({ lists }: Pick<Lists, 'lists'>): readonly KnownList[] {
  return (lists as readonly KnownList[] | undefined) ?? [];
}

/** The list of the ledger with the same name (G7). Undefined if there is none. */
export function listOfSameName(ledger: Pick<Lists, 'lists'>, shape: ListShape): KnownList | undefined {
  return knownLists(ledger).find(({ name }) => name === listNameOf(shape));
}

/** Stores a list as the last list of the ledger. */
export function storeList(ledger: Lists, list: KnownList): void {
  // If a file name has a random part, each import makes a new list. So only the last 100 other lists are kept.
  const others = knownLists(ledger).filter(({ id }) => id !== list.id);
  const newestLists = [...others.slice(-MAX_LISTS), list];
  ledger.setLists(newestLists);
  if (others.length > MAX_LISTS) {
    ledger.removeOtherLists(newestLists.map(({ id }) => id));
  }
}

const MAX_LISTS = 100;

export function listNameOf(shape: ListShape): string {
  return shape.map(({ name }) => name).join(', ');
}

/** The shape of the list that was read. Columns of a list without a header are numbered. */
export function listShapeOf({ inputs }: Pick<Survey, 'inputs'>): ListShape {
  return inputs.map(({ name, entry, platform, dialect, reading }) => ({
    name: `${name}${entry === undefined ? '' : `/${entry}`}`.replace(/\d+/g, '#'),
    platform,
    columns:
      dialect.header.length > 0 ? dialect.header.map(String) : reading.columns.map((_, index) => `column ${index + 1}`),
  }));
}

/**
 * True if an input is a rejects file. Such a file has only some rows of a list, so it can't show who is missing (G7).
 */
export function hasRejectsFile({ inputs }: Pick<Survey, 'inputs'>): boolean {
  return inputs.some(({ dialect }) => countSvcColumns(dialect.header.map(String)) > 0);
}

/** Returns a function that is true for a person in one of the lists. */
export function isInOneOf(listIds: readonly number[]): (person: LedgerPerson) => boolean {
  return (person) => person.lists.some((listId) => listIds.includes(listId));
}

/** How a list relates to the earlier lists that this machine sent to the audience. */
export interface LedgerLists {
  /**
   * The ids of the list and of the lists that it replaces. Only people of these lists can be missing in the new list.
   */
  readonly lists: readonly number[];
  /** The number of people in `lists`. */
  readonly listed: number;
  /** How the columns or the platform differ from the last list, as a message. Undefined if they are the same. */
  readonly otherShape?: string | undefined;
}

/**
 * Returns which earlier lists this list continues or replaces, and how its shape differs from that of the last list.
 */
export function earlierListsOf(
  ledger: Pick<ContactLedger, 'lists' | 'counts'>,
  survey: Pick<Survey, 'inputs' | 'contacts'>,
  absent: Iterable<LedgerPerson>,
): LedgerLists {
  if (hasRejectsFile(survey)) {
    return { lists: [], listed: 0 };
  }
  const shape = listShapeOf(survey);
  const own = listOfSameName(ledger, shape);
  const last = own ?? knownLists(ledger).at(-1);
  const sizes = ledger.counts();
  const replaced = own?.ended === true ? [] : replacedLists(sizes, absent, survey.contacts);
  const listIds = [...new Set(own ? [own.id, ...replaced] : replaced)];
  return {
    lists: listIds,
    listed: sumOf(listIds.map((listId) => sizes.get(listId) ?? 0)),
    otherShape: last && shapeDifference(last.shape, shape),
  };
}

/**
 * The earlier lists that this list replaces. An earlier list is replaced if more of its people are in this list than
 * are newly missing, and if they are more than half of this list. So a large list does not replace a small one only
 * because it has most of its people. Both lists may come again, and the people of the small one must stay (G7).
 */
function replacedLists(
  sizes: ReadonlyMap<number, number>,
  absent: Iterable<LedgerPerson>,
  contactCount: number,
): number[] {
  const present = new Map(sizes);
  const newlyMissing = new Map<number, number>();
  for (const { lists, missingSince } of absent) {
    for (const listId of lists) {
      addToCount(present, listId, -1);
      addToCount(newlyMissing, listId, missingSince === undefined ? 1 : 0);
    }
  }
  return [...present]
    .filter(([list, count]) => count > (newlyMissing.get(list) ?? 0) && 2 * count > contactCount)
    .map(([list]) => list);
}

/** How the shape of a list differs from the last list, as a message. Undefined if it is the same. */
function shapeDifference(last: ListShape, now: ListShape): string | undefined {
  if (last.length === UNFINISHED_SHAPE.length) {
    return 'the last list had another name or other columns, and its import did not finish';
  }
  if (last.length !== now.length) {
    return `the last list had ${last.length} inputs, and this one has ${now.length}`;
  }
  for (const [index, before] of last.entries()) {
    const after = now[index] as ListShape[number];
    if (before.name !== after.name) {
      const digits = /#/.test(before.name + after.name) ? ' (# stands for digits)' : '';
      return `the last list was ${terminalSafe(before.name)}, and this one is ${terminalSafe(after.name)}${digits}`;
    }
    if (before.platform !== after.platform) {
      return `the last list was read as ${before.platform}, and this one is read as ${after.platform}`;
    }
    const difference = differingColumns(before.columns, after.columns);
    if (difference !== undefined) {
      return difference;
    }
  }
  return undefined;
}

function differingColumns(before: readonly string[], after: readonly string[]): string | undefined {
  const lost = before.find((column) => !after.includes(column));
  if (lost !== undefined) {
    return `the list no longer has the column "${terminalSafe(lost)}"`;
  }
  const added = after.find((column) => !before.includes(column));
  return added === undefined ? undefined : `the list has a new column "${terminalSafe(added)}"`;
}
