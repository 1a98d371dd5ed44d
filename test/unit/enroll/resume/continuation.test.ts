import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { resolveRun } from '../../../../src/enroll/end/resolve-unknown.ts';
import { openEndedJournal } from '../../../../src/runs/store/open-journal.ts';
import { afterPost } from '../../../support/after-post.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from '../support.ts';

const ENROLL = { match: { route: 'POST /v1/automations/*/enroll' } } as const;

/** An enrollment run that ended with unknown outcomes. */
async function doubtful(people: number): Promise<{ world: AutomationWorld; run: string }> {
  const world = await createAutomationWorld(addresses(people));
  world.emulator.admin.addFault({ kind: 'lost_claim', effect: false, ...ENROLL });
  const { json } = await world.enroll(bare(addresses(people)), ['--concurrency', '1', '--at-most-once']);
  world.emulator.admin.clearFaults();
  return { world, run: json.run };
}

test('resolves unknown outcomes also when a resume was refused before (D1, D5)', async () => {
  const { world, run } = await doubtful(14);
  rmSync(join(world.folder, 'state', 'svc', 'runs', run, 'inputs'), { recursive: true });

  const refused = await world.svc(['runs', 'resume', run, '--json']);
  const resolved = await world.svc(['runs', 'resolve', run, '--all', 'enrolled', '--json']);

  expect([refused.code, resolved.code, resolved.json.enrolled]).toEqual([2, 0, 10]);
});

test('resolves unknown outcomes when an earlier `runs resolve` was killed (D1)', async () => {
  const { world, run } = await doubtful(3);
  openEndedJournal(join(world.folder, 'state', 'svc'), run).close();

  const { code, json } = await world.svc(['runs', 'resolve', run, '--all', 'enrolled', '--json']);

  expect([code, json.enrolled]).toEqual([0, 3]);
});

test('`runs resolve` updates outcomes.csv and unknown.csv (I3)', async () => {
  const { world, run } = await doubtful(3);
  const before = (await world.svc(['runs', 'show', run, '--json'])).json.files;
  await world.svc([
    'runs',
    'resolve',
    run,
    '--enrolled',
    'person0@example.com',
    '--not-enrolled',
    'person1@example.com',
  ]);
  const between = [before.outcomes, before.unknown].map((path) => readFileSync(path, 'utf8'));
  await world.svc(['runs', 'resolve', run, '--all', 'enrolled']);
  const { files } = (await world.svc(['runs', 'show', run, '--json'])).json;

  expect(between).toEqual([
    'line,email,outcome\n3,person1@example.com,unsent\n4,person2@example.com,unknown\n',
    'line,email,outcome\n4,person2@example.com,unknown\n',
  ]);
  expect(readFileSync(files.outcomes, 'utf8')).toBe('line,email,outcome\n3,person1@example.com,unsent\n');
  expect([files.unknown, existsSync(before.unknown)]).toEqual([undefined, false]);
});

test('a repeated `runs resolve` keeps the decisions of a killed one (D1)', async () => {
  const { world, run } = await doubtful(3);
  const stateFolder = join(world.folder, 'state', 'svc');
  const where = { stateFolder, run, now: () => world.clock.now(), recorded: { command: undefined, changes: [] } };
  const decide = async ({ line }: { readonly line: number }) => {
    if (line === 4) {
      throw new Error('cut off');
    }
    return 'enrolled' as const;
  };
  await expect(resolveRun(where, { decide, named: [] })).rejects.toThrow('cut off');
  const cut = (await world.svc(['runs', 'show', run, '--json'])).json;
  await world.svc(['runs', 'resolve', run, '--enrolled', 'person0@example.com', '--enrolled', 'person2@example.com']);
  const { rows, status, files } = (await world.svc(['runs', 'show', run, '--json'])).json;

  expect([cut.rows.enrolled, cut.rows.unknown, cut.status]).toEqual([2, 1, 'partial']);
  expect([rows.enrolled, rows.unknown, status, files.unknown]).toEqual([3, 0, 'completed', undefined]);
});

test('a repeated `runs resolve` rewrites the files of a killed one (D1)', async () => {
  const { world, run } = await doubtful(3);
  const folder = join(world.folder, 'state', 'svc', 'runs', run);
  const resolve = () =>
    world.svc(['runs', 'resolve', run, '--enrolled', 'person0@example.com', '--not-enrolled', 'person1@example.com']);
  const contents = () =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => /^report\.json$|\.(csv|part)$/.test(name))
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
  const before = contents();
  await resolve();
  const after = contents();
  Object.entries(before).forEach(([name, text]) => writeFileSync(join(folder, name), text));
  writeFileSync(join(folder, 'outcomes.csv.part'), 'line,em');

  await resolve();

  expect(contents()).toEqual(after);
  expect(Object.keys(after)).toEqual(['outcomes.csv', 'report.json', 'unknown.csv']);
});

