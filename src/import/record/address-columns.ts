import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import { markAt } from '../consent-columns/other-columns/address-marks.ts';
import type { FoundAddressColumn } from '../mapping/found-addresses.ts';
import type { MapAnswer } from '../mapping/reading-answers.ts';
import type { AddressColumns, Table } from '../mapping/table.ts';
import { plainAddress, readAddress } from './address.ts';

/** The column that holds the address of a row, and the addresses in its other address columns. */
export interface AddressPlace {
  /** Column index; -1 if the table has no such column. */
  readonly at: number;
  readonly cell: string;
  /**
   * The other addresses of the row. No other row may sign them up, so they get the state of this row, but nothing is
   * sent to them (rule C9).
   */
  readonly beside: readonly string[];
  /** The addresses of `beside` in columns that are not sent as attributes either. */
  readonly unsent: readonly string[];
  /** Addresses in columns without an address header. They are sent as attributes, too. */
  readonly found: readonly FoundAddress[];
}

export interface FoundAddress {
  readonly email: string;
  readonly column: FoundAddressColumn;
}

/**
 * The address columns of a table, in order of preference: those that --map names, in flag order; then the platform's
 * own; then the others from the left. Only the first usable address is written. The others are read only because
 * opt-outs also count for them.
 */
export function addressColumns(
  columns: readonly ColumnTarget[],
  named: ReadonlyMap<number, MapAnswer>,
): Pick<AddressColumns, 'usable' | 'other'> {
  const asked = [...named].flatMap(([at, { target }]) => (target.kind === 'email' ? [at] : []));
  const own = positions(columns, 'email');
  const other = positions(columns, 'other_email');
  return asked.length > 0 ? { usable: asked, other } : { usable: [...own, ...other], other: [] };
}

function positions(columns: readonly ColumnTarget[], kind: ColumnTarget['kind']): number[] {
  return columns.flatMap((target, at) => (target.kind === kind ? [at] : []));
}

/** The first column of a row that holds a usable address. If none does, the first column that isn't empty. */
export function findAddress(
  table: Pick<Table, 'addressColumns'>,
  cells: readonly string[],
): Omit<AddressPlace, 'cell'> {
  const { usable, other, kept, found } = table.addressColumns;
  if (usable.length + other.length + kept.length + found.length <= 1) {
    return { at: usable[0] ?? -1, beside: NONE, unsent: NONE, found: NOT_FOUND };
  }
  const at =
    usable.find((column) => isUsable(cells[column] ?? '')) ??
    usable.find((column) => (cells[column] ?? '').trim() !== '') ??
    usable[0] ??
    -1;
  const namedIn = (columns: readonly number[]) => {
    const others = columns.filter((column) => column !== at && (cells[column] ?? '') !== '');
    return others.length === 0 ? NONE : others.flatMap((column) => namedAddresses(cells[column] as string));
  };
  const unsent = namedIn([...usable, ...other]);
  return {
    at,
    beside: kept.length === 0 ? unsent : [...unsent, ...namedIn(kept)],
    unsent,
    found: found.flatMap((column) => namedIn([column.at]).map((email) => ({ email, column }))),
  };
}

const NONE: readonly string[] = [];
const NOT_FOUND: readonly FoundAddress[] = [];

function isUsable(cell: string): boolean {
  return plainAddress(cell) !== undefined || readAddress(cell, true).problem === undefined;
}

/**
 * All addresses in a cell, each in its canonical form: several in a row, `mailto:`, a name with an address, quotes,
 * invisible characters, marks such as `UNSUB-`. The search is broad on purpose. Its result only prevents sign-ups (rule
 * C9); nothing is sent to these addresses.
 */
export function namedAddresses(cell: string): string[] {
  const found = new Set<string>();
  for (const text of new Set([cell, cell.normalize('NFKC'), correctAddress(cell)])) {
    const words = text.toLowerCase().replace(UNSEEN, '').split(BETWEEN);
    for (const word of words.filter((one) => one.includes('@'))) {
      for (const part of [word, markAt(word)?.address ?? word, ...word.split(INSIDE)]) {
        addForms(found, part);
      }
    }
  }
  return [...found];
}

/** True for an address with a likely slip, such as `ana@example.com.` or `ana@example..com`. */
export function isMistyped(email: string): boolean {
  return /^\.|\.$|\.\.|\.@|@\.|[?\\/&=%]/.test(email);
}

// Corrects slips: `ana (at) example.com`, `ana @example.com`, `ana&#64;example.com`, `ana@example,com`,
// `ana@example..com`.
function correctAddress(cell: string): string {
  return cell
    .replace(/%([2-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(?:64|x40);|\s*[([{]\s*(?:at|@)\s*[)\]}]\s*|\s*@\s*/gi, '@')
    .replace(/\s*[([{]\s*(?:dot|punkt|\.)\s*[)\]}]\s*|\.{2,}|(?<=@[\w-]+),(?=\p{L}{2,4}$)/giu, '.')
    .replace(/\.(?=@)|(?<=@)\./g, '');
}

// Invisible characters.
const UNSEEN = /\p{Cf}+/gu;
// Characters between the addresses of a cell.
const BETWEEN = /[\s\p{Cc},;|<>"()[\]{}‘’“”„«»`]+/u;
// These characters are rare in addresses, and usual between and around them.
const INSIDE = /[:/\\&?=]+/u;
// Text with exactly one `@`, not at its ends.
const ADDRESS = /^[^@]+@[^@]+$/u;

function addForms(found: Set<string>, part: string): void {
  const unquoted = part.replace(/^'+/u, '').replace(/'+$/u, '');
  for (const form of [part, unquoted, unquoted.replace(/^[.*_~#!-]+/u, '').replace(/[.*_~#!-]+$/u, '')]) {
    if (ADDRESS.test(form)) {
      found.add(form);
    }
  }
}
