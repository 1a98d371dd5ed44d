import { existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../../src/base/lib/hash.ts';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { goneOf, numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../support/nights.ts';
import { stoppedAt } from '../../../support/stopped-at.ts';
import { type CommandResult, createWorld, type World } from '../../../support/world.ts';

const PEOPLE = numberedNames(40);
const WITHOUT_LAST = rowsOf(numberedNames(39));
const UNSUBSCRIBE = { flags: '--gone unsubscribe' };

function folderOf(world: World): string {
  return join(world.folder, 'state', 'svc', 'ledgers');
}

/** The files of the ledger folder, with hashes of their bytes. Leaves out what SQLite makes beside a database. */
function ledgerBytes(world: World): string[] {
  const names = readdirSync(folderOf(world)).filter((name) => !/-(?:wal|shm)$/.test(name));
  return names.sort().map((name) => `${name} ${sha256Hex(readFileSync(join(folderOf(world), name)))}`);
}

function spoil(world: World, change: (path: string) => void): void {
  for (const name of readdirSync(folderOf(world))) {
    change(join(folderOf(world), name));
  }
}

const onLedger = (change: (path: string) => void) => (path: string) => void (path.endsWith('.db') && change(path));
const onKey = (change: (path: string) => void) => (path: string) => void (path.endsWith('.key') && change(path));

/** Changes one byte of the address of the last person, which SQLite does not notice. */
function damageLast(path: string): void {
  const db = new DatabaseSync(path);
  db.exec('UPDATE people SET address = zeroblob(length(address))');
  db.close();
}

const LOSSES: readonly (readonly [string, (path: string) => void, string])[] = [
  ['was removed', onLedger((path) => rmSync(path)), 'is gone'],
  ['and its key were removed', (path) => rmSync(path), 'is gone'],
  ['was cut', onLedger((path) => truncateSync(path, 700)), 'is damaged'],
  ['was emptied', onLedger((path) => truncateSync(path)), 'is damaged'],
  ['is another file', onLedger((path) => writeFileSync(path, 'no database')), 'is damaged'],
  ['has damaged people', onLedger(damageLast), 'is damaged'],
  ['lost its key', onKey((path) => rmSync(path)), 'is missing or damaged'],
  ['has an empty key', onKey((path) => truncateSync(path)), 'is missing or damaged'],
  ['has another key', onKey((path) => writeFileSync(path, `${'a'.repeat(64)}\n`)), 'is not the one that made'],
];

/** The words of a line of the hint that begins in this way, without `svc`. */
function commandIn(hint: string, start: string): string {
  return (hint.split('\n').find((line) => line.includes(start)) ?? '').replace(/^.*?svc /, '');
}

const errorOf = ({ err }: CommandResult) => JSON.parse(err).error as { code: string; message: string; hint: string };

describe.each(LOSSES)('a ledger that %s', (_, change, says) => {
  test.each(['report', 'unsubscribe'])('stops --gone %s before it sends anything (G3)', async (action) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    spoil(world, change);
    const before = ledgerBytes(world);
    for (const dry of ['', '--dry-run']) {
      const stopped = await runNight(world, WITHOUT_LAST, { flags: `--gone ${action} ${dry}` });
      const { code, message, hint } = errorOf(stopped);
      expect([stopped.code, code, message]).toEqual([5, 'lost_ledger', expect.stringContaining(says)]);
      expect(message).toContain("so svc can't tell who is missing in this list");
      expect(hint).toContain('contacts check users.csv --audience ');
    }
    expect([sentPeople(world), ledgerBytes(world)]).toEqual([[], before]);
  });

  test('lets --gone work again after one run of the printed command (G3)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    spoil(world, change);
    const stopped = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe --max-gone 20' });
    const command = commandIn(errorOf(stopped).hint, '--full');
    expect(command).not.toMatch(/gone/);
    const rebuilt = await world.svc(command);
    const warning = JSON.stringify(rebuilt.json.findings);
    expect([rebuilt.code, sentPeople(world).length]).toEqual([0, 39]);
    expect(warning).toContain(says);
    expect(warning).not.toMatch(/has not sent a list|no person of earlier lists/);
    const next = await runNight(world, rowsOf(numberedNames(38)), UNSUBSCRIBE);
    expect([next.code, goneOf(next), sentPeople(world)]).toEqual([0, ['p39 unsubscribed'], ['p39']]);
    expect(statusOf(world, 'p40')).toBe('subscribed');
  });
});

test.each(['--gone report', '--gone unsubscribe', '', '--full'])(
  'says that deleted people come back when the ledger is lost: "%s" (G3)',
  async (flags) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.emulator.admin.deleteContact('p3@example.com');
    spoil(world, (path) => rmSync(path));
    const night = await runNight(world, rowsOf(PEOPLE), { flags });
    const isStopped = flags.startsWith('--gone');
    const warned = isStopped
      ? errorOf(night).hint
      : night.json.findings.find(({ check }: { check: string }) => check === 'lost_ledger').message;
    expect(warned).toContain('people of the list who were deleted in the app come back');
    if (isStopped) {
      expect(statusOf(world, 'p3')).toBe(undefined);
      await world.svc(commandIn(errorOf(night).hint, '--full'));
    }
    expect(statusOf(world, 'p3')).toBe('subscribed');
  },
);

