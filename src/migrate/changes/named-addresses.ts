import { type AnyRow, textRow } from '../../import/csv/byte-row.ts';
import { type AddressHashSet, createAddressHashSet } from '../../import/dedupe/address-hash-set.ts';
import { looseKey, plainAddress } from '../../import/record/address.ts';
import { namedAddresses } from '../../import/record/address-columns.ts';

export interface NamedAddresses {
  /** Comparison keys of every address in any cell of the list. */
  readonly all: AddressHashSet;
  readonly unnamedRows: number;
  addRows(rows: readonly AnyRow[]): void;
}

/**
 * Collects every address that the list names in any cell, even if its row is skipped, merged or rejected. None of them
 * is missing (G6).
 */
export function createNamedAddresses(seed: string): NamedAddresses {
  const all = createAddressHashSet(seed);
  let unnamedRows = 0;
  const addCell = (cell: string) => {
    const plain = plainAddress(cell);
    if (plain !== undefined) {
      all.add(looseKey(plain));
      return;
    }
    all.add(looseKey(cell));
    namedAddresses(cell).forEach((email) => all.add(looseKey(email)));
  };
  return {
    all,
    get unnamedRows() {
      return unnamedRows;
    },
    addRows(rows) {
      for (const row of rows) {
        const named = textRow(row).cells.filter((cell) => cell.includes('@'));
        named.forEach(addCell);
        unnamedRows += named.length === 0 ? 1 : 0;
      }
    },
  };
}
