import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../base/os/sqlite.ts';

/**
 * A person can be in several lists. `people.list` is the list with which svc last sent the person, and the table
 * `list_members` has the other lists. Earlier versions made ledgers without this table.
 */
export const LIST_MEMBERS_TABLE = `
  CREATE TABLE IF NOT EXISTS list_members (
    person BLOB NOT NULL, list INTEGER NOT NULL, PRIMARY KEY (person, list)
  ) STRICT, WITHOUT ROWID`;

/**
 * A column for queries of `people`: the ids of the other lists of a person, separated by commas. `people.list` may be
 * among them.
 */
export const FURTHER_LISTS_COLUMN = `
  (SELECT group_concat(list) FROM list_members WHERE list_members.person = people.person) AS further_lists`;

/** Records which lists have a person. A person is missing only once no list has the person (G7). */
export interface ListMembers {
  /**
   * Adds a person to the list in `people.list`. To be called before `nextList` replaces that value, so that the person
   * stays in both lists.
   */
  keepInLastList(person: Uint8Array, nextList: number): void;
  /**
   * Adds people to this list. svc last sent these people with another list. `prefixes` has the first bytes of their
   * hashes.
   */
  addToList(listId: number, prefixes: Iterable<Uint8Array>): void;
  /**
   * Removes people from these lists. Each person must also be in another list. If `people.list` is a removed list, one
   * of the remaining lists takes its place.
   */
  removeFromLists(listIds: readonly number[], people: Iterable<Uint8Array>): void;
  /** Removes a person from the table `list_members`. */
  removePerson(person: Uint8Array): void;
  /** The number of people of each list. */
  counts(): ReadonlyMap<number, number>;
  /** The number of people in these lists whom the ledger has as subscribed, by the same rule as `isSubscribed`. */
  subscribedCount(listIds: readonly number[]): number;
  /** Moves all people of the list `from` to the list `to`. */
  moveMembers(from: number, to: number): void;
  /** Deletes the rows of all lists except these. */
  removeOtherLists(listIds: readonly number[]): void;
}

const COUNTS = `SELECT list, count(*) AS n FROM people GROUP BY list UNION ALL
  SELECT list_members.list, count(*) FROM list_members JOIN people USING (person)
  WHERE people.list <> list_members.list GROUP BY list_members.list`;

const SUBSCRIBED_COUNT = `SELECT count(*) AS n FROM people
  WHERE (opts_out = 0 OR (opts_out IS NULL AND content IS NOT NULL))
  AND (list IN (SELECT value FROM json_each($lists)) OR EXISTS (SELECT 1 FROM list_members
    WHERE list_members.person = people.person AND list_members.list IN (SELECT value FROM json_each($lists))))`;

// Finds a person by the first bytes of the hash: the first hash in sort order that is not less than these bytes.
const JOIN = `INSERT OR IGNORE INTO list_members
  SELECT person, ? FROM (SELECT person FROM people WHERE person >= ? ORDER BY person LIMIT 1)`;

// Deletes the row of a person for a list that `people.list` already names.
const DROP_OWN = `DELETE FROM list_members
  WHERE list = ? AND list = (SELECT list FROM people WHERE people.person = list_members.person)`;

const TAKE_OVER = `UPDATE people SET missing_since = NULL,
  list = coalesce((SELECT list FROM list_members WHERE list_members.person = people.person LIMIT 1), list)
  WHERE person = ? AND list = ?`;

export function createListMembers(db: DatabaseSync): ListMembers {
  const keep = db.prepare(
    'INSERT OR IGNORE INTO list_members SELECT person, list FROM people WHERE person = ? AND list <> ?',
  );
  const join = db.prepare(JOIN);
  const leave = db.prepare('DELETE FROM list_members WHERE person = ? AND list = ?');
  const takeOver = db.prepare(TAKE_OVER);
  const remove = db.prepare('DELETE FROM list_members WHERE person = ?');
  return {
    keepInLastList: (person, nextList) => keep.run(person, nextList),
    addToList: (listId, prefixes) =>
      transaction(db, () => {
        for (const prefix of prefixes) {
          join.run(listId, prefix);
        }
      }),
    removeFromLists: (listIds, people) =>
      transaction(db, () => {
        for (const person of people) {
          listIds.forEach((listId) => leave.run(person, listId));
          listIds.forEach((listId) => takeOver.run(person, listId));
        }
      }),
    removePerson: (person) => remove.run(person),
    counts() {
      const counts = new Map<number, number>();
      for (const { list, n } of db.prepare(COUNTS).all()) {
        counts.set(Number(list), (counts.get(Number(list)) ?? 0) + Number(n));
      }
      return counts;
    },
    subscribedCount: (listIds) => Number(db.prepare(SUBSCRIBED_COUNT).get({ lists: JSON.stringify(listIds) })?.n),
    moveMembers: (from, to) =>
      transaction(db, () => {
        db.prepare('UPDATE people SET list = ? WHERE list = ?').run(to, from);
        db.prepare('UPDATE OR REPLACE list_members SET list = ? WHERE list = ?').run(to, from);
        db.prepare(DROP_OWN).run(to);
      }),
    removeOtherLists: (listIds) =>
      transaction(db, () => {
        db.prepare('DELETE FROM list_members WHERE list NOT IN (SELECT value FROM json_each(?))').run(
          JSON.stringify(listIds),
        );
      }),
  };
}
