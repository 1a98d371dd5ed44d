import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

const LINES = [
  'migrate list.csv',
  'contacts import list.csv',
  'suppressions import list.csv --reason bounced',
  'automations enroll {aut} list.csv --concurrency 1',
];

/** A run with copies of its report that got Ctrl-C after its second request that writes. */
async function stoppedRun(line: string, rows = 30) {
  const world = await createWorld({ plan: 'paid' });
  const list = world.file('list.csv', people(rows));
  world.emulator.admin.addContacts(Array.from({ length: 3 }, (_, index) => ({ email: `person${index}@example.com` })));
  const typed = line.replace('{aut}', world.emulator.admin.createAutomation());
  const stop = stoppedAfterPost(1, createInterruption('SIGINT'));
  const first = await world.svc(`${typed} --report r.json --report-html r.html --json`, stop);
  expect(first.code).toBe(130);
  const read = (name: string) => readFileSync(join(world.folder, name), 'utf8');
  return { world, list, run: first.json.run, typed, read };
}

test.each(LINES)('writes the copies of the report again when %s is resumed', async (line) => {
  const { world, run, read } = await stoppedRun(line, line.startsWith('suppressions') ? 1_500 : 30);
  mkdirSync(join(world.folder, 'below'));

  const { json } = await world.svc(`runs resume ${run} --json`, { cwd: join(world.folder, 'below') });

  expect(['completed', 'partial']).toContain(json.status);
  expect(read('r.json')).toBe(readFileSync(json.files.report, 'utf8'));
  expect(JSON.parse(read('r.json')).exit_code).toBe(json.exit_code);
  expect(read('r.html')).toBe(readFileSync(json.files.report_html, 'utf8'));
  expect(existsSync(join(world.folder, 'below/r.json'))).toBe(false);
});

test('updates the report copies when the command is repeated without --report', async () => {
  const { world, typed, read } = await stoppedRun('migrate list.csv');
  expect((await world.svc(typed)).code).toBe(0);
  expect(JSON.parse(read('r.json')).status).toBe('completed');
});

test('keeps the report copies when a resume has no API key', async () => {
  const { world, run, read } = await stoppedRun('migrate list.csv');
  const before = read('r.json');
  expect((await world.svc(`runs resume ${run} --json`, { env: { SVC_API_KEY: '' } })).code).toBe(4);
  expect(read('r.json')).toBe(before);
});

test('completes the run and names the report copy that a resume cannot write', async () => {
  const { world, run } = await stoppedRun('migrate list.csv');
  rmSync(join(world.folder, 'r.json'));
  mkdirSync(join(world.folder, 'r.json'));
  const { code, json, err } = await world.svc(`runs resume ${run} --json`);
  const { error } = JSON.parse(err);
  expect([code, json.status, error.code]).toEqual([2, 'completed', 'report_unwritable']);
  expect(error.message).toContain(join(world.folder, 'r.json'));
  expect(world.emulator.admin.contacts()).toHaveLength(30);
});

test.each(['moved to', 'linked from'])(
  'never overwrites the list when it was %s the path of a report copy',
  async (how) => {
    const { world, run, list, read } = await stoppedRun('migrate list.csv');
    rmSync(join(world.folder, 'r.json'));
    if (how === 'moved to') {
      renameSync(list, join(world.folder, 'r.json'));
      symlinkSync(join(world.folder, 'r.json'), list);
    } else {
      symlinkSync(list, join(world.folder, 'r.json'));
    }
    const { code, err } = await world.svc(`runs resume ${run} --json`);
    expect([code, JSON.parse(err.slice(err.indexOf('{"error'))).error.code]).toEqual([2, 'report_unwritable']);
    expect(read('r.json')).toBe(people(30));
  },
);

test.each(['r.json', 'r.html'])('refuses a resume when its log would replace the report copy %s', async (name) => {
  const { world, run } = await stoppedRun('migrate list.csv');
  const { code, err } = await world.svc(`runs resume ${run} --log-file ${name}`);
  expect([code, err]).toEqual([2, expect.stringContaining('--log-file')]);
});

test('records no device such as /dev/null as a copy of the report', async () => {
  const world = await createWorld({ plan: 'paid' });
  world.file('list.csv', people(30));
  const { json } = await world.svc('migrate list.csv --report /dev/null --json', stoppedAfterPost(1));
  const db = new DatabaseSync(join(world.folder, 'state/svc/runs', json.run, 'run.db'), { readOnly: true });
  const recorded = db.prepare("SELECT value FROM meta WHERE key = 'note.report_copies'").get();
  db.close();
  expect([recorded, (await world.svc(`runs resume ${json.run} --json`)).code]).toEqual([undefined, 0]);
});

test('updates the JSON and HTML copies when runs resolve records outcomes', async () => {
  const world = await createWorld();
  world.file('list.csv', 'email\nperson0@example.com\n');
  world.emulator.admin.addContacts([{ email: 'person0@example.com' }]);
  const automation = world.emulator.admin.createAutomation();
  world.emulator.admin.addFault({ kind: 'lost_claim', effect: false, match: { route: 'POST *enroll' } });
  const { json } = await world.svc(
    `automations enroll ${automation} list.csv --report r.json --report-html r.html --json`,
  );
  const read = (name: string) => readFileSync(join(world.folder, name), 'utf8');
  expect(JSON.parse(read('r.json')).status).toBe('partial');

  expect((await world.svc(`runs resolve ${json.run} --all enrolled`)).code).toBe(0);

  expect(JSON.parse(read('r.json')).status).toBe('completed');
  expect(read('r.json')).toBe(readFileSync(json.files.report, 'utf8'));
  expect(read('r.html')).toBe(readFileSync(json.files.report_html, 'utf8'));
  expect(read('r.html')).not.toContain('unknown');
});
