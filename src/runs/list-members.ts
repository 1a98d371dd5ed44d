import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../base/os/sqlite.ts';

/**
 * The table of the further lists of a person, besides the list that last sent the person. It is empty if the ledger has
 * one list. A ledger of an earlier version doesn't have the table.
 */
export const LIST_MEMBERS = `
  CREATE TABLE IF NOT EXISTS list_members (
    person BLOB NOT NULL, list INTEGER NOT NULL, PRIMARY KEY (person, list)
  ) STRICT, WITHOUT ROWID`;

/**
 * A column for queries of `people`: the further lists, separated by commas. It may also name the list that last sent
 * the person.
 */
export const FURTHER_LISTS = `
  (SELECT group_concat(list) FROM list_members WHERE list_members.person = people.person) AS further_lists`;

/** Records which lists of an audience contain a person (G7). */
export interface ListMembers {
  /** Call before `nextList` sends the person: the person stays in the list that sent the person before. */
  keep(person: Uint8Array, nextList: number): void;
  /** Adds people to a list whom another list sent last. Their hashes begin with these bytes. */
  join(list: number, prefixes: Iterable<Uint8Array>): void;
  /**
   * Removes people from these lists. If one of them sent the person last, another list of the person takes its place.
   * Call it only for people who are in another list too.
   */
  leave(lists: readonly number[], people: Iterable<Uint8Array>): void;
  /** Removes a person from all further lists. */
  remove(person: Uint8Array): void;
  /** The number of people of each list. */
  counts(): ReadonlyMap<number, number>;
  /** Moves all people of the list `from` to the list `to`. */
  move(from: number, to: number): void;
  /** Deletes the entries of all further lists except these. */
  dropOthers(lists: readonly number[]): void;
}

const COUNTS = `SELECT list, count(*) AS n FROM people GROUP BY list UNION ALL
  SELECT list_members.list, count(*) FROM list_members JOIN people USING (person)
  WHERE people.list <> list_members.list GROUP BY list_members.list`;

// A prefix sorts before every hash that begins with it, so the first hash from there on is the one.
const JOIN = `INSERT OR IGNORE INTO list_members
  SELECT person, ? FROM (SELECT person FROM people WHERE person >= ? ORDER BY person LIMIT 1)`;

// A person whom the list itself sent last needs no entry in this table.
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
    keep: (person, nextList) => keep.run(person, nextList),
    join: (list, prefixes) =>
      transaction(db, () => {
        for (const prefix of prefixes) {
          join.run(list, prefix);
        }
      }),
    leave: (lists, people) =>
      transaction(db, () => {
        for (const person of people) {
          lists.forEach((list) => leave.run(person, list));
          lists.forEach((list) => takeOver.run(person, list));
        }
      }),
    remove: (person) => remove.run(person),
    counts() {
      const counts = new Map<number, number>();
      for (const { list, n } of db.prepare(COUNTS).all()) {
        counts.set(Number(list), (counts.get(Number(list)) ?? 0) + Number(n));
      }
      return counts;
    },
    move: (from, to) =>
      transaction(db, () => {
        db.prepare('UPDATE people SET list = ? WHERE list = ?').run(to, from);
        db.prepare('UPDATE OR REPLACE list_members SET list = ? WHERE list = ?').run(to, from);
        db.prepare(DROP_OWN).run(to);
      }),
    dropOthers: (lists) =>
      transaction(db, () => {
        db.prepare('DELETE FROM list_members WHERE list NOT IN (SELECT value FROM json_each(?))').run(
          JSON.stringify(lists),
        );
      }),
  };
}
