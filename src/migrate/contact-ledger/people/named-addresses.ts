import { type AnyRow, toTextRow } from '../../../import/csv/row-types.ts';
import { type AddressHashSet, createAddressHashSet } from '../../../import/dedupe/address-hash-set.ts';
import { columnName, mapFlag } from '../../../import/mapping/column-names.ts';
import type { Table } from '../../../import/mapping/table.ts';
import {
  findAddress,
  isMistypedAddress,
  isWholeAddress,
  namedAddresses,
} from '../../../import/record/row-addresses.ts';
import { plainAddress } from '../../../import/values/address.ts';
import type { OnlyChangedOptions } from '../../../run-lifecycle/data/run-options.ts';
import { looseKey } from '../../../wire/person-key.ts';

interface CountedMissing {
  readonly missing: number;
  readonly unnamedRows: number;
}

/**
 * The number of people whom `--gone unsubscribe` opts out. It is 0 if a row has no whole address, because that row may
 * belong to a missing person. Then svc only reports the missing people (G6).
 */
export function countMissingOptOuts(asked: OnlyChangedOptions | undefined, counts: CountedMissing | undefined): number {
  return counts && asked?.gone === 'unsubscribe' && counts.unnamedRows === 0 ? counts.missing : 0;
}

/** The addresses in any cell of a list. */
export interface NamedAddresses {
  /** Hashes of the addresses. Spellings that the service may take for one address have one hash. */
  readonly all: AddressHashSet;
  /**
   * Hashes of the addresses in the cell from which svc takes the address of a row. Skipped and rejected rows count too.
   */
  readonly own: AddressHashSet;
  /** The addresses in all other cells, by input and column. */
  readonly beside: ReadonlyMap<string, ColumnAddresses>;
  /** The number of rows without an `@` in the address columns of their table. Blank rows count too. */
  readonly unnamedRows: number;
  /** The number of rows whose address columns have only parts of an address: `ben@example`, `ben@`. */
  readonly mistypedRows: number;
  addRows(rows: readonly AnyRow[], table: Table): void;
}

/** A column of the list, and its addresses that svc does not take as the address of their row. */
interface ColumnAddresses {
  /** The name of the column. */
  readonly column: string;
  readonly addresses: AddressHashSet;
  /** The flag that makes them the addresses of their rows. */
  readonly mapFlag: string;
}

/**
 * Collects every address in any cell of the list, even if the row is skipped, merged or rejected. A person with such an
 * address is not missing (G6). A mistyped address also stands for the address that it probably means.
 */
export function createNamedAddresses(seed: string): NamedAddresses {
  const all = createAddressHashSet(seed);
  const own = createAddressHashSet(seed);
  const beside = new Map<string, ColumnAddresses>();
  let unnamedRows = 0;
  let mistypedRows = 0;
  const besideIn = (table: Table, index: number): AddressHashSet => {
    const key = `${table.source.index}:${index}`;
    const known = beside.get(key) ?? columnAddresses(table, index, seed);
    beside.set(key, known);
    return known.addresses;
  };
  const addCell = (cell: string, place: AddressHashSet) => {
    for (const text of [plainAddress(cell) ?? cell, ...addressesIn(cell)]) {
      const key = looseKey(text);
      all.add(key);
      place.add(key);
    }
  };
  return {
    all,
    get unnamedRows() {
      return unnamedRows;
    },
    get mistypedRows() {
      return mistypedRows;
    },
    own,
    beside,
    addRows(rows, table) {
      const { usable } = table.addressColumns;
      for (const row of rows) {
        const { cells } = toTextRow(row);
        const ownIndex = findAddress(table, cells).index;
        for (const [index, cell] of cells.entries()) {
          if (hasAt(cell)) {
            addCell(cell, index === ownIndex ? own : besideIn(table, index));
          }
        }
        const addressCells = usable.map((index) => cells[index] ?? '').filter(hasAt);
        unnamedRows += addressCells.length === 0 ? 1 : 0;
        mistypedRows += addressCells.length === 0 || addressCells.some(hasWholeAddress) ? 0 : 1;
      }
    },
  };
}

function columnAddresses(table: Table, index: number, seed: string): ColumnAddresses {
  const column = columnName(table, index);
  return { column, mapFlag: mapFlag(table, column, 'email'), addresses: createAddressHashSet(seed) };
}

function hasAt(cell: string): boolean {
  return cell.includes('@');
}

function addressesIn(cell: string): string[] {
  const plain = plainAddress(cell);
  return plain === undefined || isMistypedAddress(plain) ? namedAddresses(cell) : [plain];
}

/** True if the cell names an address that can exist. U+FFFD stands for a character that could not be decoded. */
function hasWholeAddress(cell: string): boolean {
  return addressesIn(cell).some((email) => isWholeAddress(email) && !email.includes('\uFFFD'));
}
