import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase, readClosedDatabase, reliableStampOf, transaction } from '../../../../src/base/os/sqlite.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { thrownBy } from '../thrown.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

function openTable(path = ':memory:') {
  const db = openDatabase(path, { create: true });
  db.exec('CREATE TABLE t (v TEXT)');
  return db;
}

const values = (db: ReturnType<typeof openTable>) =>
  db
    .prepare('SELECT v FROM t')
    .all()
    .map((row) => row.v);

test('syncs every commit of a database and uses a write-ahead log', () => {
  const db = openTable(join(tempFolder(), 'x.db'));
  expect([db.prepare('PRAGMA journal_mode').get(), db.prepare('PRAGMA synchronous').get()]).toEqual([
    { journal_mode: 'wal' },
    { synchronous: 2 },
  ]);
});

test('creates the database and its side files with mode 0600 (D6)', () => {
  const path = join(tempFolder(), 'x.db');
  openTable(path);
  expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(['600', '600', '600']);
});

test('sets mode 0600 on a database that other users could read (D6)', () => {
  const path = join(tempFolder(), 'x.db');
  openTable(path).close();
  chmodSync(path, 0o644);
  openDatabase(path).close();
  expect(modeOf(path)).toBe('600');
});

test('does not create a missing database without the create option', () => {
  const path = join(tempFolder(), 'x.db');
  expect(thrownBy(() => openDatabase(path))).toEqual({
    exit: 2,
    code: 'state_missing',
    message: `no such file: ${path}`,
    hint: undefined,
  });
  expect(existsSync(path)).toBe(false);
});

describe('the read of a closed database', () => {
  const closedTable = () => {
    const path = join(tempFolder(), 'x.db');
    addRow(path, 'a');
    return path;
  };
  const addRow = (path: string, value: string) => {
    const db = existsSync(path) ? openDatabase(path) : openTable(path);
    db.prepare('INSERT INTO t VALUES (?)').run(value);
    db.close();
  };

  test('makes no file beside a closed database when svc reads the database', () => {
    const path = closedTable();
    expect(readClosedDatabase(path, (db) => [values(db), readdirSync(dirname(path))])).toEqual({
      result: [['a'], ['x.db']],
    });
  });

  test('reads a closed database whose path has the special characters of URLs', () => {
    const path = join(tempFolder(), 'a?b=c#d %41.db');
    addRow(path, 'a');
    expect(readClosedDatabase(path, values)).toEqual({ result: ['a'] });
  });

  test('does not read a closed database while a process has it open (D1)', () => {
    const path = closedTable();
    const db = openDatabase(path);
    db.exec("INSERT INTO t VALUES ('b')");
    expect(readClosedDatabase(path, values)).toBeUndefined();
    db.close();
    expect(readClosedDatabase(path, values)).toEqual({ result: ['a', 'b'] });
  });

  test('does not read a database when a killed process left its log (D1)', () => {
    const path = closedTable();
    const db = openDatabase(path);
    db.exec("INSERT INTO t VALUES ('b')");
    const killed = join(tempFolder(), 'x.db');
    ['', '-wal'].forEach((end) => copyFileSync(`${path}${end}`, `${killed}${end}`));
    expect([readClosedDatabase(killed, values), values(openDatabase(killed))]).toEqual([undefined, ['a', 'b']]);
  });

  test.each<[string, (path: string) => void]>([
    ['is missing', (path) => rmSync(path)],
    ['has a rollback journal', (path) => writeFileSync(`${path}-journal`, 'x')],
    ['is damaged', (path) => writeFileSync(path, 'x'.repeat(8_192))],
  ])('does not read a closed database when it %s (D9)', (_, change) => {
    const path = closedTable();
    change(path);
    expect(readClosedDatabase(path, values)).toBeUndefined();
  });

  test.each<[string, (path: string) => void]>([
    ['written', (path) => addRow(path, 'b')],
    ['replaced', (path) => renameSync(closedTable(), path)],
    ['deleted', (path) => rmSync(path)],
  ])('returns nothing from a closed database that is %s during the read (D1)', (_, change) => {
    const path = closedTable();
    const read = readClosedDatabase(path, (db) => {
      change(path);
      return values(db);
    });
    expect(read).toBeUndefined();
  });
});

