import type { StateOf } from '../../../platforms/lib/status-words.ts';
import { wordsOf } from '../../consent-columns/words-and-stems.ts';
import { namesAnotherPerson } from '../found-address-columns.ts';
import type { AddressColumns } from '../table.ts';

/** The status columns of a row that are about the people of its other addresses. */
export interface OwnedColumns {
  /** By address column: the indexes of the columns about its person, such as `Parent 2 consent`. */
  readonly byAddress: ReadonlyMap<number, readonly number[]>;
  /** The columns that can give the address of a row, in the order in which svc tries them. */
  readonly usable: readonly number[];
}

/**
 * Finds columns about the person of one address column. They share its number or its word for a person: `Status 2`
 * beside `Email 2`, `Mom's newsletter` beside `Mom`.
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
  // A word that several address columns share does not tell them apart.
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

// The words of a header that tell one person from another: numbers, and words for people.
function ownerWords(header: string): readonly string[] {
  const words = wordsOf(header.replace(/['’]s(?!\p{L})/gu, '').replace(/(?<=\p{L})(?=\d)/gu, ' ')).split(' ');
  return [...new Set(words)].filter((word) => /^\d$/.test(word) || word === 'partner' || namesAnotherPerson(word));
}

/**
 * The state rule, with one limit: a column about another person of the row does not sign up the person whose address
 * svc uses (C9, C11). Columns that keep mail away count for all people of the row.
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
