import type { DatabaseSync } from 'node:sqlite';
import { eachRow, transaction } from '../../base/os/sqlite.ts';
import { type AnyRow, toTextRow } from '../../import/csv/raw-rows.ts';
import { type AddressHashSet, createAddressHashSet } from '../../import/dedupe/address-hash-set.ts';
import type { Table } from '../../import/mapping/table.ts';
import { isMistypedAddress, isWholeAddress, namedAddresses } from '../../import/record/row-addresses.ts';
import { plainAddress } from '../../import/values/address.ts';
import { looseKey } from '../../wire/person-key.ts';
import type { OnlyChangedOptions } from '../run-data/options.ts';

/**
 * What svc did about a missing person. `left_before` means nothing: the person had already opted out of the audience,
 * was suppressed, or had no contact there in two look-ups. `not_found`: one look-up found no contact.
 */
type MissingOutcome = 'reported' | 'unsubscribed' | 'left_before' | 'not_found';

export interface MissingPerson {
  readonly email: string;
  /**
   * Since when the person is missing, in milliseconds since the epoch. Undefined if the person was in the last list.
   */
  readonly since: number | undefined;
  readonly outcome: MissingOutcome;
}

/**
 * The people of earlier lists who are missing in this list, as run.db stores them. Each run looks for them once, so
 * that a resume has the same people (G6).
 */
export interface MissingPeople {
  /**
   * Replaces all stored people. With `isInOtherList`, another list of the audience has the person, who then does not
   * count as missing.
   */
  replace(people: Iterable<Omit<MissingPerson, 'outcome'> & { readonly isInOtherList?: boolean }>): void;
  /** The people who are not in this list any more, but still in another list of the audience. */
  inOtherLists(): Generator<string>;
  readonly inOtherListsCount: number;
  /** All missing people, by address. */
  all(): Generator<MissingPerson>;
  has(email: string): boolean;
  setOutcome(emails: readonly string[], outcome: MissingOutcome): void;
  counts(): Readonly<Partial<Record<MissingOutcome, number>>>;
  /** The number of missing people who were still in the last list. */
  readonly newlyMissing: number;
  drop(): void;
}

const CREATE = `
  CREATE TABLE IF NOT EXISTS missing_people (
    email TEXT PRIMARY KEY, since INTEGER, outcome TEXT NOT NULL DEFAULT 'reported'
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS held_people (email TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`;

/** Opens the two tables in run.db, and creates them if needed. */
export function openMissingPeople(db: DatabaseSync): MissingPeople {
  transaction(db, () => db.exec(CREATE));
  const insert = db.prepare('INSERT OR IGNORE INTO missing_people (email, since) VALUES (?, ?)');
  const insertInOtherLists = db.prepare('INSERT OR IGNORE INTO held_people (email) VALUES (?)');
  const update = db.prepare('UPDATE missing_people SET outcome = ? WHERE email = ?');
  const has = db.prepare('SELECT 1 FROM missing_people WHERE email = ?');
  return {
    replace: (people) =>
      transaction(db, () => {
        db.exec('DELETE FROM missing_people; DELETE FROM held_people');
        for (const { email, since, isInOtherList } of people) {
          isInOtherList ? insertInOtherLists.run(email) : insert.run(email, since ?? null);
        }
      }),
    *inOtherLists() {
      for (const { email } of eachRow(db, 'SELECT email FROM held_people ORDER BY email')) {
        yield String(email);
      }
    },
    get inOtherListsCount() {
      return Number(db.prepare('SELECT count(*) AS n FROM held_people').get()?.n);
    },
    *all() {
      for (const { email, since, outcome } of eachRow(db, 'SELECT * FROM missing_people ORDER BY email')) {
        yield {
          email: String(email),
          since: since === null ? undefined : Number(since),
          outcome: String(outcome) as MissingOutcome,
        };
      }
    },
    has: (email) => has.get(email) !== undefined,
    setOutcome: (emails, outcome) => transaction(db, () => emails.forEach((email) => update.run(outcome, email))),
    counts: () =>
      Object.fromEntries(
        db
          .prepare('SELECT outcome, count(*) AS n FROM missing_people GROUP BY outcome')
          .all()
          .map(({ outcome, n }) => [String(outcome), Number(n)]),
      ),
    get newlyMissing() {
      return Number(db.prepare('SELECT count(*) AS n FROM missing_people WHERE since IS NULL').get()?.n);
    },
    drop: () => transaction(db, () => db.exec('DROP TABLE IF EXISTS missing_people; DROP TABLE IF EXISTS held_people')),
  };
}

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
