import { domainToASCII } from 'node:url';
import { type AnyRow, textRow } from '../../import/csv/byte-row.ts';
import { type AddressHashSet, createAddressHashSet } from '../../import/dedupe/address-hash-set.ts';
import { looseKey, plainAddress } from '../../import/record/address.ts';
import { namedAddresses } from '../../import/record/address-columns.ts';

/** The addresses that a list names. */
export interface NamedAddresses {
  /** Comparison keys of every address in any cell of the list. */
  readonly all: AddressHashSet;
  /** Rows without any address. */
  readonly unnamedRows: number;
  addRows(rows: readonly AnyRow[]): void;
}

/**
 * Collects every address that the list names in any cell, whatever became of its row: skipped, merged, rejected. None of
 * them is missing (G6).
 */
export function createNamedAddresses(seed: string): NamedAddresses {
  const all = createAddressHashSet(seed);
  let unnamedRows = 0;
  const addCell = (cell: string) => {
    const plain = plainAddress(cell);
    if (plain !== undefined) {
      all.add(plain);
      return;
    }
    all.add(nameKey(cell));
    namedAddresses(cell).forEach((email) => all.add(nameKey(email)));
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

/**
 * The comparison key of an address for --gone. An export may write the same domain in Unicode on one day and in Punycode
 * on the next (G6).
 */
export function nameKey(email: string): string {
  const key = looseKey(email);
  const at = key.lastIndexOf('@') + 1;
  const domain = key.slice(at);
  // An ASCII domain is Punycode or needs none. The result is empty for text that is no domain.
  const ascii = /[^\x21-\x7e]/.test(domain) ? domainToASCII(domain) : '';
  return ascii === '' ? key : key.slice(0, at) + ascii;
}
