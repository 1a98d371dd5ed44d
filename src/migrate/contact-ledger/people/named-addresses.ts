import { type AnyRow, toTextRow } from '../../../import/csv/raw-rows.ts';
import { type AddressHashSet, createAddressHashSet } from '../../../import/dedupe/address-hash-set.ts';
import type { Table } from '../../../import/mapping/table.ts';
import { isMistypedAddress, isWholeAddress, namedAddresses } from '../../../import/record/row-addresses.ts';
import { plainAddress } from '../../../import/values/address.ts';
import type { OnlyChangedOptions } from '../../../lifecycle/data/run-options.ts';
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
  /** The number of rows without an `@` in the address columns of their table. Blank rows count too. */
  readonly unnamedRows: number;
  /** The number of rows whose address columns have only parts of an address: `ben@example`, `ben@`. */
  readonly mistypedRows: number;
  addRows(rows: readonly AnyRow[], table: Pick<Table, 'addressColumns'>): void;
}

/**
 * Collects every address in any cell of the list, even if the row is skipped, merged or rejected. A person with such an
 * address is not missing (G6). A mistyped address also stands for the address that it probably means.
 */
export function createNamedAddresses(seed: string): NamedAddresses {
  const all = createAddressHashSet(seed);
  let unnamedRows = 0;
  let mistypedRows = 0;
  const addCell = (cell: string) => {
    all.add(looseKey(plainAddress(cell) ?? cell));
    addressesIn(cell).forEach((email) => all.add(looseKey(email)));
  };
  return {
    all,
    get unnamedRows() {
      return unnamedRows;
    },
    get mistypedRows() {
      return mistypedRows;
    },
    addRows(rows, { addressColumns: { usable } }) {
      for (const row of rows) {
        const { cells } = toTextRow(row);
        cells.filter(hasAt).forEach(addCell);
        const addressCells = usable.map((index) => cells[index] ?? '').filter(hasAt);
        unnamedRows += addressCells.length === 0 ? 1 : 0;
        mistypedRows += addressCells.length === 0 || addressCells.some(hasWholeAddress) ? 0 : 1;
      }
    },
  };
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
