import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { sha256Hex } from '../../../../src/base/lib/hash.ts';
import { EDITS } from '../../../support/edits.ts';
import { csv, people } from '../../../support/lists.ts';
import { everyNth } from '../../../support/sweep.ts';
import { BATCH, type CommandResult, createWorld, type World } from '../../../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid', '--concurrency', '1'];
/** The people of two batches. */
const COUNT = 1_100;
/** A list of `COUNT` people with one rejected row. */
const LIST = `${people(COUNT)}nobody,Name,subscribed\n`;
/** The same people, half of them opted out, and others. */
const EDITED = csv(
  'email,first_name,status',
  1_300,
  (index) => `person${index + 10}@example.com,Changed,${index % 2 === 0 ? 'unsubscribed' : 'subscribed'}`,
);
const EACH_EDIT = Object.entries(EDITS);
// The copy is made before the prompt, so some edits after it stand for the others.
const SOME_EDITS = everyNth(EACH_EDIT, 5);
const EVEN_EDITS = everyNth(EACH_EDIT, 2);
const ODD_EDITS = everyNth(EACH_EDIT, 2, 1);

/** Edits the list at the n-th request that matches. */
function editAt(world: World, edit: (typeof EDITS)[string], fits: (line: string) => boolean, nth = 1) {
  let count = 0;
  return (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: (request, signal) => {
      if (fits(`${request.method} ${request.url.pathname}`)) {
        count += 1;
        if (count === nth) {
          edit(join(world.folder, 'list.csv'), EDITED);
        }
      }
      return inner.send(request, signal);
    },
  });
}

const isBatch = (line: string) => /^POST .*\/batch$/.test(line);

const stateOf = (world: World) =>
  world.emulator.admin
    .contacts()
    .map(({ email, status, first_name }) => [email, status, first_name])
    .sort();

const WRITTEN = Array.from({ length: COUNT }, (_, index) => [
  `person${index}@example.com`,
  'subscribed',
  `Name ${index}`,
]).sort();

const runsOf = (world: World) => join(world.folder, 'state', 'svc', 'runs');

/** The report and the sent people must be those of the list as svc first read it. */
function expectAsSurveyed(world: World, json: CommandResult['json']): void {
  expect(json.rows).toMatchObject({ read: COUNT + 1, created: COUNT, rejected: 1, unsent: 0, failed: 0 });
  expect(json.inputs).toMatchObject([
    { path: expect.stringContaining('list.csv'), sha256: sha256Hex(LIST), rows: COUNT + 1 },
  ]);
  expect(stateOf(world)).toEqual(WRITTEN);
  expect(readFileSync(json.files.rejects[0], 'utf8')).toContain('nobody,Name,subscribed');
}

