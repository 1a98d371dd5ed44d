import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { createWorld } from '../../../support/world.ts';

const LIST = 'email,status\nana@example.com,subscribed\nbob@example.com,unsubscribed\n';

test('prints nothing with --quiet when a run ends well', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  expect(await world.svc('migrate list.csv -q')).toMatchObject({ code: 0, out: '', err: '' });
});

test('prints the result even with --quiet when rows are rejected', async () => {
  const world = await createWorld();
  world.file('list.csv', `${LIST}nope,subscribed\n`);
  const { code, out, err } = await world.svc('migrate list.csv -q --max-failures 50%');
  expect(code).toBe(3);
  expect(out).toMatch(/^\S+Z migrate partial run_\S+ read=3 created=2 rejected=1 warnings=1 \d+s\n$/);
  expect(err).toContain('1  rejected: left out');
  expect(err).toContain('/rejects/list.csv');
});

test('prints one line on stdout and none on stderr without a terminal', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { out, err } = await world.svc('migrate list.csv');
  expect(out).toMatch(/^2026-01-01T00:00:\d\dZ migrate ok run_\S+ read=2 created=2 \d+s\n$/);
  expect(err).toBe('');
});

test('prints the time on every line of --verbose without a terminal', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { err } = await world.svc('migrate list.csv -v');
  const lines = err.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !/^2026-01-01T00:00:\d\dZ (GET|POST) /.test(line))).toEqual([]);
});

test('shows the whole plan after "d", and the valid answers after a typo (M7)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const asked: string[] = [];
  const run = { answers: ['d', 'x', 'n'], onAsk: (question: string) => void asked.push(question) };
  const { code, err } = await world.svc('migrate list.csv --no-color', run);
  expect(code).toBe(5);
  expect(err).toContain('Columns\n  email');
  const question = 'Import 2 contacts? About 1 s.  [y]es [N]o [d]etails ';
  expect(asked.map((text) => text.slice(-question.length))).toEqual([question, question, question]);
  expect(asked.at(-1)).toBe(`Type y, n or d.\n${question}`);
});

test.each([
  ['for the agreement', LIST, ['y']],
  ['for an answer to a question', 'Email,Status\na@example.com,perhaps\n', ['leave these people out', '2', 'y']],
])('leaves the wait %s out of the time that a run took (M7)', async (_, list, answers) => {
  const world = await createWorld();
  world.file('list.csv', list);
  const { out } = await world.svc('migrate list.csv --no-color', { answers, answerAfterMs: 60_000, columns: 80 });
  expect(out).toMatch(/^✓ Done in \d s: /);
});

test('shows the whole plan and the whole result with --details', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { err, out } = await world.svc('migrate list.csv --details --no-color', { answers: ['y'], columns: 80 });
  expect(err).toContain('First contacts\n');
  expect(out).toContain('Requests\n');
});

test('shows the whole plan of an old run with runs show --details', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const run = (await world.svc('migrate list.csv --json')).json.run;
  const [short, whole] = [await world.svc(`runs show ${run}`), await world.svc(`runs show ${run} --details`)];
  expect([short.out, whole.out].map((text) => text.includes('First contacts'))).toEqual([false, true]);
  expect(whole.out).toContain(short.out);
});

test('appends every event to a private log file, without the API key (K8)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const path = join(world.folder, 'svc.log');
  const first = await world.svc('migrate list.csv -q --log-file svc.log -v');
  const firstLog = readFileSync(path, 'utf8');
  await world.svc('migrate list.csv -q --log-file svc.log');
  const both = readFileSync(path, 'utf8');
  expect(first.code).toBe(0);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(both.startsWith(firstLog)).toBe(true);
  expect(both.split('\n').filter((line) => line !== '' && !/^2026-01-01T00:0\d:\d\dZ \S?/.test(line))).toEqual([]);
  expect(firstLog).toContain('svc --yes migrate list.csv -q --log-file svc.log -v');
  expect(firstLog).toMatch(/Z POST \/v1\//);
  expect(firstLog).toMatch(/Z migrate ok run_\S+ read=2 created=2 \d+s\n$/);
  expect(both).not.toContain(world.emulator.apiKey);
});

test('hides an API key of the command line in the log file (K8)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  await world.svc(['migrate', 'list.csv', '--audience-name', world.emulator.apiKey, '--log-file', 'svc.log']);
  const log = readFileSync(join(world.folder, 'svc.log'), 'utf8');
  expect(log).toContain('--audience-name');
  expect(log).not.toContain(world.emulator.apiKey);
});

test('writes the problem that ended a run to the log', async () => {
  const world = await createWorld();
  world.file('list.csv', 'email,status\nana@example.com,strange\n');
  const { code } = await world.svc('migrate list.csv --log-file svc.log');
  expect(code).toBe(5);
  expect(readFileSync(join(world.folder, 'svc.log'), 'utf8')).toMatch(/Z migrate refused .*\n\S+Z svc: /);
});

test.each([
  ['a folder that is missing', 'missing/svc.log'],
  ['a folder', '.'],
])('sends nothing and exits 2 when the log file is %s', async (_, path) => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { code, err } = await world.svc(`migrate list.csv --log-file ${path}`);
  expect([code, world.requests()]).toEqual([2, []]);
  expect(err).toMatch(/the log can't be written to .*\n.*Name another file with --log-file\. Nothing was done\./);
  expect(existsSync(join(world.folder, 'state'))).toBe(false);
});

