import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { contentKey, creationKey } from '../../../src/api/retry/key-source.ts';
import { configHome, profilesPath, readProfiles } from '../../../src/base/os/profile.ts';
import { openEnrollmentLedger } from '../../../src/ledgers/enrollment-ledger.ts';
import { findLedgerOfSameName, openContactLedger } from '../../../src/ledgers/open-contact-ledger.ts';
import { lockDestination } from '../../../src/runs/store/lock.ts';
import { newRunId, runFiles, stateFolderLayout, stateFolderPath } from '../../../src/runs/store/state-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createWorld } from '../../support/world.ts';
import { addresses, bare, createAutomationWorld } from '../enroll/support.ts';
import { claim } from './samples.ts';

/**
 * Names and hashes that outlive a version of svc: on disk, and in the keys that the service remembers. If a later
 * version writes another name, it doesn't find its ledgers, runs and keys. It then enrolls or imports people twice. To
 * change one of them, first write code that also finds the old name. Move or copy the file, raise `user_version` and
 * migrate the table, or try the old key before the new one (see I1 and I6). Keep the old value here in a test of that
 * code.
 */

const ORIGIN = 'https://api.example.test';
const FIXED_KEY = '0123456789abcdef'.repeat(4);

test('keeps the names of the state folder and the settings folder (D1)', () => {
  const home = '/home/ana';
  expect([
    stateFolderPath({}, undefined, home),
    stateFolderPath({ XDG_STATE_HOME: '/x' }, undefined, home),
    stateFolderPath({ XDG_STATE_HOME: '/x', SVC_STATE_DIR: '/y' }, undefined, home),
    stateFolderPath({ SVC_STATE_DIR: '/y' }, '/z', home),
    stateFolderLayout('/s'),
    configHome({}, home),
    configHome({ XDG_CONFIG_HOME: '/x' }, home),
    profilesPath('/x'),
  ]).toEqual([
    '/home/ana/.local/state/svc',
    '/x/svc',
    '/y',
    '/z',
    { runs: '/s/runs', locks: '/s/locks', ledgers: '/s/ledgers' },
    '/home/ana/.config',
    '/x',
    '/x/svc/config.json',
  ]);
});

test('reads the fields of a profile under the names of earlier versions (K4)', () => {
  const home = tempFolder();
  const profile = {
    base_url: 'https://a.example.test',
    api_key: 'k',
    api_key_origin: 'https://a.example.test',
    plan: 'starter',
    mcp_url: 'https://m.example.test',
    audience: 'aud_1',
  };
  mkdirSync(join(home, 'svc'));
  writeFileSync(join(home, 'svc/config.json'), JSON.stringify({ profiles: { work: profile } }), { mode: 0o600 });
  expect([...readProfiles(home)]).toEqual([['work', profile]]);
});

test('names a run and its files as earlier versions did (D1, K2)', () => {
  const run = newRunId('/s', Date.UTC(2026, 0, 1, 9, 30, 0, 123), (length) => 'f'.repeat(length));
  expect([run, runFiles('/s', run)]).toEqual([
    'run_20260101T093000123_ffffff',
    {
      folder: '/s/runs/run_20260101T093000123_ffffff',
      db: '/s/runs/run_20260101T093000123_ffffff/run.db',
      lock: '/s/runs/run_20260101T093000123_ffffff/lock.db',
      inputs: '/s/runs/run_20260101T093000123_ffffff/inputs',
      rejects: '/s/runs/run_20260101T093000123_ffffff/rejects',
      consentCsv: '/s/runs/run_20260101T093000123_ffffff/consent.csv',
      outcomesCsv: '/s/runs/run_20260101T093000123_ffffff/outcomes.csv',
      checkDb: '/s/runs/run_20260101T093000123_ffffff/check.db',
      missingCsv: '/s/runs/run_20260101T093000123_ffffff/gone.csv',
      report: '/s/runs/run_20260101T093000123_ffffff/report.json',
      reportHtml: '/s/runs/run_20260101T093000123_ffffff/report.html',
    },
  ]);
});

