import type { StateOf } from '../../../platforms/lib/status-words.ts';
import { wordsOf } from '../../consent-columns/words-and-stems.ts';
import { namesAnotherPerson } from '../found-address-columns.ts';
import type { AddressColumns } from '../table.ts';

/** Status columns that are only about the person of one address column, in a table with several people in a row. */
export interface OwnedColumns {
  /** By address column: the indexes of the columns about its person, such as `Parent 2 consent`. */
  readonly byAddress: ReadonlyMap<number, readonly number[]>;
  /** The columns that can give the address of a row, in the order in which svc tries them. */
  readonly usable: readonly number[];
}

/**
 * Finds the columns that are only about the person of one address column. Their headers share a number or a word for a
 * person: `Status 2` beside `Email 2`, `Mom's newsletter` beside `Mom`.
 */
export function findOwnedColumns(
  header: readonly string[],
  { usable, other, sentAsAttributes, found }: AddressColumns,
): OwnedColumns {
  const addresses = new Set([...usable, ...other, ...sentAsAttributes, ...found.map(({ index }) => index)]);
  const words = [...addresses].flatMap((index) =>
    ownerWords(header[index] ?? '').map((word) => [word, index] as const),
  );
  const byWord = Map.groupBy(words, ([word]) => word);
  // Only words of a single address column count, because a word of several does not show which person is meant.
  const owners = new Map([...byWord.values()].flatMap(([first, second]) => (first && !second ? [first] : [])));
  const byAddress = new Map<number, readonly number[]>();
  for (const index of addresses.size > 1 && owners.size > 0 ? header.keys() : []) {
    const words = addresses.has(index) ? [] : ownerWords(header[index] ?? '');
    for (const owner of new Set(words.flatMap((word) => owners.get(word) ?? []))) {
      byAddress.set(owner, [...(byAddress.get(owner) ?? []), index]);
    }
  }
  return { byAddress, usable };
}

// The words of a header that show which person of a row it means: numbers, and words for people such as `mom`.
function ownerWords(header: string): readonly string[] {
  const words = wordsOf(header.replace(/['’]s(?!\p{L})/gu, '').replace(/(?<=\p{L})(?=\d)/gu, ' ')).split(' ');
  return [...new Set(words)].filter((word) => /^\d$/.test(word) || word === 'partner' || namesAnotherPerson(word));
}

/**
 * Limits a state rule: a column about one person of the row does not subscribe another person of the row (C9, C11). But
 * a column that keeps mail away counts for all people of the row.
 */
export function restrictedToOwner(stateOf: StateOf, { byAddress, usable }: OwnedColumns): StateOf {
  if (byAddress.size === 0) {
    return stateOf;
  }
  return (cells) => {
    const status = stateOf(cells);
    if (status.state !== 'subscribed') {
      return status;
    }
    const usedAddress = usable.find((index) => cells[index]?.includes('@')) ?? usable[0];
    const ofOthers = [...byAddress].flatMap(([index, columns]) => (index === usedAddress ? [] : columns));
    const filled = ofOthers.filter((index) => (cells[index] ?? '') !== '');
    return filled.length === 0 ? status : stateOf(cells.map((cell, index) => (filled.includes(index) ? '' : cell)));
  };
}
