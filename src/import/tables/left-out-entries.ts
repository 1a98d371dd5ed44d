import type { Finding } from '../../base/finding.ts';
import { SvcError } from '../../base/lib/errors.ts';
import type { State } from '../../platforms/lib/states.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';
import { columnName, mapFlag } from '../mapping/column-names.ts';
import type { InputAnswers, ReadingOptions } from '../mapping/reading-answers.ts';
import { mayBeNamedOptedOut, ownNameOf } from '../mapping/state/shared-names.ts';
import { statusColumns, type Table } from '../mapping/table.ts';
import type { LaterRows, SampledTable } from '../mapping/table-shape.ts';
import { readRows } from '../rows/read-rows.ts';
import { sourceLabel } from '../source/source.ts';
import { readAddress } from '../values/address.ts';
import { valuesOfCells } from '../values/cell-values.ts';
import { buildTable } from './build-table.ts';

// Archive entries that svc leaves out because they are no lists of people, and the findings about them. If an entry may
// say who left, svc reads it like a file that the user gives alone, and asks about its columns and its state.

const ABOUT_MAIL = /(^|\/)(posts|broadcasts)\//i;

/**
 * True for an archive entry about who opened posts and broadcasts: `posts/4.opens.csv`. Such entries contain addresses,
 * but are no lists of people.
 */
export function isAboutMail(entry: string): boolean {
  return ABOUT_MAIL.test(entry);
}

/** The hint for an archive with a list that svc does not read. */
export const HINT_TO_UNPACK = 'Unpack the archive, and give the lists in it as CSV';

/** How many rows of a table decide how svc reads it. */
export const MAX_SAMPLE_ROWS = 50;

/** An input, and what its rows say about whether svc may leave it out. */
export interface ExaminedEntry {
  readonly table: Table;
  /** True if a row says that its person left. */
  readonly saysLeft: boolean;
  /** True if a column has addresses of different people, and not one address again and again, like that of a sender. */
  readonly holdsPeople: boolean;
  /** The index of the column with the first address. Undefined if svc found none. */
  readonly addressIndex: number | undefined;
  /** True if only rows below the first ones have addresses. */
  readonly isLate: boolean;
}

interface OpenedEntry {
  readonly start: SampledTable;
  readonly table: Table;
  readonly options: ReadingOptions;
  readonly answers: InputAnswers;
}

/**
 * Finds out whether an archive entry may be a list of people who left. The first rows of such a list can have no
 * address. svc then decides by the rows with addresses how to read it, if its name says that people left. Any other
 * entry may be a table of products or orders, whose addresses are no sign-ups (C1).
 */
export async function examineEntry({ start, table, options, answers }: OpenedEntry): Promise<ExaminedEntry> {
  const { source, sample } = start;
  if (!mayBeLeftOut(table)) {
    return { table, saysLeft: false, holdsPeople: true, addressIndex: undefined, isLate: false };
  }
  // Answers for all rows and for rows without a state don't count here: each row would then say that its person left.
  const unanswered = buildTable(start, { ...options, defaultStatus: {}, reason: undefined }, answers);
  const { rows, saysLeft } = await searchRows(unanswered, sample);
  const isList = rows.length > 0 && table.columnIndexes.email < 0 && mayBeNamedOptedOut(source);
  const later = { ...start, sample: [...sample, ...rows], laterRows: [...(start.laterRows ?? []), ...rows] };
  return {
    table: isList ? buildTable(later, options, answers) : table,
    saysLeft,
    holdsPeople: holdPeople(rows),
    addressIndex: rows[0]?.findIndex(isAddress),
    isLate: rows.length > 0 && !sample.some((cells) => cells.some(isAddress)),
  };
}

function mayBeLeftOut({ source: { entry }, columnIndexes }: Table): boolean {
  return entry !== undefined && (columnIndexes.email < 0 || isAboutMail(entry));
}

/**
 * True if svc leaves out an archive entry, because it is no list of people and another entry is one. False if its name
 * may say that people left (C4). For an entry without addresses only its own name counts, not its folders and archive.
 * Also false if its first rows may be people, or rows say that people left: svc asks for its address column.
 */
export function isAboutOtherThings(examined: ExaminedEntry, all: readonly Table[]): boolean {
  const { table, saysLeft, holdsPeople, isLate, addressIndex } = examined;
  const { path, entry = '' } = table.source;
  const lists = all.filter(({ source, columnIndexes }) => source.path === path && columnIndexes.email >= 0);
  const named = addressIndex === undefined && !isAboutMail(entry) ? ownNameOf(entry) : table.source;
  if (!mayBeLeftOut(table) || !lists.some((list) => list !== table) || mayBeNamedOptedOut(named)) {
    return false;
  }
  if (isAboutMail(entry) || isLate) {
    return true;
  }
  const isOfPeople = table.addressColumns.found.some(({ isOfOtherPeople }) => !isOfOtherPeople);
  return !isOfPeople && !(saysLeft && (holdsPeople || lists.some((list) => sharesColumn(table, list))));
}

