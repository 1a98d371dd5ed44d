import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { FaultRule } from '../../../src/emulator/faults/fault.ts';
import { openGolden } from '../../support/golden.ts';
import { people } from '../../support/lists.ts';
import { createWorld, type World } from '../../support/world.ts';

/**
 * What an unfinished run of each command leaves on disk, and its idempotency keys. A later version of svc must find
 * all of it, or it creates, sends or enrolls twice. See lasting-names.test.ts for how to change one of these names.
 */
const golden = openGolden(join(import.meta.dirname, 'lasting-runs.txt'));

const ORIGIN = 'https://mail.example.test/api';
const LOST: FaultRule = { kind: 'reset', when: 'after', match: { route: 'POST *' } };
const LOST_BATCH: FaultRule = { ...LOST, match: { route: 'POST *contacts/batch' }, after: 1 };
const HOOK = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret';
const MAIL = 'emails send --from me@example.com --to ana@example.org --subject Hi --text Hi';

/** The command of a run, and what ends it early. */
const RUNS: readonly (readonly [line: string, fault: FaultRule])[] = [
  ['contacts import list.csv --only-changed', LOST_BATCH],
  ['contacts import list.csv --explicit-status', { ...LOST_BATCH, after: 2 }],
  ['suppressions import list.csv --reason bounced', LOST],
  ['migrate list.csv --audience-name News --create-audience', { ...LOST, times: 20 }],
  [
    'automations enroll Welcome list.csv --create-contacts --concurrency 1',
    { ...LOST, match: { route: 'POST *enroll' }, times: 20 },
  ],
  ['contacts check list.csv', { kind: 'reset', when: 'before', match: { route: 'GET *contacts' } }],
  ['audiences create News', LOST],
  [HOOK, LOST],
  [MAIL, LOST],
];

test.each(RUNS)('leaves the same files and keys as earlier versions: %s (D1, I6)', async (line, fault) => {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  world.emulator.admin.createAutomation({ name: 'Welcome' });
  world.file('list.csv', people(6));
  world.emulator.admin.addFault(fault);

  const { code } = await world.svc(`${line} --json`);

  expect(code).not.toBe(0);
  golden.check(line, leftBy(world));
});

test('lasting-runs.txt has a recorded run of each command', () => {
  expect(golden.titles()).toEqual(RUNS.map(([line]) => line));
});

/** Files, requests, notes and header of the only run, without values that differ between two test setups. */
function leftBy(world: World): string[] {
  const state = join(world.folder, 'state/svc');
  const [run = ''] = readdirSync(join(state, 'runs'));
  const shown = shownIn(world, run);
  const db = new DatabaseSync(join(state, 'runs', run, 'run.db'), { readOnly: true });
  const requests = db.prepare("SELECT concat_ws(' ', kind, name, state, key) text FROM units ORDER BY id").all();
  const meta = db.prepare("SELECT concat_ws(' ', key, value) text FROM meta ORDER BY key").all();
  db.close();
  return [
    ...filesOf(state)
      .map((file) => `  file ${shown(file)}`)
      .sort(),
    ...requests.map(({ text }) => `  unit ${shown(String(text))}`),
    ...meta.map(({ text }) => `  meta ${shown(String(text))}`),
  ];
}

/** Replaces values that differ from test to test. A hash becomes the name of its source, so a wrong hash shows. */
function shownIn(world: World, run: string): (text: string) => string {
  const automation =
    world
      .requests()
      .find(({ path }) => path.includes('/aut_'))
      ?.path.split('/')[3] ?? 'no flow';
  const names = { AUD: world.emulator.audienceId, AUT: automation, NEW: 'new:news', ALL: 'suppressions' };
  const hashes = Object.entries(names).flatMap(([name, place]) => [
    [digest(`${ORIGIN}/${place}`).slice(0, 32), `<lock ${name}>`],
    [digest(`${ORIGIN}\n${place}`).slice(0, 32), `<${name}>`],
    [digest(`${ORIGIN}\n${place}`).slice(0, 16), `<${name}>`],
  ]);
  const anywhere = [digest(automation).slice(0, 32), '<lock AUT anywhere>'];
  const all = [
    ...hashes,
    anywhere,
    [digest(ORIGIN).slice(0, 16), '<ACCOUNT>'],
    [run, 'RUN'],
    [world.folder, '<folder>'],
  ];
  return (text) =>
    all
      .reduce((left, [from = '', to = '']) => left.replaceAll(from, to), text)
      .replaceAll(names.AUD, 'AUD')
      .replaceAll(automation, 'AUT')
      .replace(/(?<=^svc\.endedAt )\d+|(?<="stamp":")[^"]*|(?<="serviceTimeAtEnd":)\d+/g, '<any>')
      .replace(/(?<=^note\.(?:seed|again|ledger_id) ")\w+|(?<="(?:random|keyFingerprint)":")\w+/g, '<any>')
      .replace(/(?<=^note\.plan \{"object":"run_report").*/, '<any>')
      .replace(/(?<=\.a)[0-9a-f]{8}(?=\.g\d)|(?<=^creation .*\.)[0-9a-f]{24}/g, '<any>');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The files below a folder, without the side files of SQLite. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(?:wal|shm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
