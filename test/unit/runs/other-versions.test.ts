import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import { openCheckDatabase } from '../../../src/contacts-check/check-database.ts';
import { people } from '../../support/lists.ts';
import { BATCH, type CommandResult, createWorld, type World } from '../../support/world.ts';
import { addresses, bare, createAutomationWorld } from '../enroll/support.ts';

/** How a command ends that reads a store of another version of svc. */
interface OtherVersion {
  readonly store: string;
  /** Makes the store with this version of svc, changes it, and runs the command that reads it. */
  play(): Promise<CommandResult>;
  readonly exit: number;
  /** A part of what the command says. */
  readonly says: RegExp;
}

/** Stops a command with Ctrl-C before its second page of contacts. */
async function stoppedAtSecondPage(world: World, line: string): Promise<void> {
  const stop = new AbortController();
  const stopping = (inner: Transport): Transport => ({
    ...inner,
    send: (request, signal) => {
      if (request.url.search.includes('after=')) {
        stop.abort(createInterruption('SIGINT'));
      }
      return inner.send(request, signal);
    },
  });
  const { code } = await world.svc(line, { signal: stop.signal, transport: stopping });
  expect(code).toBe(130);
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function newestRun(world: World): string {
  const runs = join(world.folder, 'state/svc/runs');
  return join(runs, readdirSync(runs).toSorted().at(-1) ?? '');
}

/** Changes run.db of a run that did not finish, and resumes it. */
async function resumed(sql: string): Promise<CommandResult> {
  const world = await createWorld();
  world.file('list.csv', people(3));
  const match = { route: BATCH };
  world.emulator.admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before', match });
  await world.svc('contacts import list.csv --yes');
  const run = newestRun(world);
  change(join(run, 'run.db'), sql);
  return world.svc(['runs', 'resume', run.split('/').at(-1) ?? '', '--yes', '--json']);
}

const headerWith = (field: string) => `UPDATE meta SET value = ${field} WHERE key = 'svc.header'`;

/** Enrolls a person, changes the ledger, and enrolls the same person again in another list. */
async function enrolledAgain(sql: string): Promise<CommandResult> {
  const world = await createAutomationWorld(addresses(2), { reentry: 'always' });
  expect((await world.enroll(bare(addresses(1)))).code).toBe(0);
  const ledgers = join(world.folder, 'state/svc/ledgers');
  const name = readdirSync(ledgers).find((each) => /^[0-9a-f]{32}\.db$/.test(each)) ?? '';
  change(join(ledgers, name), sql);
  world.asked();
  const again = await world.enroll(bare(addresses(2)));
  expect(world.asked()).toEqual([]);
  return again;
}

/** Stops a check in the middle, makes its store one of another version, and starts the check again. */
async function checkedAgain(sql: string): Promise<CommandResult> {
  const contacts = addresses(150).map((email, n) => ({ email, ...(n > 49 && { first_name: `Name ${n}` }) }));
  const world = await createWorld({ seed: { contacts } });
  world.file('list.csv', people(150));
  await stoppedAtSecondPage(world, 'contacts check list.csv --json');
  change(join(newestRun(world), 'check.db'), sql);
  const checked = await world.svc('contacts check list.csv');
  const { counts } = JSON.parse(readFileSync(join(newestRun(world), 'report.json'), 'utf8'));
  // The contacts of the second page have no first name: that is a difference, because others have one.
  expect(counts).toEqual({ same: 100, different: 50, missing: 0, extra: 0, opted_out: 0 });
  return checked;
}

const EARLIER_NAMES = `
  UPDATE meta SET value = json_remove(json_set(value, '$.last', json('false'), '$.expected', 150),
    '$.lastPageStored', '$.expectedCount', '$.shownFields');
  PRAGMA user_version = 0`;

/** Stops an export in the middle, changes its cursor, and starts it again. */
async function exportedAgain(edit: (cursor: Record<string, unknown>) => object): Promise<CommandResult> {
  const world = await createWorld({ seed: { contacts: addresses(150).map((email) => ({ email })) } });
  await stoppedAtSecondPage(world, 'contacts export --output all.csv');
  const path = join(world.folder, 'all.csv.cursor');
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')))));
  const before = statSync(join(world.folder, 'all.csv.part')).size;
  const exported = await world.svc('contacts export --output all.csv');
  expect(statSync(join(world.folder, 'all.csv.part')).size).toBe(before);
  return exported;
}

/** Imports a list with a ledger, changes the ledger, and imports the list again. */
async function importedAgain(sql: string): Promise<CommandResult> {
  const world = await createWorld();
  world.file('list.csv', people(3));
  const line = 'contacts import list.csv --only-changed --yes --json';
  await world.svc(line);
  const ledgers = join(world.folder, 'state/svc/ledgers');
  const name = readdirSync(ledgers).find((each) => /^contacts-.*\.db$/.test(each)) ?? '';
  change(join(ledgers, name), sql);
  const again = await world.svc(line);
  expect(again.json.rows).toMatchObject({ unchanged: 0, updated: 3 });
  return again;
}

const NEWER_RUN = /was written by a newer svc/;
const UNKNOWN_COMMAND = /not_resumable.*can't be resumed: contacts merge/;
const DAMAGED = /the record of run_\S+ is damaged/;
const OTHER_LEDGER = /newer_ledger.*another version of svc wrote the record of whom it enrolled/;
const OTHER_EXPORT = /belongs to another export/;

const CASES: readonly OtherVersion[] = [
  { store: 'run.db, newer tables', play: () => resumed('PRAGMA user_version = 2'), exit: 2, says: NEWER_RUN },
  {
    store: 'run.db, a newer header',
    play: () => resumed(headerWith(`json_set(value, '$.version', 2)`)),
    exit: 2,
    says: NEWER_RUN,
  },
  {
    store: 'run.db, a header without version',
    play: () => resumed(headerWith(`json_remove(value, '$.version')`)),
    exit: 1,
    says: DAMAGED,
  },
  { store: 'run.db, a header that is no object', play: () => resumed(headerWith(`'[]'`)), exit: 1, says: DAMAGED },
  {
    store: 'run.db, a command of another version',
    play: () => resumed(headerWith(`json_set(value, '$.command', 'contacts merge')`)),
    exit: 2,
    says: UNKNOWN_COMMAND,
  },
  {
    store: 'the enrollment ledger, newer',
    play: () => enrolledAgain('PRAGMA user_version = 1'),
    exit: 2,
    says: OTHER_LEDGER,
  },
  {
    store: 'the enrollment ledger, another column',
    play: () => enrolledAgain('ALTER TABLE entries RENAME outcome TO word'),
    exit: 2,
    says: OTHER_LEDGER,
  },
  {
    store: 'the enrollment ledger, a further column',
    play: () => enrolledAgain(`ALTER TABLE entries ADD COLUMN until INTEGER`),
    exit: 2,
    says: OTHER_LEDGER,
  },
  { store: 'the contact ledger, older', play: () => importedAgain('PRAGMA user_version = 1'), exit: 0, says: /./ },
  { store: 'the contact ledger, newer', play: () => importedAgain('PRAGMA user_version = 3'), exit: 0, says: /./ },
  {
    store: 'check.db, older names',
    play: () => checkedAgain(EARLIER_NAMES),
    exit: 3,
    says: /Another version of svc stored/,
  },
  {
    store: 'check.db, newer tables',
    play: () => checkedAgain('DROP TABLE there; CREATE TABLE there (x); PRAGMA user_version = 9'),
    exit: 3,
    says: /Another version of svc stored/,
  },
  {
    store: 'the cursor of an export, without its bytes',
    play: () => exportedAgain(({ bytes: _, ...cursor }) => cursor),
    exit: 2,
    says: OTHER_EXPORT,
  },
  {
    store: 'the cursor of an export, with a place of another type',
    play: () => exportedAgain((cursor) => ({ ...cursor, after: { page: 2 } })),
    exit: 2,
    says: OTHER_EXPORT,
  },
];

test.each(CASES)('refuses or replaces a store of another version: $store (D1)', async ({ play, exit, says }) => {
  const { code, out, err } = await play();
  expect([code, `${out}${err}`.replaceAll(/\s+/g, ' ')]).toEqual([exit, expect.stringMatching(says)]);
});

test('check.db has the table and column names of its schema version (V2)', async () => {
  const contacts = addresses(150).map((email) => ({ email }));
  const world = await createWorld({ seed: { contacts } });
  world.file('list.csv', people(150));
  await stoppedAtSecondPage(world, 'contacts check list.csv');
  const { db } = openCheckDatabase(join(newestRun(world), 'check.db'));
  const { version } = db.prepare('SELECT user_version AS version FROM pragma_user_version').get() ?? {};
  const state = db.prepare(`SELECT value FROM meta WHERE key = 'audience.state'`).get();
  const columns = db.prepare(
    `SELECT m.name || '.' || c.name AS name FROM sqlite_master m, pragma_table_info(m.name) c
     WHERE m.type = 'table' ORDER BY 1`,
  );
  const names = columns.all().map(({ name }) => name);
  db.close();
  // Another version is needed if one of these names changes.
  expect({ version, state: Object.keys(JSON.parse(String(state?.value))).toSorted(), names }).toEqual({
    version: 1,
    state: ['after', 'at', 'expectedCount', 'lastPageStored', 'pass', 'shownFields'],
    names: [
      'meta.key',
      'meta.value',
      'results.differences',
      'results.email',
      'results.expected',
      'results.id',
      'results.outcome',
      'suppressed.key',
      'suppressed.reason',
      'there.contact',
      'there.id',
      'there.key',
      'there.who',
    ],
  });
});

test('resumes a run of an svc without --allow-heading and --allow-legend (D1)', async () => {
  const world = await createWorld();
  world.file('list.csv', people(3));
  const match = { route: BATCH };
  world.emulator.admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before', match, times: 1 });
  await world.svc('contacts import list.csv --yes --allow-heading Left --allow-legend x --allow-blanks List');
  const run = newestRun(world);
  const fields = ['allowHeadings', 'allowLegends', 'allowBlanks'].map((name) => `'$.options.reading.${name}'`);
  change(join(run, 'run.db'), headerWith(`json_remove(value, ${fields.join(', ')})`));
  const { code, err } = await world.svc(['runs', 'resume', run.split('/').at(-1) ?? '', '--yes', '--json']);
  expect(code, err).toBe(0);
});
