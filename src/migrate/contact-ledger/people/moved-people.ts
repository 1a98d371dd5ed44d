import { addBit, type PositionSet } from '../../../base/lib/bit-set.ts';
import { plural } from '../../../base/lib/text.ts';
import type { ContactText } from '../../../import/batch/contact-text.ts';
import type { RereadData } from '../../../import/batch/row-decision.ts';
import { type AnyRow, toTextRow } from '../../../import/csv/row-types.ts';
import type { Table } from '../../../import/mapping/table.ts';
import { findAddress } from '../../../import/record/row-addresses.ts';
import { plainAddress, readAddress } from '../../../import/values/address.ts';
import type { ContactLedger, LedgerPerson } from '../../../ledgers/contact-ledger.ts';
import type { LedgerIndex } from '../../../ledgers/ledger-index.ts';
import { looseKey } from '../../../wire/person-key.ts';
import { lookUpContact } from '../../compare/look-up.ts';
import { type LookedUpPerson, type LookUpContext, MAX_LOOK_UPS } from './deleted-people.ts';
import type { NamedAddresses } from './named-addresses.ts';

/** People of earlier lists whose address is only in another column now. Their rows have new addresses. */
export interface MovedPeople {
  readonly people: number;
  /** The columns that have them, each with the flag that makes it the column of the address. */
  readonly columns: readonly { readonly column: string; readonly mapFlag: string }[];
}

/** People with a new address who are not sent: by the ledger or by a look-up, they left under the earlier one. */
export interface HeldMovedPeople {
  readonly held: number;
  /** The first few, each with the earlier address. */
  readonly examples: readonly (readonly [email: string, earlier: string])[];
  /** How many people with a new address are sent without a look-up of the earlier one, because they are too many. */
  readonly notLookedUp: number;
}

/** Finds moved people among the people of the ledger whom the list names, but whom svc does not send. */
export function findMovedPeople(named: Iterable<LedgerPerson>, { own, beside }: NamedAddresses): MovedPeople {
  const columns = [...beside.values()];
  const counts = columns.map(() => 0);
  let people = 0;
  for (const { email } of named) {
    const key = looseKey(email);
    const found = own.has(key) ? -1 : columns.findIndex(({ addresses }) => addresses.has(key));
    if (found >= 0) {
      people += 1;
      counts[found] = (counts[found] ?? 0) + 1;
    }
  }
  const ranked = [...counts.keys()].filter((index) => counts[index] !== 0);
  ranked.sort((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0));
  return {
    people,
    columns: ranked.map((index) => ({
      column: columns[index]?.column ?? '',
      mapFlag: columns[index]?.mapFlag ?? '',
    })),
  };
}

/** A new person of the list. Another column of the row has the address of a person of the ledger. */
interface MovedRow {
  readonly position: number;
  readonly email: string;
  readonly earlier: string;
  /** The entry of the earlier address. Undefined if an earlier run unsubscribed the person, or found that they left. */
  readonly entry: number | undefined;
}

const MAX_EXAMPLES = 5;

/**
 * Collects new people while a list is read, if another column of any of their rows has the address of a person of the
 * ledger. Columns about other people (`Referred by`) do not count. `repeated` has the addresses that may stand in
 * several rows: for these svc waits for the last row, so that the order of rows and inputs does not matter.
 */