function holdPeople(rows: LaterRows): boolean {
  return [...(rows[0] ?? []).keys()].some((index) => {
    const addresses = rows.map((cells) => (cells[index] ?? '').trim().toLowerCase()).filter(isAddress);
    return addresses.length > 0 && new Set(addresses).size * 10 >= addresses.length * 9;
  });
}

function isAddress(cell: string): boolean {
  return cell.includes('@') && (readAddress(cell, true).email ?? '') !== '';
}

// True if a table has a column of a list beside its columns about states: `ID` beside `Unsubscribed at`.
function sharesColumn(table: Table, list: Table): boolean {
  const ofStates = new Set([...statusColumns(table), ...table.consentColumns.map(({ index }) => index)]);
  const names = new Set(list.header.map(bareWord));
  return table.header.some((name, index) => bareWord(name) !== '' && !ofStates.has(index) && names.has(bareWord(name)));
}

const LEFT: ReadonlySet<State> = new Set(['complained', 'bounced', 'suppressed', 'unsubscribed']);

/**
 * Finds the first rows with an address, and looks for a row that says that its person left. svc reads the whole entry
 * for that. But of a table about mails that has no column about consent, it reads only the first rows. An error ends
 * the search, because an entry that is no list of people may be broken.
 */
async function searchRows(table: Table, sample: LaterRows) {
  const rows: (readonly string[])[] = [];
  let saysLeft = false;
  const take = (cells: readonly string[]) => {
    if (rows.length < MAX_SAMPLE_ROWS && cells.some(isAddress)) {
      rows.push(cells);
    }
    saysLeft ||= LEFT.has(table.stateOf(valuesOfCells(table, cells.slice(table.svcColumns)), '').state);
  };
  if (isAboutMail(table.source.entry ?? '') && table.consentColumns.length === 0) {
    sample.forEach(take);
    return { rows, saysLeft };
  }
  try {
    for await (const part of readRows(table.source, table.dialect)) {
      part.forEach(({ cells }) => take(cells));
      if (rows.length >= MAX_SAMPLE_ROWS && saysLeft) {
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof SvcError)) {
      throw error;
    }
  }
  return { rows, saysLeft };
}

/**
 * Names archive entries that are left out because they are no lists of people, such as a platform's posts. The finding
 * says where an entry that is not about mails has addresses, because only the user knows whether it is a list. It is a
 * stop if rows say that people left, also in an entry about mails (C4).
 */
export function leftOutFindings(leftOut: readonly ExaminedEntry[]): readonly Finding[] {
  const kinds = Map.groupBy(leftOut, kindOf);
  const named = (kind: LeftOutKind, why: string): Finding[] => {
    const names = (kinds.get(kind) ?? []).map(({ table }) => sourceLabel(table.source)).join(', ');
    return names === '' ? [] : [{ check: 'columns', level: 'warn', message: `left out, because ${why}: ${names}` }];
  };
  return [
    ...named('empty', 'they hold no column of addresses'),
    ...named('mail', 'files in a folder of posts or broadcasts are about mails'),
    ...[...(kinds.get('left') ?? []), ...(kinds.get('few') ?? []), ...(kinds.get('late') ?? [])].map(addressesFinding),
  ];
}

/** Why svc leaves an entry out. `left`: it is about mails, and rows say that people left. */
type LeftOutKind = 'empty' | 'mail' | 'left' | 'few' | 'late';

function kindOf({ table, saysLeft, holdsPeople, addressIndex, isLate }: ExaminedEntry): LeftOutKind {
  if (addressIndex === undefined) {
    return 'empty';
  }
  const isMail = isAboutMail(table.source.entry ?? '');
  return isMail ? (saysLeft && holdsPeople ? 'left' : 'mail') : isLate ? 'late' : 'few';
}

const REASONS: Readonly<Record<'left' | 'few' | 'late', readonly [why: string, where: string]>> = {
  left: ['files in a folder of posts or broadcasts are about mails', 'Addresses stand in'],
  few: ['few of the first rows hold an address', 'Addresses stand in'],
  late: ['the first 50 rows hold no address', 'Addresses stand below row 50, in'],
};

function addressesFinding(examined: ExaminedEntry): Finding {
  const { table, addressIndex = 0, saysLeft, holdsPeople } = examined;
  const [why, where] = REASONS[kindOf(examined) as keyof typeof REASONS];
  const column = columnName(table, addressIndex);
  const isStop = saysLeft && holdsPeople;
  const place = `${where} ${JSON.stringify(column)}${isStop ? ', and rows say that people left' : ''}`;
  const advice = `If these are people of your list, unpack the archive and give this file alone, with ${mapFlag(table, column, 'email')}`;
  const message = `left out, because ${why}: ${sourceLabel(table.source)}. ${place}. ${advice}`;
  return { check: 'columns', level: isStop ? 'stop' : 'warn', message, hint: isStop ? HINT_TO_UNPACK : undefined };
}
