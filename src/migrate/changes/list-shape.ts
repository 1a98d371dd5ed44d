import { sumOf } from '../../base/lib/rows.ts';
import { safe } from '../../base/lib/text.ts';
import { countSvcColumns } from '../../import/mapping/table.ts';
import type { Survey } from '../../import/survey/survey-types.ts';
import type { ContactLedger, LedgerPerson } from '../../runs/contact-ledger.ts';

/** The format of a list's inputs: plain data, without any row. */
type ListShape = readonly {
  /** The file name with its digits as `#`, because exports often have a date in their name. */
  readonly name: string;
  readonly platform: string;
  readonly columns: readonly string[];
}[];

/** Recorded while the import of a list with a changed shape is not finished. No list has this shape. */
export const UNFINISHED: ListShape = [];

interface KnownList {
  readonly id: number;
  /** Distinguishes the list from others. */
  readonly name: string;
  readonly shape: ListShape;
  /** True once it was imported to its end. Until then, it may replace lists of other names. */
  readonly ended: boolean;
}

type Lists = Pick<ContactLedger, 'lists' | 'setLists' | 'dropOthers'>;

/** The lists of a ledger. The last imported list comes last. */
export function knownLists({ lists }: Pick<Lists, 'lists'>): readonly KnownList[] {
  return (lists as readonly KnownList[] | undefined) ?? [];
}

/** The list of the same name. Undefined if none was imported into this ledger (G7). */
export function ownList(ledger: Pick<Lists, 'lists'>, shape: ListShape): KnownList | undefined {
  return knownLists(ledger).find(({ name }) => name === nameOf(shape));
}

export function keepList(ledger: Lists, list: KnownList): void {
  // A file whose name has a random part makes a new list each time, so only the last lists are kept.
  const others = knownLists(ledger).filter(({ id }) => id !== list.id);
  const kept = [...others.slice(-MOST_LISTS), list];
  ledger.setLists(kept);
  if (others.length > MOST_LISTS) {
    ledger.dropOthers(kept.map(({ id }) => id));
  }
}

const MOST_LISTS = 100;

export function nameOf(shape: ListShape): string {
  return shape.map(({ name }) => name).join(', ');
}

/** The shape of a list. A list without a header has numbered columns. */
export function shapeOf({ inputs }: Pick<Survey, 'inputs'>): ListShape {
  return inputs.map(({ name, entry, platform, dialect, reading }) => ({
    name: `${name}${entry === undefined ? '' : `/${entry}`}`.replace(/\d+/g, '#'),
    platform,
    columns:
      dialect.header.length > 0 ? dialect.header.map(String) : reading.columns.map((_, index) => `column ${index + 1}`),
  }));
}

/**
 * True if an input is a rejects file. It has only a few rows of a list, so it does not show who is missing in that
 * list. Its columns are not those of the list either (G7).
 */
export function holdsRejects({ inputs }: Pick<Survey, 'inputs'>): boolean {
  return inputs.some(({ dialect }) => countSvcColumns(dialect.header.map(String)) > 0);
}

/** True for people whom one of these lists holds. */
export function isOf(lists: readonly number[]): (person: LedgerPerson) => boolean {
  return (person) => person.lists.some((list) => lists.includes(list));
}

export interface LedgerLists {
  /** The list itself, or under a new name the lists that it replaces. */
  readonly lists: readonly number[];
  /** Number of their people. A person who is not in the new list is missing. */
  readonly listed: number;
  /** How the list differs in shape from the last one. Undefined if it has the same shape. */
  readonly otherShape?: string | undefined;
}

/** The list beside those of the ledger: which of them it continues, and how it differs in shape from the last one. */
export function describeList(
  ledger: Pick<ContactLedger, 'lists' | 'counts'>,
  survey: Pick<Survey, 'inputs'>,
  absent: Iterable<LedgerPerson>,
): LedgerLists {
  if (holdsRejects(survey)) {
    return { lists: [], listed: 0 };
  }
  const shape = shapeOf(survey);
  const own = ownList(ledger, shape);
  const last = own ?? knownLists(ledger).at(-1);
  const sizes = ledger.counts();
  const replaced = own?.ended === true ? [] : replacedLists(sizes, absent);
  const lists = [...new Set(own ? [own.id, ...replaced] : replaced)];
  return {
    lists,
    listed: sumOf(lists.map((list) => sizes.get(list) ?? 0)),
    otherShape: last && otherShape(last.shape, shape),
  };
}

/**
 * The lists that a list with a new name replaces: it holds most of their people. Another list for the same audience has
 * other people, and keeps them (G7).
 */
function replacedLists(sizes: ReadonlyMap<number, number>, missed: Iterable<LedgerPerson>): number[] {
  const present = new Map(sizes);
  const newlyMissing = new Map<number, number>();
  for (const { lists, missingSince } of missed) {
    for (const list of lists) {
      addToCount(present, list, -1);
      addToCount(newlyMissing, list, missingSince === undefined ? 1 : 0);
    }
  }
  return [...present].filter(([list, count]) => count > (newlyMissing.get(list) ?? 0)).map(([list]) => list);
}

function addToCount(counts: Map<number, number>, list: number, difference: number): void {
  counts.set(list, (counts.get(list) ?? 0) + difference);
}

function otherShape(last: ListShape, now: ListShape): string | undefined {
  if (last.length === UNFINISHED.length) {
    return 'the last list had another shape, and its import did not finish';
  }
  if (last.length !== now.length) {
    return `the last list had ${last.length} inputs, and this one has ${now.length}`;
  }
  for (const [index, before] of last.entries()) {
    const after = now[index] as ListShape[number];
    if (before.name !== after.name) {
      return `the last list was ${safe(before.name)}, and this one is ${safe(after.name)}`;
    }
    if (before.platform !== after.platform) {
      return `the last list was read as ${before.platform}, and this one is read as ${after.platform}`;
    }
    const columns = differingColumns(before.columns, after.columns);
    if (columns !== undefined) {
      return columns;
    }
  }
  return undefined;
}

function differingColumns(before: readonly string[], after: readonly string[]): string | undefined {
  const lost = before.find((column) => !after.includes(column));
  if (lost !== undefined) {
    return `the list no longer has the column "${safe(lost)}"`;
  }
  const added = after.find((column) => !before.includes(column));
  return added === undefined ? undefined : `the list has a new column "${safe(added)}"`;
}