// Each entry has the operation, the destination, and two keys for the same body: key version 0, and version 3 with
// --again.
const KEYS: readonly (readonly [op: string, place: readonly string[], first: string, third: string])[] = [
  [
    'contacts',
    [ORIGIN, 'aud_1'],
    'svc1.contacts.10501277f12fe8f0.a92df3f49d3e989a.g0',
    'svc1.contacts.10501277f12fe8f0.a92df3f49d3e989a.a01234567.g3',
  ],
  [
    'canary',
    [ORIGIN, 'aud_1'],
    'svc1.canary.10501277f12fe8f0.a92df3f49d3e989a.g0',
    'svc1.canary.10501277f12fe8f0.a92df3f49d3e989a.a01234567.g3',
  ],
  [
    'upsert',
    [ORIGIN, 'aud_1'],
    'svc1.upsert.10501277f12fe8f0.a92df3f49d3e989a.g0',
    'svc1.upsert.10501277f12fe8f0.a92df3f49d3e989a.a01234567.g3',
  ],
  [
    'suppressions',
    [ORIGIN],
    'svc1.suppressions.c6e4c37deae701e2.a92df3f49d3e989a.g0',
    'svc1.suppressions.c6e4c37deae701e2.a92df3f49d3e989a.a01234567.g3',
  ],
  [
    'enroll',
    [ORIGIN, 'aut_1'],
    'svc1.enroll.6c02ead8dd475031.a92df3f49d3e989a.g0',
    'svc1.enroll.6c02ead8dd475031.a92df3f49d3e989a.a01234567.g3',
  ],
];

test.each(KEYS)(
  'makes the same idempotency key for %s as earlier versions (I6, I8)',
  (op, destination, first, third) => {
    const body = Buffer.from('{"email":"ana@example.com"}');
    expect(contentKey({ op, destination, body, keyVersion: 0 })).toBe(first);
    expect(contentKey({ op, destination, body, keyVersion: 3, keySuffix: '01234567' })).toBe(third);
  },
);

test('makes the same idempotency key for a creation as earlier versions (I8)', () => {
  const random = '0123456789abcdef01234567';
  expect([creationKey('audience', random, 0), creationKey('audience', random, 2)]).toEqual([
    'svc1.audience.0123456789abcdef01234567',
    'svc1.audience.0123456789abcdef01234567.g2',
  ]);
});

test('stores an enrollment ledger as earlier versions did (M5)', () => {
  const state = tempFolder();
  const ledger = openEnrollmentLedger(state, ORIGIN, 'aut_1');
  ledger.record('ana@example.com', { outcome: 'enrolled', run: 'run_a', time: 5 });
  ledger.close();
  const path = join(state, 'ledgers/6c02ead8dd475031527e318791ed5fe6.db');
  expect(rowsOf(path, 'SELECT * FROM entries')).toEqual([
    {
      person: '351edaa6119671fc207c6989535317669fe328dccdcc3c9952542a1c229476eb',
      outcome: 'enrolled',
      run: 'run_a',
      at: 5,
    },
  ]);
  expect(rowsOf(path, 'SELECT * FROM place')).toEqual([{ origin: ORIGIN, automation: 'aut_1' }]);
  expect(schemaOf(path)).toEqual({
    version: 0,
    tables: [
      'CREATE TABLE attempts ( person TEXT NOT NULL, run TEXT NOT NULL, PRIMARY KEY (person, run) ) STRICT, WITHOUT ROWID',
      'CREATE TABLE entries ( person TEXT PRIMARY KEY, outcome TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL ) STRICT, WITHOUT ROWID',
      'CREATE TABLE look_alikes ( loose TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (loose, person) ) STRICT, WITHOUT ROWID',
      'CREATE TABLE marks ( run TEXT PRIMARY KEY, mark INTEGER NOT NULL ) STRICT, WITHOUT ROWID',
      'CREATE TABLE place (origin TEXT PRIMARY KEY, automation TEXT NOT NULL) STRICT',
    ],
  });
});