test.each(['--gone report', ''])(
  'prints a contacts check that reads the list as the import "%s" did (G3)',
  async (gone) => {
    const world = await createWorld();
    const rows = [...rowsOf(numberedNames(5)).map((row) => `${row};dabei`), 'p6@example.com;p6;Rome;raus'];
    const flags = [
      ...['--map', 'Kontakt=email', '--map', 'Notiz=status', '--map', 'Wer=first_name', '--delimiter', ';'],
      ...['--status-map', 'dabei=subscribed', '--status-map', 'raus=unsubscribed', '--attributes=none'],
    ];
    const file = "it's users.csv";
    const night = (more: string) => {
      world.file(file, ['Kontakt;Wer;Ort;Notiz', ...rows.map((row) => row.replaceAll(',', ';'))].join('\n'));
      const words = ['contacts', 'import', file, ...flags, '--plan', 'paid', '--only-changed', ...more.split(' ')];
      return world.svc([...words.filter(Boolean), '--json']);
    };
    expect((await night('')).code).toBe(0);
    spoil(world, (path) => rmSync(path));
    const { json, err } = await night(gone);
    const [hint = ''] = [err, ...json.findings.map((one: { hint?: string }) => one.hint ?? '')].filter((text: string) =>
      text.includes('contacts check'),
    );
    const text = hint.startsWith('{') ? JSON.parse(hint).error.hint : hint;
    const [, command = ''] = /svc (contacts check .*)$/m.exec(text) ?? [];
    const checked = await world.svc([...splitShellText(command), '--json']);
    expect([checked.code, checked.json.counts]).toMatchObject([0, { same: 6, missing: 0, extra: 0, different: 0 }]);
  },
);

test('keeps a ledger whose key is missing, and the key can come back (G3)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  const key = join(folderOf(world), 'contacts.key');
  const ledger = readdirSync(folderOf(world)).find((name) => name.endsWith('.db')) as string;
  renameSync(key, `${key}.away`);
  const { json } = await runNight(world, rowsOf(PEOPLE));
  expect([json.rows.updated, existsSync(join(folderOf(world), `${ledger}.lost-1`))]).toEqual([40, true]);
  // The user puts both back. The ledger lacks the last run, so --gone stops, and no person counts as unchanged.
  renameSync(`${key}.away`, key);
  renameSync(join(folderOf(world), `${ledger}.lost-1`), join(folderOf(world), ledger));
  const stopped = await runNight(world, WITHOUT_LAST, UNSUBSCRIBE);
  expect([stopped.code, errorOf(stopped).message]).toEqual([5, expect.stringContaining(`lacks what ${json.run}`)]);
  const full = await runNight(world, WITHOUT_LAST);
  expect([full.code, full.json.rows.unchanged, full.json.rows.updated]).toEqual([0, 0, 39]);
  const next = await runNight(world, WITHOUT_LAST, UNSUBSCRIBE);
  expect([next.code, goneOf(next)]).toEqual([0, ['p40 unsubscribed']]);
});

test('a dry run changes no ledger when the key of the ledger is lost (G3)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  spoil(
    world,
    onKey((path) => rmSync(path)),
  );
  const before = ledgerBytes(world);
  const { code } = await runNight(world, rowsOf(PEOPLE), { flags: '--dry-run' });
  expect([code, ledgerBytes(world)]).toEqual([0, before]);
});

test('after a lost ledger, stops --gone until the whole list was sent (G3)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  spoil(
    world,
    onLedger((path) => rmSync(path)),
  );
  let batches = 0;
  const cut = stoppedAt('response lost', ({ url }) => url.pathname.endsWith('/batch') && ++batches === 2);
  expect((await runNight(world, rowsOf(PEOPLE), cut)).code).not.toBe(0);
  const stopped = await runNight(world, WITHOUT_LAST, UNSUBSCRIBE);
  expect([stopped.code, errorOf(stopped).code]).toEqual([5, 'lost_ledger']);
  await runNight(world, rowsOf(PEOPLE));
  const next = await runNight(world, WITHOUT_LAST, UNSUBSCRIBE);
  expect([next.code, goneOf(next)]).toEqual([0, ['p40 unsubscribed']]);
});

