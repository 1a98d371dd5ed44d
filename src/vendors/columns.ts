import { attributeKey } from '../import/keys.ts';
import type { ColumnTarget, TableShape } from '../import/types.ts';
import {
  EMAIL_HEADERS,
  FAMILY_BESIDE_GIVEN,
  FIRST_NAME_HEADERS,
  findAddressColumn,
  LAST_NAME_HEADERS,
} from './headers.ts';
import { bareWord } from './words.ts';

/** Which headers a platform gives a role. Compared as bare words; names and addresses are found in any language. */
export interface Roles {
  /** Headers of the address, best first; without them the usual ones. */
  readonly email?: readonly string[];
  readonly first_name?: readonly string[];
  readonly last_name?: readonly string[];
  /** A column known to hold full names, to be split. */
  readonly name?: readonly string[];
  readonly unsubscribed_at?: readonly string[];
  /** Read by the state rule and not sent. */
  readonly state?: readonly string[];
  /** Bookkeeping of the platform, left out unless asked for. */
  readonly leftOut?: readonly string[];
  /** Proof of consent, left out and named in the plan (rule C8). */
  readonly consent?: readonly string[];
  /** More headers left out, told by a rule. */
  readonly leaveOut?: (header: string) => boolean;
}

const IGNORE: ColumnTarget = { kind: 'ignore' };
const STATE_PART: ColumnTarget = { kind: 'state_part' };

/** One target per column: roles first, each taken once and from the left; whatever is left becomes an attribute. */
export function assignColumns(shape: TableShape, roles: Roles): ColumnTarget[] {
  const bare = shape.header.map(bareWord);
  const targets: (ColumnTarget | undefined)[] = bare.map(() => undefined);
  const take = (at: number, target: ColumnTarget) => {
    if (at >= 0 && targets[at] === undefined) {
      targets[at] = target;
    }
  };
  take(emailColumn(shape, roles), { kind: 'email' });
  take(firstOf(bare, roles.unsubscribed_at), { kind: 'unsubscribed_at' });
  take(firstOf(bare, roles.first_name), { kind: 'first_name' });
  take(firstOf(bare, roles.last_name), { kind: 'last_name' });
  take(firstOf(bare, roles.name), { kind: 'name' });
  take(usual(bare, targets, 'first_name'), { kind: 'first_name' });
  take(usual(bare, targets, 'last_name'), { kind: 'last_name' });
  const left = createLeftOut(roles);
  return targets.map((target, at) => target ?? left(shape.header[at] ?? '', bare[at] ?? ''));
}

/** Consent columns that this table has, as written. */
export function consentColumns(shape: TableShape, roles: Roles): string[] {
  const wanted = new Set((roles.consent ?? []).map(bareWord));
  return shape.header.filter((header) => wanted.has(bareWord(header)));
}

/** Where the address is: the platform's own header, else a usual one, else the only column that holds addresses. */
export function emailColumn(shape: TableShape, roles: Roles = {}): number {
  const bare = shape.header.map(bareWord);
  const own = firstOf(bare, roles.email);
  const usualOne = own >= 0 ? own : bare.findIndex((word) => EMAIL_HEADERS.has(word));
  return usualOne >= 0 ? usualOne : findAddressColumn(shape.header, shape.sample);
}

function firstOf(bare: readonly string[], names: readonly string[] = []): number {
  for (const name of names) {
    const at = bare.indexOf(bareWord(name));
    if (at >= 0) {
      return at;
    }
  }
  return -1;
}

// The first free column under a usual header of a name, where the platform has named none.
function usual(
  bare: readonly string[],
  targets: readonly (ColumnTarget | undefined)[],
  kind: 'first_name' | 'last_name',
): number {
  const names = kind === 'first_name' ? FIRST_NAME_HEADERS : LAST_NAME_HEADERS;
  const taken = targets.some((target) => target?.kind === kind || target?.kind === 'name');
  if (taken) {
    return -1;
  }
  const own = bare.findIndex((word, at) => targets[at] === undefined && names.has(word));
  return own < 0 && kind === 'last_name' ? familyBeside(bare, targets) : own;
}

function familyBeside(bare: readonly string[], targets: readonly (ColumnTarget | undefined)[]): number {
  return bare.findIndex(
    (word, at) => targets[at] === undefined && bare.includes(FAMILY_BESIDE_GIVEN.get(word) ?? '\0'),
  );
}

function createLeftOut(roles: Roles): (header: string, bare: string) => ColumnTarget {
  const state = new Set((roles.state ?? []).map(bareWord));
  const ignored = new Set([...(roles.leftOut ?? []), ...(roles.consent ?? [])].map(bareWord));
  return (header, bare) => {
    if (state.has(bare)) {
      return STATE_PART;
    }
    const left = ignored.has(bare) || roles.leaveOut?.(header) === true;
    return left ? IGNORE : { kind: 'attribute', key: attributeKey(header) };
  };
}
