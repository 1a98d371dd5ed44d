import { attributeKey } from './attribute-keys.ts';
import {
  EMAIL_HEADERS,
  FAMILY_BESIDE_GIVEN,
  FIRST_NAME_HEADERS,
  findAddressColumn,
  findHeader,
  holdsAddresses,
  isAddressHeader,
  LAST_NAME_HEADERS,
  mayNameAddress,
  NAME_BESIDE_FAMILY,
} from './headers.ts';
import type { ColumnTarget, Platform, TableReading, TableShape } from './platform.ts';
import { bareWord } from './status-words.ts';

/**
 * The headers that have a special meaning on a platform, compared by `bareWord`. Headers of names and addresses are
 * recognized in any language without being listed here.
 */
export interface ColumnRoles {
  /** Headers of the address, best first. If a table has none of them, the usual headers count. */
  readonly email?: readonly string[];
  readonly first_name?: readonly string[];
  readonly last_name?: readonly string[];
  /** Headers of a full name, which svc splits into first and last name. */
  readonly name?: readonly string[];
  readonly unsubscribed_at?: readonly string[];
  /** Headers of columns that the state rule reads. svc does not send these columns. */
  readonly state?: readonly string[];
  /** Headers of internal columns of the platform. svc sends them only if the user asks for it. */
  readonly internal?: readonly string[];
  /**
   * Headers of columns with proof of consent, such as an IP address. svc does not send them; the plan names them (C8).
   */
  readonly consent?: readonly string[];
  /** True for the headers of other internal columns. */
  readonly isInternal?: (header: string) => boolean;
}

interface PlatformDefinition extends Omit<Platform, 'read'> {
  readonly roles: ColumnRoles;
  /** Decides everything about a table except the targets of its columns. */
  read(shape: TableShape): Omit<TableReading, 'columns' | 'proofHeaders'>;
}

/** Makes a platform that gives the columns of all its tables the same roles. */
export function definePlatform({ roles, read, ...platform }: PlatformDefinition): Platform {
  return { ...platform, read: (shape) => ({ ...assignColumns(shape, roles), ...read(shape) }) };
}

const IGNORE: ColumnTarget = { kind: 'ignore' };
const OTHER_EMAIL: ColumnTarget = { kind: 'other_email' };
const STATE_PART: ColumnTarget = { kind: 'state_part' };

/**
 * Assigns a target to each column, and lists the columns with proof of consent. Address, opt-out date and names come
 * first: each takes the first free column with one of its headers. Each other column becomes a further address, a part
 * of the state or an attribute, or is not sent.
 */
export function assignColumns(shape: TableShape, roles: ColumnRoles): Pick<TableReading, 'columns' | 'proofHeaders'> {
  const consent = new Set((roles.consent ?? []).map(bareWord));
  return {
    columns: targetsOf(shape, roles),
    proofHeaders: shape.header.filter((header) => consent.has(bareWord(header))),
  };
}

function targetsOf(shape: TableShape, roles: ColumnRoles): ColumnTarget[] {
  const bare = shape.header.map(bareWord);
  const targets: (ColumnTarget | undefined)[] = bare.map(() => undefined);
  const assign = (index: number, target: ColumnTarget) => {
    if (index >= 0 && targets[index] === undefined) {
      targets[index] = target;
    }
  };
  const indexOf = (names: readonly string[] = []) => findHeader(shape.header, ...names);
  assign(findEmailColumn(shape, roles.email), { kind: 'email' });
  assign(indexOf(roles.unsubscribed_at), { kind: 'unsubscribed_at' });
  assign(indexOf(roles.first_name), { kind: 'first_name' });
  assign(indexOf(roles.last_name), { kind: 'last_name' });
  assign(indexOf(roles.name), { kind: hasOnlyFamilyNames(bare, targets) ? 'first_name' : 'name' });
  assign(findUsualNameColumn(bare, targets, 'first_name'), { kind: 'first_name' });
  assign(findUsualNameColumn(bare, targets, 'last_name'), { kind: 'last_name' });
  assign(findGivenNameColumn(bare, targets), { kind: 'first_name' });
  shape.header.forEach((header, index) => {
    if (isAddressHeader(header) || (mayNameAddress(header) && holdsAddresses(shape.sample, index))) {
      assign(index, OTHER_EMAIL);
    }
  });
  const targetOfOther = createOtherTarget(roles);
  return targets.map((target, index) => target ?? targetOfOther(shape.header[index] ?? '', bare[index] ?? ''));
}

