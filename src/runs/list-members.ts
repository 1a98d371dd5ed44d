import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../base/os/sqlite.ts';

/**
 * The lists that hold a person besides the one that last sent the person. Most ledgers have one list, so this table is
 * empty. A ledger of an earlier version doesn't have it.
 */
export const LIST_MEMBERS = `
  CREATE TABLE IF NOT EXISTS list_members (
    person BLOB NOT NULL, list INTEGER NOT NULL, PRIMARY KEY (person, list)
  ) STRICT, WITHOUT ROWID`;

/** A column for queries of people: the further lists, separated by commas. May repeat the list of the person. */
export const FURTHER_LISTS = `
  (SELECT group_concat(list) FROM list_members WHERE list_members.person = people.person) AS further_lists`;

/** Which lists of an audience hold a person (G7). */
export interface ListMembers {
  /** Keeps a person in the present list, because another list will send the person. */
  keep(person: Uint8Array, nextList: number): void;
  /** Records people whom a list holds but another list sent. Their hashes begin with these bytes. */
  join(list: number, prefixes: Iterable<Uint8Array>): void;
  /** Takes people out of these lists. Call it only for people whom another list holds: it becomes theirs. */
  leave(lists: readonly number[], people: Iterable<Uint8Array>): void;
  remove(person: Uint8Array): void;
  /** The number of people of each list. */
  counts(): ReadonlyMap<number, number>;
  /** Moves the people of the list `from` to the list `to`. */
  move(from: number, to: number): void;
  /** Drops the members of all lists except these. */
  dropOthers(lists: readonly number[]): void;
}

const COUNTS = `SELECT list, count(*) AS n FROM people GROUP BY list UNION ALL
  SELECT list_members.list, count(*) FROM list_members JOIN people USING (person)
  WHERE people.list <> list_members.list GROUP BY list_members.list`;

// A prefix sorts before all hashes that begin with it.
const JOIN = `INSERT OR IGNORE INTO list_members
  SELECT person, ? FROM (SELECT person FROM people WHERE person >= ? ORDER BY person LIMIT 1)`;

// Members whom the list itself sent last need no entry.
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