test('opens an enrollment ledger of an earlier version (M5)', () => {
  const state = tempFolder();
  mkdirSync(join(state, 'ledgers'));
  const db = new DatabaseSync(join(state, 'ledgers/6c02ead8dd475031527e318791ed5fe6.db'));
  db.exec(`CREATE TABLE entries (person TEXT PRIMARY KEY, outcome TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
    INSERT INTO entries VALUES ('351edaa6119671fc207c6989535317669fe328dccdcc3c9952542a1c229476eb', 'unknown', 'run_b', 7),
      ('dcd8df7cc0aa4c5b3068708b7de7e84444fe2a1675e14cc236e5d5b237d8d59a', 'enrolled', 'run_c', 8)`);
  db.close();
  const ledger = openEnrollmentLedger(state, ORIGIN, 'aut_1');
  expect(ledger.lookup('ana@example.com')).toEqual({ outcome: 'unknown', run: 'run_b', time: 7 });
  // In this address the accent is a separate character. An earlier version counted it as another person's address.
  expect(ledger.lookup('jose\u0301@example.com')).toEqual({ outcome: 'enrolled', run: 'run_c', time: 8 });
  ledger.close();
});

test('stores a contact ledger as earlier versions did (G1)', () => {
  const stateFolder = tempFolder();
  const ledger = openContactLedger({ stateFolder, origin: ORIGIN, audienceId: 'aud_1' }, () => FIXED_KEY);
  ledger.forgetContent(['ana@example.com'], 1);
  ledger.recordAccepted([{ email: 'ana@example.com', json: '{"email":"ana@example.com"}', optsOut: true }], 'run_a');
  ledger.setMissing(['ana@example.com'], 9);
  ledger.recordAccepted([{ email: 'ana@example.com', json: '{"email":"ana@example.com"}', optsOut: false }], 'run_a');
  ledger.setLists([{ id: 1 }]);
  ledger.close();
  const path = join(stateFolder, 'ledgers/contacts-10501277f12fe8f01a817c9257f912af.db');
  expect(readdirSync(join(stateFolder, 'ledgers')).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual([
    'contacts-10501277f12fe8f01a817c9257f912af.db',
    'contacts.key',
  ]);
  expect(
    rowsOf(
      path,
      'SELECT hex(person) person, hex(address) address, hex(content) content, missing_since, opts_out, first_run FROM people',
    ),
  ).toEqual([
    {
      person: 'CFF76A3D2544CFC9246191B89FE208F8',
      address: '92A467509A3D3D402F212E1F3E7E9F',
      content: '939F7CCCD852C001FB1088A331B90097',
      missing_since: 9,
      opts_out: 0,
      first_run: 2426693347,
    },
  ]);
  expect(rowsOf(path, 'SELECT * FROM meta ORDER BY key')).toEqual([
    { key: 'id', value: `"${FIXED_KEY}"` },
    { key: 'key', value: '"9ef2c048f8e0b762492699b3eec15c3149b01b945b08fa82959588480c52e0d5"' },
    { key: 'lists', value: '[{"id":1}]' },
  ]);
  expect(schemaOf(path)).toEqual({
    version: 2,
    tables: [
      'CREATE TABLE left_before (person BLOB PRIMARY KEY) STRICT, WITHOUT ROWID',
      'CREATE TABLE list_members ( person BLOB NOT NULL, list INTEGER NOT NULL, PRIMARY KEY (person, list) ) STRICT, WITHOUT ROWID',
      'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
      'CREATE TABLE not_found ( person BLOB PRIMARY KEY, since INTEGER NOT NULL ) STRICT, WITHOUT ROWID',
      'CREATE TABLE opted_out (person BLOB PRIMARY KEY) STRICT, WITHOUT ROWID',
      'CREATE TABLE people ( person BLOB PRIMARY KEY, address BLOB NOT NULL, content BLOB, list INTEGER NOT NULL, missing_since INTEGER, opts_out INTEGER, first_run INTEGER ) STRICT, WITHOUT ROWID',
    ],
  });
});

test('opens a contact ledger of an earlier version (G3, G7)', () => {
  const place = { stateFolder: tempFolder(), origin: ORIGIN, audienceId: 'aud_1' };
  const first = openContactLedger(place, () => FIXED_KEY);
  first.forgetContent(['ana@example.com', 'bo@example.com'], 1);
  first.recordAccepted([{ email: 'ana@example.com', json: '{}', optsOut: true }], 'run_a');
  first.db.exec(
    'DROP TABLE list_members; ALTER TABLE people DROP COLUMN opts_out; ALTER TABLE people DROP COLUMN first_run',
  );
  first.close();
  const ledger = openContactLedger(place, () => FIXED_KEY);
  const listsOf = (email: string) => ledger.find(ledger.hashAddress(email))?.lists;
  expect([listsOf('ana@example.com'), ledger.counts()]).toEqual([[1], new Map([[1, 2]])]);
  // Nothing says yet that Ana opted out. The service never accepted Bo.
  expect(ledger.subscribedCount([1])).toBe(1);
  ledger.recordAccepted([{ email: 'ana@example.com', json: '{}', optsOut: true }], 'run_a');
  expect(ledger.subscribedCount([1])).toBe(0);
  ledger.forgetContent(['ana@example.com'], 2);
  ledger.addToList(2, [ledger.hashAddress('bo@example.com')]);
  expect([listsOf('ana@example.com'), listsOf('bo@example.com')]).toEqual([
    [2, 1],
    [1, 2],
  ]);
  expect(ledger.counts()).toEqual(
    new Map([
      [1, 2],
      [2, 2],
    ]),
  );
  ledger.removeFromLists([1], ['ana@example.com', 'bo@example.com']);
  expect([listsOf('ana@example.com'), listsOf('bo@example.com')]).toEqual([[2], [2]]);
  ledger.moveMembers(2, 3);
  expect(ledger.counts()).toEqual(new Map([[3, 2]]));
  ledger.close();
});

test('finds an audience by its name hash of today and of earlier versions (G3)', () => {
  const stateFolder = tempFolder();
  const place = { stateFolder, origin: ORIGIN, audienceId: 'aud_1', audienceName: 'Letter' };
  const ledger = openContactLedger(place, () => FIXED_KEY);
  ledger.forgetContent(['ana@example.com'], 1);
  const stored = ledger.db.prepare("SELECT value FROM meta WHERE key = 'audience'").get();
  expect(JSON.parse(String(stored?.value))).toEqual({ id: 'aud_1', name: digest(`${ORIGIN}\nletter`) });
  // The first versions hashed the name as it was.
  const earlier = JSON.stringify({ id: 'aud_1', name: digest(`${ORIGIN}\nLetter`) });
  ledger.db.prepare("UPDATE meta SET value = ? WHERE key = 'audience'").run(earlier);
  ledger.close();
  expect(findLedgerOfSameName(stateFolder, { origin: ORIGIN, name: 'Letter', id: 'aud_2' })).toBe('aud_1');
});

test('the contact ledger removes a person from all lists at once (G7)', () => {
  const ledger = openContactLedger({ stateFolder: tempFolder(), origin: ORIGIN, audienceId: 'aud_1' }, () => FIXED_KEY);
  ledger.forgetContent(['ana@example.com'], 1);
  ledger.addToList(2, [ledger.hashAddress('ana@example.com')]);
  ledger.addToList(3, [ledger.hashAddress('ana@example.com')]);
  ledger.removeOtherLists([1, 3]);
  expect(ledger.find(ledger.hashAddress('ana@example.com'))?.lists).toEqual([1, 3]);
  ledger.removePeople(['ana@example.com']);
  expect([ledger.counts(), ledger.db.prepare('SELECT * FROM list_members').all()]).toEqual([new Map(), []]);
  ledger.close();
});

test('locks a destination with the same file as earlier versions (I11)', async () => {
  const state = tempFolder();
  const lock = await lockDestination(state, `${ORIGIN}/aud_1`, claim('run_a'));
  lock.release();
  expect(readdirSync(join(state, 'locks')).sort()).toEqual([
    '2411ba0b2fd1405cd32443629b827b54.db',
    '2411ba0b2fd1405cd32443629b827b54.json',
  ]);
});

const RUN_TABLES = [
  'CREATE TABLE failures ( unit INTEGER NOT NULL REFERENCES units (id), source INTEGER NOT NULL, line INTEGER NOT NULL, code TEXT NOT NULL, detail TEXT ) STRICT',
  'CREATE INDEX failures_by_place ON failures (source, line)',
  'CREATE INDEX failures_by_unit ON failures (unit)',
  'CREATE TABLE meta ( key TEXT PRIMARY KEY, value TEXT NOT NULL ) STRICT, WITHOUT ROWID',
  'CREATE TABLE people ( person TEXT PRIMARY KEY, email TEXT NOT NULL, source INTEGER NOT NULL, line INTEGER NOT NULL, state TEXT NOT NULL, at TEXT, payload TEXT NOT NULL, why TEXT, reason TEXT ) STRICT, WITHOUT ROWID',
  'CREATE TABLE people_merged ( source INTEGER NOT NULL, line INTEGER NOT NULL, into_source INTEGER NOT NULL, into_line INTEGER NOT NULL ) STRICT',
  "CREATE INDEX people_respelled ON people_rows (person) WHERE (people_rows.email <> people_rows.person OR instr(people_rows.person, 'xn--') > 0)",
  'CREATE TABLE people_rows ( person TEXT NOT NULL, email TEXT NOT NULL, source INTEGER NOT NULL, line INTEGER NOT NULL, state TEXT NOT NULL, at TEXT, payload TEXT NOT NULL, PRIMARY KEY (source, line, person) ) STRICT, WITHOUT ROWID',
  'CREATE TABLE units ( id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, generation INTEGER NOT NULL, rows INTEGER NOT NULL, first_sent_at INTEGER NOT NULL, state TEXT NOT NULL, answer TEXT, UNIQUE (kind, name) ) STRICT',
  "CREATE INDEX units_unknown ON units (rows) WHERE state IN ('pending', 'doubt')",
];

test('stores and sends a migration as earlier versions did (D1, I6)', async () => {
  const world = await createWorld();
  const [{ id }] = (await world.svc('audiences ls --json')).json;
  world.requests();
  const people = addresses(6).map((email) => `${email},active,`);
  const rows = [
    ...people,
    'left@example.com,unsubscribed,2024-02-03',
    'gone@example.com,bounced,2024-02-03',
    'x,active,',
  ];
  world.file('list.csv', `Email,Status,Unsubscribed At\n${rows.join('\n')}\n`);
  const { code } = await world.svc(`migrate list.csv --audience ${id} --json`);
  const state = join(world.folder, 'state/svc');
  const [run = ''] = readdirSync(join(state, 'runs'));
  const place = digest(`https://mail.example.test/api\n${id}`);
  const sent = world.requests().filter(({ method }) => method === 'POST');
  const lock = digest(`https://mail.example.test/api/${id}`).slice(0, 32);

  expect([code, run]).toEqual([3, expect.stringMatching(/^run_20260101T000000000_[0-9a-f]{6}$/)]);
  expect(filesOf(state).map((file) => file.replace(run, 'RUN').replace(lock, 'LOCK'))).toEqual([
    'locks/LOCK.db',
    'locks/LOCK.json',
    ...['consent.csv', 'lock.db', 'lock.json', 'rejects/list.csv', 'report.html', 'report.json', 'run.db'].map(
      (file) => `runs/RUN/${file}`,
    ),
  ]);
  expect(sent.map(({ path, body, headers }) => [path, headers['idempotency-key'], digest(body).slice(0, 16)])).toEqual(
    sent.map(({ path, body }, at) => {
      const hash = digest(body).slice(0, 16);
      const where = at === 0 ? digest('https://mail.example.test/api') : place;
      const op = ['suppressions', 'canary', 'contacts'][at];
      return [path, `svc1.${op}.${where.slice(0, 16)}.${hash}.g0`, hash];
    }),
  );
  const db = join(state, 'runs', run, 'run.db');
  expect(schemaOf(db)).toEqual({ version: 1, tables: RUN_TABLES });
  expect(rowsOf(db, 'SELECT kind, name, generation, rows, state FROM units ORDER BY id')).toEqual([
    { kind: 'suppressions', name: 'bounced.0', generation: 0, rows: 1, state: 'done' },
    { kind: 'contacts', name: 'canary', generation: 0, rows: 4, state: 'done' },
    { kind: 'contacts', name: '0', generation: 0, rows: 3, state: 'done' },
  ]);
  expect(rowsOf(db, 'SELECT key FROM meta ORDER BY key').map(({ key }) => key)).toEqual([
    ...['note.canary', 'note.open_opt_outs', 'note.seed', 'note.suppressed_total', 'note.total_before'],
    ...['svc.endedAt', 'svc.exitCode', 'svc.header', 'svc.phase', 'svc.status'],
  ]);
  const [header] = rowsOf(db, "SELECT value FROM meta WHERE key = 'svc.header'");
  expect(Object.keys(JSON.parse(String(header?.value))).sort()).toEqual([
    ...['agreed', 'command', 'destination', 'inputs', 'keyFingerprint', 'options'],
    ...['origin', 'run', 'serviceTime', 'serviceTimeAtEnd', 'startedAt', 'typed', 'version'],
  ]);
});

test('stores and sends an enrollment as earlier versions did (M5, I6)', async () => {
  const world = await createAutomationWorld(addresses(2));
  await world.enroll(bare(addresses(2)));
  const state = join(world.folder, 'state/svc');
  const [run = ''] = readdirSync(join(state, 'runs'));
  const place = digest(`https://mail.example.test/api\n${world.automation}`);
  expect(filesOf(state).filter((file) => !file.startsWith('locks/'))).toEqual([
    `ledgers/${place.slice(0, 32)}.db`,
    ...['lock.db', 'lock.json', 'report.html', 'report.json', 'run.db'].map((file) => `runs/${run}/${file}`),
  ]);
  const body = (email: string) => digest(`{"email":"${email}"}`).slice(0, 16);
  expect(world.asked().map(({ headers }) => headers['idempotency-key'])).toEqual(
    addresses(2).map((email) => `svc1.enroll.${place.slice(0, 16)}.${body(email)}.g0`),
  );
  const people = rowsOf(join(state, `ledgers/${place.slice(0, 32)}.db`), 'SELECT person, outcome FROM entries');
  const must = addresses(2).map((email) => ({
    person: digest(`https://mail.example.test/api\n${world.automation}\n${email}`),
    outcome: 'enrolled',
  }));
  expect(people).toEqual(must.sort((one, other) => (one.person < other.person ? -1 : 1)));
  const db = join(state, 'runs', run, 'run.db');
  expect(rowsOf(db, 'SELECT kind, name, state FROM units ORDER BY id')).toEqual([
    { kind: 'enrollment', name: '0.2', state: 'done' },
    { kind: 'enrollment', name: '0.3', state: 'done' },
  ]);
});

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The files below a folder, without the side files of SQLite. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(?:wal|shm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function rowsOf(path: string, sql: string): readonly Record<string, unknown>[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare(sql).all();
  db.close();
  return rows.map((row) => ({ ...row }));
}

function schemaOf(path: string): object {
  const tables = rowsOf(path, 'SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name');
  const [version] = rowsOf(path, 'PRAGMA user_version');
  return { version: version?.user_version, tables: tables.map(({ sql }) => String(sql).replace(/\s+/g, ' ')) };
}