/**
 * The index of the address column, by the platform's own header, a usual header, or its cells, in this order. -1 if
 * there is none.
 */
export function findEmailColumn(shape: TableShape, ownHeaders: readonly string[] = []): number {
  const bare = shape.header.map(bareWord);
  const ownIndex = findHeader(shape.header, ...ownHeaders);
  const ownOrUsual = ownIndex >= 0 ? ownIndex : bare.findIndex((word) => EMAIL_HEADERS.has(word));
  const byHeader = ownOrUsual >= 0 ? ownOrUsual : shape.header.findIndex(isAddressHeader);
  return byHeader >= 0 ? byHeader : findAddressColumn(shape.header, shape.sample);
}

// The index of the first free column whose header usually means this part of a name. -1 if there is none, or if a
// column already has this part or the full name.
function findUsualNameColumn(
  bare: readonly string[],
  targets: readonly (ColumnTarget | undefined)[],
  kind: 'first_name' | 'last_name',
): number {
  const nameHeaders = kind === 'first_name' ? FIRST_NAME_HEADERS : LAST_NAME_HEADERS;
  const isTaken = targets.some((target) => target?.kind === kind || target?.kind === 'name');
  if (isTaken) {
    return -1;
  }
  const found = bare.findIndex((word, index) => targets[index] === undefined && nameHeaders.has(word));
  return found < 0 && kind === 'last_name' ? findFamilyNameColumn(bare, targets) : found;
}

// The index of a column `Name` that contains only the given name, because another column contains the family name:
// `Mary Ann` beside `Elm`. -1 if there is none.
function findGivenNameColumn(bare: readonly string[], targets: readonly (ColumnTarget | undefined)[]): number {
  const hasGivenName = targets.some((target) => target?.kind === 'first_name' || target?.kind === 'name');
  return hasGivenName || !hasOnlyFamilyNames(bare, targets)
    ? -1
    : bare.findIndex((word, index) => targets[index] === undefined && NAME_BESIDE_FAMILY.has(word));
}

// True if a table has a column of family names, but no header that always means the given name: `Name` beside
// `Surname`.
function hasOnlyFamilyNames(bare: readonly string[], targets: readonly (ColumnTarget | undefined)[]): boolean {
  const hasFamilyName =
    targets.some((target) => target?.kind === 'last_name') || bare.some((word) => LAST_NAME_HEADERS.has(word));
  return hasFamilyName && !bare.some((word) => FIRST_NAME_HEADERS.has(word) && !NAME_BESIDE_FAMILY.has(word));
}

function findFamilyNameColumn(bare: readonly string[], targets: readonly (ColumnTarget | undefined)[]): number {
  return bare.findIndex(
    (word, index) =>
      targets[index] === undefined && FAMILY_BESIDE_GIVEN.get(word)?.some((given) => bare.includes(given)),
  );
}

function createOtherTarget(roles: ColumnRoles): (header: string, bare: string) => ColumnTarget {
  const state = new Set((roles.state ?? []).map(bareWord));
  const ignored = new Set([...(roles.internal ?? []), ...(roles.consent ?? [])].map(bareWord));
  return (header, bare) => {
    if (state.has(bare)) {
      return STATE_PART;
    }
    const isIgnored = ignored.has(bare) || roles.isInternal?.(header) === true;
    return isIgnored ? IGNORE : { kind: 'attribute', key: attributeKey(header) };
  };
}