test('a repeated `runs resolve` corrects the status after a killed one (D1)', async () => {
  const { world, run } = await doubtful(2);
  await world.svc(['runs', 'resolve', run, '--all', 'enrolled']);
  const journal = openEndedJournal(join(world.folder, 'state', 'svc'), run);
  journal.setStatus('partial', EXIT.partial, world.clock.now());
  journal.close();

  await world.svc(['runs', 'resolve', run, '--all', 'enrolled']);

  expect((await world.svc('runs ls --json')).json[0]).toMatchObject({ run, status: 'completed' });
});

test('deletes all addresses from run.db when each outcome is known (D1)', async () => {
  const { world, run } = await doubtful(2);
  const folder = join(world.folder, 'state', 'svc', 'runs', run);
  const filesWithAddress = () =>
    readdirSync(folder).filter(
      (name) => /^run\.db.*/.test(name) && readFileSync(join(folder, name)).includes('person0@'),
    );
  const before = filesWithAddress();
  await world.svc(['runs', 'resolve', run, '--enrolled', 'person0@example.com']);
  await world.svc(['runs', 'resolve', run, '--not-enrolled', 'person1@example.com']);
  expect([before, filesWithAddress()]).toEqual([['run.db'], []]);
});

test('resolves unknown outcomes when a resume failed before its plan (D1)', async () => {
  const world = await createAutomationWorld(addresses(4));
  const refused = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;
  world.emulator.admin.addFault({ kind: 'lost_claim', effect: false, ...ENROLL, times: 1 });
  world.emulator.admin.addFault({ ...refused, ...ENROLL, after: 1 });
  const { json } = await world.enroll(bare(addresses(4)), [
    '--concurrency',
    '1',
    '--at-most-once',
    '--create-contacts',
    '--plan',
    'paid',
  ]);
  world.emulator.admin.clearFaults();
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'GET *' }, after: 2 });
  const failed = await world.svc(['runs', 'resume', json.run, '--json']);
  world.emulator.admin.clearFaults();

  const resolved = await world.svc(['runs', 'resolve', json.run, '--all', 'enrolled', '--json']);

  expect([json.rows.unknown, failed.code, resolved.code, resolved.json.enrolled]).toEqual([1, 1, 0, 1]);
});

test.each([
  ['an address without an unknown outcome', ['--enrolled', 'persn0@example.com']],
  ['two answers for one person', ['--enrolled', 'person0@example.com', '--not-enrolled', 'Person0@example.com']],
])('runs resolve refuses %s, and decides nothing', async (_, words) => {
  const { world, run } = await doubtful(2);
  const { code } = await world.svc(['runs', 'resolve', run, ...words, '--json']);
  const { rows } = (await world.svc(['runs', 'show', run, '--json'])).json;
  expect([code, rows.unknown]).toEqual([2, 2]);
});

test('suggests only a resume when Ctrl-C came before the rejects file existed', async () => {
  const world = await createAutomationWorld(addresses(8));
  const stopper = new AbortController();
  const { json } = await world.enroll(bare([...addresses(6), 'nonsense']), ['--concurrency', '1'], {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        if (request.url.pathname.endsWith('/enroll')) {
          stopper.abort(createInterruption('SIGINT'));
        }
        return inner.send(request, signal);
      },
    }),
  });
  expect([counts(json.rows).rejected, json.files.rejects, json.next]).toEqual([
    1,
    undefined,
    [`svc runs resume ${json.run}`],
  ]);
});

test('resumes an enrollment of --email addresses after a full disk (D1, D2)', async () => {
  const world = await createAutomationWorld(addresses(2), { reentry: 'always' });
  const typed = addresses(2).flatMap((email) => ['--email', email]);
  const command = ['automations', 'enroll', world.automation, ...typed, '--concurrency', '1', '--json'];
  const runs = join(world.folder, 'state', 'svc', 'runs');
  const change = (sql: string) => {
    const db = new DatabaseSync(join(runs, readdirSync(runs)[0] ?? '', 'run.db'));
    db.exec(sql);
    db.close();
  };
  const failing = `BEFORE UPDATE ON meta WHEN NEW.value = '"completed"' BEGIN SELECT RAISE(FAIL, 'no space'); END`;
  await world.svc(
    command,
    afterPost(2, () => change(`CREATE TRIGGER full ${failing}`)),
  );
  change('DROP TRIGGER full');

  const { code, json } = await world.svc('runs resume --json');

  expect([code, counts(json.rows), world.enrolled()]).toEqual([0, { read: 2, enrolled: 2 }, addresses(2)]);
});

test('keeps no address of --email in files of the run when it ended', async () => {
  const world = await createAutomationWorld(addresses(1));
  const { json } = await world.svc([
    'automations',
    'enroll',
    world.automation,
    '--email',
    'person0@example.com',
    '--json',
  ]);
  const folder = join(world.folder, 'state', 'svc', 'runs', json.run);
  const holding = readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes('person0@'));
  expect([json.exit_code, world.enrolled(), holding]).toEqual([0, addresses(1), []]);
});