test('stops --gone when the ledger was lost while a run was stopped (G3)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  let batches = 0;
  const cut = stoppedAt('response lost', ({ url }) => url.pathname.endsWith('/batch') && ++batches === 1);
  const more = [...rowsOf(PEOPLE), ...rowsOf(['eva', 'fay'])];
  const first = await runNight(world, more, { ...cut, ...UNSUBSCRIBE });
  spoil(world, (path) => rmSync(path));
  expect((await world.svc(`runs resume ${first.json.run} --json`)).code).toBe(0);
  const stopped = await runNight(world, more.slice(1), UNSUBSCRIBE);
  expect([stopped.code, errorOf(stopped).code]).toEqual([5, 'lost_ledger']);
  await runNight(world, more);
  expect(goneOf(await runNight(world, more.slice(1), UNSUBSCRIBE))).toEqual(['p1 unsubscribed']);
});

test('stops --gone for each list of a lost ledger until it is sent (G3)', async () => {
  const world = await createWorld();
  const vips = numberedNames(30).map((name) => `vip_${name}`);
  await runNight(world, rowsOf(PEOPLE));
  await runNight(world, rowsOf(vips), { file: 'vips.csv' });
  spoil(world, (path) => rmSync(path));
  await runNight(world, rowsOf(PEOPLE));
  const stopped = await runNight(world, rowsOf(vips.slice(1)), { ...UNSUBSCRIBE, file: 'vips.csv' });
  expect([stopped.code, errorOf(stopped).code]).toEqual([5, 'lost_ledger']);
  expect((await runNight(world, rowsOf(PEOPLE), UNSUBSCRIBE)).code).toBe(0);
  await runNight(world, rowsOf(vips), { file: 'vips.csv' });
  const next = await runNight(world, rowsOf(vips.slice(1)), { ...UNSUBSCRIBE, file: 'vips.csv' });
  expect([next.code, goneOf(next)]).toEqual([0, ['vip_p1 unsubscribed']]);
});

test('does not stop --gone at the first list of an audience (G3)', async () => {
  const world = await createWorld();
  const other = world.emulator.admin.createAudience('Other');
  await runNight(world, rowsOf(PEOPLE), { flags: `--audience ${world.emulator.audienceId}` });
  const first = await runNight(world, rowsOf(PEOPLE), { flags: `--audience ${other} --gone unsubscribe` });
  expect([first.code, JSON.stringify(first.json.findings)]).toEqual([
    0,
    expect.stringContaining('has not sent a list'),
  ]);
});

test('prints --full once when the line has --full and --gone (G3)', async () => {
  const world = await createWorld();
  const text = `email,first_name,city\n${rowsOf(PEOPLE).join('\n')}\n`;
  const line = 'contacts import - --default-status subscribed --plan paid --full --gone=unsubscribe --json';
  await world.svc(line, { stdin: text });
  spoil(world, (path) => rmSync(path));
  const stopped = await world.svc(line, { stdin: text });
  const words = splitShellText(commandIn(errorOf(stopped).hint, '--full'));
  expect(words.filter((word) => /full|gone/.test(word))).toEqual(['--full']);
});

test.each(['', '-q'])('warns that all people are sent when the ledger is lost: %j (G3)', async (quiet) => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  spoil(world, (path) => rmSync(path));
  const line = `contacts import users.csv --default-status subscribed --plan paid --only-changed ${quiet}`;
  const { code, out, err } = await world.svc(line);
  expect([code, `${out}${err}`]).toEqual([0, expect.stringContaining('the ledger of this audience is gone')]);
});

test('does not stop when the ledger of another audience has no tables (G3, D9)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(['ana']));
  spoil(
    world,
    onLedger((path) => emptyDatabase(path)),
  );
  await world.svc('runs prune --keep 0');
  const { json } = await world.svc('audiences create Newsletter2 --json');
  const { code } = await runNight(world, rowsOf(['ana']), { flags: `--audience ${json.id}` });
  expect(code).toBe(0);
});

/** Leaves a database without tables, as a kill did while an earlier svc created a ledger. */
function emptyDatabase(path: string): void {
  rmSync(path);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL');
  db.close();
}

test.each([
  ['no person is opted out', PEOPLE.slice(0, 2), '', ['lost_ledger']],
  ['no person is opted out, with --full', PEOPLE.slice(0, 2), '--full', ['lost_ledger']],
  [
    'a person is opted out',
    ['p1@example.com,subscribed', 'p2@example.com,unsubscribed'],
    '',
    ['imported_before', 'lost_ledger'],
  ],
] as const)('warns once that people come back when the ledger is lost: %s (G3)', async (_, who, flags, named) => {
  const world = await createWorld();
  const isStatus = who.some((row) => row.includes(','));
  const rows = isStatus ? who : rowsOf(who);
  const header = isStatus ? 'email,status' : 'email,first_name,city';
  await runNight(world, rows, { header });
  spoil(world, (path) => rmSync(path));
  const { code, json } = await runNight(world, rows, { header, flags });
  const checks = json.findings.map(({ check }: { check: string }) => check);
  const found = checks.filter((check: string) => ['imported_before', 'lost_ledger'].includes(check));
  expect([code, found.toSorted()]).toEqual([0, named]);
});