describe('a transaction', () => {
  test('writes no rows when the function of a transaction throws', () => {
    const db = openTable();
    const fail = () =>
      transaction(db, () => {
        db.exec(`INSERT INTO t VALUES ('a')`);
        throw new Error('halfway');
      });
    expect(fail).toThrow('halfway');
    expect([values(db), db.isTransaction]).toEqual([[], false]);
  });

  test('undoes an inner transaction when the outer one fails', () => {
    const db = openTable();
    const fail = () =>
      transaction(db, () => {
        transaction(db, () => db.exec(`INSERT INTO t VALUES ('a')`));
        throw new Error('halfway');
      });
    expect(fail).toThrow('halfway');
    expect(values(db)).toEqual([]);
  });

  test('a transaction returns what its function returns', () => {
    expect(transaction(openTable(), () => 7)).toBe(7);
  });
});

describe('a disk problem of a database (D2)', () => {
  test('undoes the transaction and names the folder when the disk is full', () => {
    const folder = tempFolder();
    const db = openTable(join(folder, 'x.db'));
    db.exec('PRAGMA max_page_count = 4');
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    const fill = () =>
      transaction(db, () => {
        insert.run('small');
        insert.run('x'.repeat(100_000));
      });
    expect(thrownBy(fill)).toEqual({
      exit: 1,
      code: 'disk_full',
      message: `no space left in ${folder}; svc does nothing that it cannot record`,
      hint: 'free some space there and run the same command again',
    });
    expect([values(db), db.isTransaction]).toEqual([[], false]);
  });

  test('reports that svc cannot write the state folder when it is read-only', () => {
    const folder = tempFolder();
    const db = openTable(join(folder, 'x.db'));
    db.exec('PRAGMA query_only = ON');
    expect(thrownBy(() => transaction(db, () => db.exec(`INSERT INTO t VALUES ('a')`)))).toEqual({
      exit: 1,
      code: 'state_unwritable',
      message: `can't read or write in ${folder}: attempt to write a readonly database`,
      hint: 'make it readable and writable for you; another state folder is named with --state-dir <dir>',
    });
    expect([values(db), db.isTransaction]).toEqual([[], false]);
  });

  test('reports a damaged file when the file holds no database, and keeps it', () => {
    const folder = tempFolder();
    const path = join(folder, 'x.db');
    const content = 'not a database, but long enough to be read as the header of one';
    writeFileSync(path, content);
    for (const options of [{}, { create: true }]) {
      expect(thrownBy(() => openDatabase(path, options))).toEqual({
        exit: 1,
        code: 'state_damaged',
        message: `damaged file in ${folder}: file is not a database`,
        hint: 'svc runs ls shows which runs can still be read',
      });
    }
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['x.db'], content]);
  });
});

describe('the reliable stamp of a closed database', () => {
  test.each<[string, (now: number) => number, boolean]>([
    ['a minute ago', (now) => now - 60.5, true],
    ['half a second ago', (now) => now - 0.501, true],
    ['in this millisecond', (now) => now, false],
    ['in the future, because the clock was set back', (now) => now + 60, false],
    ['ten whole seconds ago', (now) => Math.floor(now) - 10, true],
    ['two whole seconds ago', (now) => Math.floor(now) - 2, false],
  ])('exists only when the next write changes it: written %s (D9)', (_, writtenAt, exists) => {
    const path = join(tempFolder(), 'x.db');
    openTable(path).close();
    const seconds = writtenAt(Date.now() / 1_000);
    utimesSync(path, seconds, seconds);
    expect(reliableStampOf(path) !== undefined).toBe(exists);
  });

  test('changes with the database, and is missing while it is open (D1)', () => {
    const path = join(tempFolder(), 'x.db');
    const writeThenAge = (value: string, seconds: number) => {
      const db = openDatabase(path, { create: true });
      db.exec(`CREATE TABLE IF NOT EXISTS t (v TEXT); INSERT INTO t VALUES ('${value}')`);
      const whileOpen = reliableStampOf(path);
      db.close();
      utimesSync(path, 1_700_000_000.5 + seconds, 1_700_000_000.5 + seconds);
      return [whileOpen, reliableStampOf(path)];
    };
    const [first, second] = [writeThenAge('a', 0), writeThenAge('b', 1)];
    expect([first[0], second[0]]).toEqual([undefined, undefined]);
    expect(first[1]).not.toBe(second[1]);
  });
});