describe('the list of an import, which svc copies because other programs may edit it', () => {
  test.each(SOME_EDITS)('sends the list as first read when it is %s at the prompt (D7)', async (_, edit) => {
    const world = await createWorld();
    const list = world.file('list.csv', LIST);
    const { code, json } = await world.svc(['migrate', list, ...FLAGS], {
      answers: ['y'],
      onAsk: () => edit(list, EDITED),
    });
    expect(code).toBe(3);
    expectAsSurveyed(world, json);
  });

  test.each(ODD_EDITS)('sends the list as first read when it is %s after batch 1 (D7)', async (_, edit) => {
    const world = await createWorld();
    const list = world.file('list.csv', LIST);
    const { code, json } = await world.svc(['migrate', list, ...FLAGS], { transport: editAt(world, edit, isBatch, 2) });
    expect(code).toBe(3);
    expectAsSurveyed(world, json);
    expect(readdirSync(join(runsOf(world), json.run))).not.toContain('inputs');
  });

  test('sends the list as first read also when a thread reads it (D7)', { timeout: 120_000 }, async () => {
    for (const name of everyNth(['truncated', 'replaced by rename'], 2)) {
      const world = await createWorld();
      const list = world.file('list.csv', people(50_001));
      const edit = EDITS[name] as (typeof EDITS)[string];
      const { code, json } = await world.svc(['migrate', list, '--json', '--plan', 'paid', '--no-verify'], {
        transport: editAt(world, edit, isBatch),
      });
      expect([name, code, json.rows]).toMatchObject([name, 0, { created: 50_001, unsent: 0 }]);
      expect(world.emulator.admin.contacts().every(({ status }) => status === 'subscribed')).toBe(true);
    }
  });

  /** A run that did not reach the service from its second batch on. */
  async function cutRun(words: readonly string[] = []) {
    const world = await createWorld();
    const list = world.file('list.csv', LIST);
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: BATCH }, after: 2 });
    const cut = await world.svc(['migrate', list, ...FLAGS, ...words]);
    expect([cut.code, cut.json.rows.unknown + cut.json.rows.unsent]).toEqual([1, COUNT - 1_000]);
    world.emulator.admin.clearFaults();
    return { world, list, run: String(cut.json.run) };
  }

  test.each(EVEN_EDITS)('a resume sends the list as first read, and says it was %s (D5, D7)', async (name, edit) => {
    const { world, list, run } = await cutRun();
    edit(list, EDITED);
    const noted = await world.svc(['runs', 'resume', '--plan', 'paid']);
    expect(noted.code).toBe(3);
    expect(noted.err).toContain(
      `note: ${list} ${name === 'deleted' ? 'is gone' : 'was changed'} since this run began.`,
    );
    expect(await runIds(world)).toEqual([run]);
    expectAsSurveyed(world, (await world.svc(['runs', 'show', run, '--json'])).json);
  });

  test('resumes without a note when the content of the list is unchanged (D5)', async () => {
    const { world, list, run } = await cutRun();
    rmSync(list);
    writeFileSync(list, LIST);
    const { code, err, json } = await world.svc('runs resume --json', { env: { PWD: '/' } });
    expect([code, err, json.run, await runIds(world)]).toEqual([3, '', run, [run]]);
    expectAsSurveyed(world, json);
  });

  test('starts a new run and names the unfinished one when the list changed (D5)', async () => {
    const { world, list, run } = await cutRun();
    writeFileSync(list, people(3));
    const again = await world.svc(['migrate', list, '--plan', 'paid']);
    expect([again.code, (await runIds(world)).includes(run)]).toEqual([0, true]);
    expect(await runIds(world)).toHaveLength(2);
    expect(again.err).toContain(`${run} sends an older version of ${list}. It is not finished`);
    expect(again.err).toContain(`svc runs resume ${run}`);
  });

  test('continues the unfinished run of a list with the same content (D5)', async () => {
    const { world, list, run } = await cutRun();
    rmSync(list);
    writeFileSync(list, LIST);
    const { code, json } = await world.svc(['migrate', list, ...FLAGS]);
    expect([code, json.run, json.resumed]).toEqual([3, run, true]);
    expectAsSurveyed(world, json);
    expect(await runIds(world)).toEqual([run]);
  });

  test.each([
    ['damaged', (place: string) => writeFileSync(place, EDITED)],
    ['gone', (place: string) => rmSync(place)],
  ])('does not resume a run when its copy of the list is %s (D7)', async (word, spoil) => {
    const { world, list, run } = await cutRun();
    spoil(join(runsOf(world), run, 'inputs', '1'));
    world.requests();

    const refused = await world.svc('runs resume --json');

    expect([refused.code, JSON.parse(refused.err).error]).toMatchObject([
      2,
      { code: 'input_copy_damaged', message: expect.stringContaining(word), hint: expect.stringContaining('again') },
    ]);
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
    const again = await world.svc(['migrate', list, ...FLAGS]);
    expect([again.code, again.json.run]).toEqual([3, run]);
    expectAsSurveyed(world, again.json);
  });

  test('stops the run when the copy is cut short while svc reads it (D7)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(8_500));
    const cut = () => {
      const folder = runsOf(world);
      truncateSync(join(folder, readdirSync(folder)[0] as string, 'inputs', '1'), 1_000);
    };

    const stopped = await world.svc(['migrate', list, ...FLAGS], { transport: editAt(world, cut, isBatch, 2) });

    expect([stopped.code, JSON.parse(stopped.err).error.code]).toEqual([1, 'state_damaged']);
    // A batch that was cut short with the copy would later count as complete.
    expect(stopped.json.rows.created % 1_000).toBe(0);
    const again = await world.svc(['migrate', list, ...FLAGS]);
    expect([again.code, again.json.rows]).toMatchObject([0, { created: 8_500, unsent: 0 }]);
    expect([again.json.run, world.emulator.admin.contacts().length]).toEqual([stopped.json.run, 8_500]);
  });

  test('keeps a private copy of the list until the run ends (D7)', async () => {
    const { world, run } = await cutRun();
    const folder = join(runsOf(world), run, 'inputs');
    expect([lstatSync(folder).mode & 0o777, lstatSync(join(folder, '1')).mode & 0o777]).toEqual([0o700, 0o600]);
    const size = LIST.length;
    expect((await world.svc(['runs', 'show', run, '--json'])).json.input_copy_bytes).toBe(size);
    expect((await world.svc('runs ls --json')).json[0].input_copy_bytes).toBe(size);
    expect((await world.svc(['runs', 'show', run])).out).toMatch(/copy +\d+,\d{3} bytes of input, kept until/);
    await world.svc('runs resume --json');
    expect(existsSync(folder)).toBe(false);
    expect((await world.svc(['runs', 'show', run, '--json'])).json.input_copy_bytes).toBe(0);
  });

  test.each([
    ['declined', { answers: ['n'] }, [], 5],
    ['refused', {}, ['--max-failures', '0'], 5],
    ['a dry run', {}, ['--dry-run'], 0],
  ] as const)('keeps no copy of the list when the run ends without sending: %s', async (_, options, words, code) => {
    const world = await createWorld();
    const list = world.file('list.csv', LIST);
    const result = await world.svc(['migrate', list, ...FLAGS, ...words], options);
    expect([result.code, world.emulator.admin.contacts()]).toEqual([code, []]);
    expect((await world.svc('runs ls --json')).json).toMatchObject([{ input_copy_bytes: 0, finished: true }]);
  });

  test('deletes the copy of a killed process when the next run begins', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(3));
    const { json } = await world.svc(['migrate', list, ...FLAGS]);
    const folder = join(runsOf(world), json.run, 'inputs');
    // A process that is killed after the end of its run, before it removes the copies, leaves this.
    mkdirSync(folder);
    writeFileSync(join(folder, '1.part'), LIST);
    await world.svc(['migrate', list, ...FLAGS, '--dry-run']);
    expect(existsSync(folder)).toBe(false);
  });

  test.each(EACH_EDIT)('stops a dry run when the list is %s between two reads (D7)', async (_, edit) => {
    const world = await createWorld();
    const list = world.file('list.csv', LIST);
    // The account is read after the survey. After that, the rejects are read.
    const { code, err } = await world.svc(['migrate', list, ...FLAGS, '--dry-run'], {
      transport: editAt(world, edit, (line) => line.startsWith('GET'), 3),
    });
    expect([code, JSON.parse(err).error.code]).toEqual([2, 'input_changed']);
    const runs = (await world.svc('runs ls --json')).json;
    expect(runs.every(({ finished }: { finished: boolean }) => finished)).toBe(true);
  });
});

async function runIds(world: World): Promise<string[]> {
  return (await world.svc('runs ls --json')).json.map(({ run }: { run: string }) => run);
}