export function collectMovedRows(
  ledger: ContactLedger,
  index: LedgerIndex,
  { tables, repeated }: Pick<RereadData, 'tables' | 'repeated'>,
) {
  const left = new Set([...ledger.optedOut(), ...ledger.leftBefore()]);
  const hasOtherAddresses = tables.some((table) => hasSeveralAddressColumns(table));
  const found: MovedRow[] = [];
  const repeatedPeople: Pick<MovedRow, 'position' | 'email'>[] = [];
  const besideRepeated = new Map<string, Set<string>>();
  let besideByLine = new Map<number, readonly string[]>();
  const addFound = (position: number, email: string, beside: Iterable<string>) => {
    for (const earlier of beside) {
      const person = ledger.hashAddress(earlier);
      const entry = index.find(person);
      if (entry !== undefined || left.has(person.toString('hex'))) {
        found.push({ position, email, earlier, entry });
      }
    }
  };
  return {
    /** The number of people whose earlier address may be in a row. */
    known: index.size + left.size,
    /** The people found so far. All of them once `addNew` was called for the last new person. */
    found(): readonly MovedRow[] {
      for (const { position, email } of repeatedPeople.splice(0)) {
        addFound(position, email, besideRepeated.get(email) ?? []);
      }
      return found;
    },
    /** Called with each block of rows, before `addNew` is called for the people of these rows. */
    addRows(rows: readonly AnyRow[], table: Table): void {
      besideByLine = new Map();
      for (const row of hasSeveralAddressColumns(table) ? rows : []) {
        const { cells } = toTextRow(row);
        const { index: column, beside, found: others } = findAddress(table, cells);
        const ownOthers = others.filter(({ column }) => !column.isOfOtherPeople).map(({ email }) => email);
        const addresses = [...beside, ...ownOthers];
        const email = addresses.length === 0 ? undefined : addressIn(cells[column] ?? '');
        if (email !== undefined && repeated.has(email)) {
          besideRepeated.set(email, new Set([...(besideRepeated.get(email) ?? []), ...addresses]));
        } else if (addresses.length > 0) {
          besideByLine.set(row.line, addresses);
        }
      }
    },
    /** Adds a new person, if another column of the row has the address of a person of the ledger. */
    addNew(position: number, { email, line, optsOut }: Pick<ContactText, 'email' | 'line' | 'optsOut'>): void {
      if (optsOut || !hasOtherAddresses) {
        return;
      }
      if (repeated.has(email)) {
        repeatedPeople.push({ position, email });
      } else {
        addFound(position, email, besideByLine.get(line) ?? []);
      }
    },
  };
}

function hasSeveralAddressColumns({ addressColumns }: Table): boolean {
  const { usable, other, sentAsAttributes, found } = addressColumns;
  return usable.length + other.length + sentAsAttributes.length + found.length > 1;
}

/** The address in a cell, as svc sends it. Also finds the address of a row that svc rejects. */
function addressIn(cell: string): string | undefined {
  return plainAddress(cell) ?? readAddress(cell, true).email;
}

interface HoldBackOptions {
  readonly index: LedgerIndex;
  readonly unchanged: PositionSet;
  readonly lookedUp: LookedUpPerson[];
}

/**
 * Holds back people who left under an earlier address: adds their new address to `unchanged`. Otherwise svc would sign
 * them up again (C1). The earlier address is in another column of their row, and no row of the list is for it. The
 * ledger has it as opted out, or the audience does not have it as subscribed. Adds the other people whom svc looked up
 * to `lookedUp`. If a look-up fails, the run ends before it sends anything.
 */
export async function holdBackMoved(
  { account, target, signal, emit }: LookUpContext,
  rows: readonly MovedRow[],
  { index, unchanged, lookedUp }: HoldBackOptions,
): Promise<HeldMovedPeople | undefined> {
  const held = new Map<number, readonly [email: string, earlier: string]>();
  const hasLeft = ({ entry }: MovedRow) => entry === undefined || index.isOptedOut(entry);
  const unsure = rows.filter((row) => !hasLeft(row));
  const asked = account && target?.kind === 'found' ? unsure.slice(0, MAX_LOOK_UPS) : [];
  if (asked.length > 0) {
    emit({ type: 'note', message: `Looking up ${plural(asked.length, 'earlier address', 'earlier addresses')}.` });
  }
  rows.filter(hasLeft).forEach(({ position, email, earlier }) => held.set(position, [email, earlier]));
  for (const { position, email, earlier } of asked) {
    const reader = account && { client: account.client, signal };
    const audienceId = target?.kind === 'found' ? target.audience.id : '';
    const contact = reader && (await lookUpContact(reader, audienceId, { email: earlier }));
    if (contact?.status !== 'subscribed') {
      held.set(position, [email, earlier]);
    } else {
      lookedUp.push({ email, lookedUp: earlier });
    }
  }
  [...held.keys()].forEach((position) => addBit(unchanged, position));
  return rows.length === 0
    ? undefined
    : {
        held: held.size,
        examples: [...held.values()].slice(0, MAX_EXAMPLES),
        notLookedUp: Math.max(0, unsure.length - MAX_LOOK_UPS),
      };
}
