import type { DatabaseSync } from 'node:sqlite';
import { eachRow, transaction } from '../../base/os/sqlite.ts';

/**
 * What svc did about a missing person. `left_before`: svc did nothing, because the person had already opted out of the
 * audience, was suppressed, or had no contact there in two look-ups. `not_found`: one look-up found no contact.
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
   * Replaces all stored people. `isInOtherList` is true if another list of the audience has the person. Such a person
   * does not count as missing.
   */
  replace(people: Iterable<Omit<MissingPerson, 'outcome'> & { readonly isInOtherList?: boolean }>): void;
  /** The people who are not in this list any more, but still in another list of the audience. */
  inOtherLists(): Generator<string>;
  readonly inOtherListsCount: number;
  /** All missing people, in the order of their addresses. */
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
