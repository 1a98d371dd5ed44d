import { NAME_COLUMN_KINDS } from '../../platforms/lib/platform.ts';
import { LONGEST_ADDRESS_BYTES } from '../../wire/limits.ts';
import { findMark } from '../consent-columns/other-columns/address-marks.ts';
import { PERSON_NAME_HEADER } from '../consent-columns/other-columns/name-marks.ts';
import { wordsOf } from '../consent-columns/words/plain-words.ts';
import { type FoundAddressColumn, namesAnotherPerson } from '../mapping/address-columns.ts';
import type { Table } from '../mapping/table.ts';
import { plainAddress, readAddress } from '../values/address.ts';

/** The column and the cell that give the address of a row, and the addresses in its other address columns. */
export interface RowAddress {
  /** The index of the column; -1 if the table has none. */
  readonly index: number;
  readonly cell: string;
  /**
   * Further addresses in the row. An opt-out of the row holds for them too, so that no other row signs these people up
   * (C9). They become no contacts.
   */
  readonly beside: readonly string[];
  /**
   * The further addresses of the row that are not sent at all, because their column does not become an attribute.
   * Addresses that svc had to correct are among them, although `beside` leaves them out.
   */
  readonly unsent: readonly string[];
  /**
   * Addresses that may be another person's. Either the header of their column does not mean an address (`Contact 2`),
   * or svc had to correct the text in their cell.
   */
  readonly found: readonly FoundAddress[];
}

/**
 * An address that may be another person's, so no row suppresses it. It stands in a column whose header does not mean an
 * address (`Contact 2`), or svc had to correct it.
 */
export interface FoundAddress {
  readonly email: string;
  readonly column: FoundAddressColumn;
}

/**
 * Finds the column of a row's address, and the addresses in its other columns. Of the `usable` columns it takes the
 * first with a valid address, otherwise the first that is not blank.
 */
export function findAddress(table: Pick<Table, 'addressColumns'>, cells: readonly string[]): Omit<RowAddress, 'cell'> {
  const { usable, other, sentAsAttributes, found } = table.addressColumns;
  if (usable.length + other.length + sentAsAttributes.length + found.length <= 1) {
    return { index: usable[0] ?? -1, beside: NONE, unsent: NONE, found: [] };
  }
  const index =
    usable.find((column) => hasValidAddress(cells[column] ?? '')) ??
    usable.find((column) => (cells[column] ?? '').trim() !== '') ??
    usable[0] ??
    -1;
  const peopleIn = (columns: readonly number[]) =>
    columns.flatMap((column) => (column === index || !cells[column] ? [] : [peopleInCell(cells[column])]));
  const peopleUnsent = peopleIn([...usable, ...other]);
  const peopleBeside = [...peopleUnsent, ...peopleIn(sentAsAttributes)];
  return {
    index,
    beside: peopleBeside.flatMap(({ emails, isCorrected }) => (isCorrected ? [] : emails)),
    unsent: peopleUnsent.flatMap(({ emails }) => emails),
    found: [
      ...found.flatMap((column) =>
        peopleIn([column.index]).flatMap(({ emails }) => emails.map((email) => ({ email, column }))),
      ),
      ...peopleBeside.flatMap(({ emails, isCorrected }) => (isCorrected ? asCorrected(emails) : [])),
    ],
  };
}

/**
 * The addresses in a cell. `isCorrected` is true if svc had to correct the text to find one of them. Then each of them
 * may be another person's.
 */
export function peopleInCell(cell: string): { readonly emails: string[]; readonly isCorrected: boolean } {
  const emails = namedAddresses(cell);
  const words = cell.toLowerCase().split(BETWEEN_WHOLE_ADDRESSES);
  const whole = new Set(words.map((word) => word.replace(BRACKETS, '')));
  return { emails, isCorrected: !emails.every((email) => whole.has(email) && !isMistypedAddress(email)) };
}

// Matches characters that only stand between addresses, never inside one: blanks, commas, semicolons, angle brackets.
const BETWEEN_WHOLE_ADDRESSES = /[\s,;|<>]+/u;
// Matches brackets and quotes around a word. The look-behind keeps the time linear.
const BRACKETS = /^["'([{]+|(?<!["')\]}])["')\]}]+$/gu;

/** Marks addresses as corrected by svc, so that no row suppresses them. */
export function asCorrected(emails: readonly string[]): FoundAddress[] {
  return emails.map((email) => ({ email, column: CORRECTED }));
}

// The column of each corrected address: none (-1). So no report counts such an address for a column.
const CORRECTED: FoundAddressColumn = { index: -1, isOfOtherPeople: false };

const NONE: readonly string[] = [];

function hasValidAddress(cell: string): boolean {
  return plainAddress(cell) !== undefined || readAddress(cell, true).problem === undefined;
}