test('sends nothing and exits 2 when the log file is the list', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', LIST);
  const { code } = await world.svc('migrate list.csv --log-file list.csv');
  expect([code, world.requests()]).toEqual([2, []]);
  expect(readFileSync(list, 'utf8')).toBe(LIST);
});

test('names existing audiences before it offers to create a new one (C1)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { code, err } = await world.svc('migrate list.csv --audience-name=Neu --dry-run', { asTyped: true });
  expect([code, err]).toEqual([
    2,
    `svc: no audience is named "Neu"
  Choose one:
  svc migrate list.csv --dry-run --audience Newsletter
  To create it, if it is new:
  svc migrate list.csv --dry-run --audience-name Neu --create-audience
`,
  ]);
});

test('says in plain words why rows were rejected', async () => {
  const world = await createWorld();
  world.file('list.csv', `${LIST}nope,subscribed\n,subscribed\n`);
  const { json } = await world.svc('migrate list.csv --dry-run --json');
  const { message } = json.findings.find(({ check }: { check: string }) => check === 'failures');
  expect(message).toBe('2 of 4 rows rejected: 1 with an invalid address, 1 without an address');
});

test('names unknown status values and empty status cells (C4)', async () => {
  const world = await createWorld();
  world.file('list.csv', `${LIST}cem@example.com,zorp\ndora@example.com,\n`);
  const { err } = await world.svc('migrate list.csv --yes -q');
  expect(err).toContain(
    'nothing was sent: list.csv: unknown status values in column "status": "zorp" (1), empty (1)\n',
  );
});

test('shows the numbers of unchanged rows and missing people (G1, G6)', async () => {
  const world = await createWorld();
  const line = 'contacts import list.csv --only-changed --gone report --max-gone 5 --no-color';
  world.file('list.csv', LIST);
  await world.svc(line);
  world.file('list.csv', 'email,status\nana@example.com,subscribed\n');
  const { code, out, err } = await world.svc(line, { answers: ['y'], columns: 100 });
  expect(code, err).toBe(0);
  expect(err).toContain('  1  unchanged since the last import: not sent again\n');
  expect(out).toContain('  1 row read = 1 unchanged\n  1  missing in this list: left as they are\n');
  const { out: last } = await world.svc(line);
  expect(last).toMatch(/ contacts-import ok run_\S+ read=1 unchanged=1 gone=1 /);
});

test.each(['migrate list.csv', 'migrate none.csv', 'audiences ls'])(
  'writes no escape sequence to a dumb terminal: %s',
  async (line) => {
    const world = await createWorld();
    world.file('list.csv', LIST);
    const typed = { answers: ['y'], columns: 80 };
    const { out, err } = await world.svc(line, { ...typed, env: { TERM: 'dumb' } });
    expect(out + err).not.toContain('\u001b');
    expect((await world.svc(line, { ...typed, env: { TERM: 'xterm' } })).code).toBe(line.includes('none') ? 2 : 0);
  },
);

test.each(['automations enroll Welcome list.csv', 'migrate list.csv'])(
  'shows the expected duration once, with or without a question: %s',
  async (line) => {
    const world = await createWorld({ plan: 'paid' });
    world.emulator.admin.createAutomation({ trigger: 'api', status: 'active', name: 'Welcome' });
    world.file('list.csv', LIST);
    const { out } = await world.svc(`${line} --dry-run`);
    expect(out).toMatch(/^ {2}Takes about 1 s$/m);
    const asked = await world.svc(line, { answers: ['n'], columns: 80 });
    expect(asked.err.match(/about 1 s/gi)).toEqual(['About 1 s']);
    const agreed = await world.svc(`${line} --yes --no-color`, { answers: [], columns: 80 });
    expect(agreed.err).toMatch(/^ {2}Takes about 1 s$/m);
  },
);

test('prints a short plan of a stopped dry run, or all of it with --details', async () => {
  const world = await createWorld();
  world.file('list.csv', 'email,status\nana@example.com,subscribed\nbob@example.com,lapsed\n');
  const short = await world.svc('migrate list.csv --dry-run');
  expect([short.code, short.out]).toEqual([5, expect.stringMatching(/^Migrate {2}list\.csv/)]);
  expect(short.out.split('\n').length).toBeLessThan(10);
  for (const line of ['migrate list.csv --details', 'migrate list.csv --dry-run --details']) {
    const { code, out, err } = await world.svc(line);
    expect([code, out]).toEqual([5, expect.stringContaining('First contacts')]);
    expect(`${out}${err}`.match(/unknown status values/g)).toHaveLength(1);
  }
});

test('names the columns of the list when --map names an unknown column', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { code, err } = await world.svc('migrate list.csv --map Foo=email');
  expect([code, err]).toEqual([2, expect.stringContaining('Columns: "email", "status".')]);
});

test('says in the plan that an account-wide opt-out blocks all mail (C5)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { out } = await world.svc('suppressions import list.csv --reason unsubscribed --dry-run');
  expect(out).toContain('suppress: unsubscribed from all mail of the account, also from receipts');
});

test('names report.html as a web page with --details', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const { out } = await world.svc('migrate list.csv --details');
  expect(out).toMatch(/^ {2}web page {2}\S+report\.html$/m);
  expect(out).not.toContain('report_html');
});

test('says that Ctrl-C stopped a command (D4)', async () => {
  const world = await createWorld();
  const { code, err } = await world.svc('audiences ls', { signal: AbortSignal.abort(createInterruption('SIGINT')) });
  expect([code, err]).toEqual([130, 'svc: stopped with Ctrl-C\n']);
});
