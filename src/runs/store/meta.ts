import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../../base/sqlite.ts';

/** Named JSON values kept in run.db. */
export interface Meta {
  /** Undefined where the name was never written. */
  read(name: string): unknown;
  /** Writes all of them in one transaction; a value of `undefined` removes its name. */
  write(values: Readonly<Record<string, unknown>>): void;
}

/** The values whose names start with `prefix`; the prefix keeps the notes of callers apart from svc's own. */
export function createMeta(db: DatabaseSync, prefix: string): Meta {
  const get = db.prepare('SELECT value FROM meta WHERE key = ?');
  const put = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare('DELETE FROM meta WHERE key = ?');
  return {
    read(name) {
      const text = get.get(prefix + name)?.value;
      return typeof text === 'string' ? JSON.parse(text) : undefined;
    },
    write(values) {
      transaction(db, () => {
        for (const [name, value] of Object.entries(values)) {
          value === undefined ? remove.run(prefix + name) : put.run(prefix + name, JSON.stringify(value));
        }
      });
    },
  };
}