/**
 * The addresses in the other columns of a row whose address column has no address. The cells of the row may be swapped:
 * `ben@example.com,Ben` below `Name,Email`. A column about other people is left out. If the address cell is blank, only
 * an address in a column of names counts, because one below `Owner` belongs to another person.
 */
export function addressesElsewhere(
  {
    table: { header, columns, addressColumns },
    cells,
  }: {
    readonly table: Pick<Table, 'header' | 'columns' | 'addressColumns'>;
    readonly cells: readonly string[];
  },
  isBlank: boolean,
): FoundAddress[] {
  return cells.flatMap((cell, index) => {
    const email = plainAddress(cell);
    const column = header[index] ?? '';
    const isKnown = addressColumns.found.some((known) => known.index === index);
    const isName = NAME_COLUMN_KINDS.has(columns[index]?.kind) || PERSON_NAME_HEADER.test(wordsOf(column));
    const mayBeOther = namesAnotherPerson(column) || (isBlank && !isName);
    return email === undefined || isKnown || mayBeOther ? [] : [{ email, column: { index, isOfOtherPeople: false } }];
  });
}

// Matches the signs that stand for hidden letters: `a***@example.com`. Exports of opt-outs can hide addresses.
const HIDDEN_LETTERS = /[*#•●]{2}|…/u;

/** True for an address without hidden letters whose domain can exist: it has a dot, and no punctuation at its end. */
export function isWholeAddress(email: string): boolean {
  return !HIDDEN_LETTERS.test(email) && /@[^@]*[\p{L}\p{M}\p{N}]\.[^@.]*[\p{L}\p{M}\p{N}]$/u.test(email);
}

/**
 * All addresses in a cell, in canonical form. The search also finds addresses in `mailto:` links, in `Ana
 * <ana@example.com>`, in quotes, and after marks such as `UNSUB-`. It is broad on purpose: its result only prevents
 * sign-ups (C9), and svc sends nothing to these addresses.
 */
export function namedAddresses(cell: string): string[] {
  const found = new Set<string>();
  const corrected = correctAddress(cell);
  // One address may have blanks inside: `b en@example.com`. In a longer text they separate words.
  const joined = cell.length > LONGEST_ADDRESS_BYTES ? cell : corrected.replace(/[\s\p{Cc}]+/gu, '');
  for (const text of new Set([cell, cell.normalize('NFKC'), corrected, joined])) {
    const words = text.toLowerCase().replace(INVISIBLE, '').split(BETWEEN_ADDRESSES);
    for (const word of words.filter((word) => word.includes('@'))) {
      for (const part of [word, findMark(word)?.address ?? word, ...word.split(INSIDE)]) {
        addForms(found, part);
      }
    }
  }
  return [...found];
}

/** True for an address with hidden letters or a probable typing error: `ana@example.com.`, `_ana@example.com`. */
export function isMistypedAddress(email: string): boolean {
  return HIDDEN_LETTERS.test(email) || /^[^\p{L}\p{N}]|[^\p{L}\p{M}\p{N}]$|\.\.|\.@|@\.|@[^.]*$|[?\\/&=%]/u.test(email);
}

// Corrects typing errors: `ana (at) example.com`, `ana @example.com`, `ana@@example.com`, `&#97;na@example.com`,
// `ana@example,com`, `ana@example..com`, `"ana"@example.com`.
function correctAddress(cell: string): string {
  return cell
    .replace(/%([2-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(x[\da-f]{2}|\d{2,3});/gi, (_, code) => String.fromCharCode(Number(code.replace(/^x/i, '0x'))))
    .replace(/(?<!\s)\s*(?:[@＠]+|&commat;|[([{]\s*(?:at?|@)\s*[)\]}])\s*/gi, '@')
    .replace(/(?<!\s)\s*[([{]\s*(?:dot|punkt|\.)\s*[)\]}]\s*|\.{2,}|(?<=@[\w.-]+)[,;](?=\p{L}{2,4}$)/giu, '.')
    .replace(/\.(?=@)|(?<=@)\.|"(?=(?:[^"@\s]*")?@)/g, '');
}

// Matches invisible characters.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/gu;
// Matches characters between the addresses of a cell.
const BETWEEN_ADDRESSES = /[\s\p{Cc},;|<>"()[\]{}‘’“”„«»`]+/u;
// Matches characters that are rare inside addresses and frequent between them: `To:ana@example.com`.
const INSIDE = /[:/\\&?=]+/u;
// Matches the punctuation around an address. The look-behind keeps the time linear.
const EDGE_PUNCTUATION = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/gu;
// Matches text with exactly one `@`, which is neither first nor last.
const ADDRESS = /^[^@]+@[^@]+$/u;

function addForms(found: Set<string>, part: string): void {
  const unquoted = part.replace(/^'+/u, '').replace(/(?<!')'+$/u, '');
  for (const form of [part, unquoted, unquoted.replace(EDGE_PUNCTUATION, '')]) {
    if (ADDRESS.test(form)) {
      found.add(form);
    }
  }
}
