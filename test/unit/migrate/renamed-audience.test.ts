import { expect, test } from 'vitest';
import { splitShellText } from '../../../src/base/lib/text.ts';
import { afterResponse, stoppedAfterPost } from '../../support/after-post.ts';
import { people } from '../../support/lists.ts';
import { withTraffic } from '../../support/traffic.ts';
import { type CommandResult, createWorld, type World } from '../../support/world.ts';

const PLAIN = ['--plan', 'paid', '--json'];
const CREATE = ['--create-audience', '--audience-name'];

/** The requests that create an audience or write contacts. */
const writes = (world: World) => world.requests().filter(({ method }) => method === 'POST');

const audienceOf = (world: World, wanted: string) =>
  world.emulator.admin.audiences().find(({ name }) => name === wanted)?.id ?? '';

/** The commands of a hint, each as words after `svc`. */
function commandsIn({ err }: CommandResult): string[][] {
  const { hint } = JSON.parse(err).error;
  return [...hint.matchAll(/(?:^|: )svc (.*)$/gm)].map(([, line = '']) => splitShellText(line));
}

async function deleteRuns(world: World): Promise<void> {
  await world.svc('runs prune --keep 0 --yes');
  for (const { run } of (await world.svc('runs ls --json')).json) {
    await world.svc(`runs delete ${run}`);
  }
}

/**
 * A command wrote a list to the audience "Club", which may be one that it created. The audience is now named "Club
 * 2026", and one of its people left.
 */
async function renamedWorld(words: readonly string[]): Promise<{ readonly world: World; readonly id: string }> {
  const world = await createWorld();
  await world.svc(['audiences', 'rename', world.emulator.audienceId, 'Other']);
  if (!words.includes('--create-audience')) {
    await world.svc('audiences create Club');
  }
  const { code, json } = await world.svc([...words, world.file('c.csv', people(3)), ...PLAIN]);
  const { id } = json.audience;
  expect(code).toBe(0);
  world.emulator.admin.setStatus('person0@example.com', 'unsubscribed', id);
  await world.svc(['audiences', 'rename', id, 'Club 2026']);
  world.file('c.csv', people(4));
  world.requests();
  return { world, id };
}

const NIGHT = ['contacts', 'import', '--only-changed'];

test.each([
  ['migrate', ['migrate', ...CREATE, 'Club'], ['migrate'], 'Club'],
  ['contacts import', ['contacts', 'import', ...CREATE, 'Club'], ['contacts', 'import'], 'Club'],
  ['a dry run', ['migrate', ...CREATE, 'Club'], ['migrate', '--dry-run'], 'Club'],
  ['another command', ['contacts', 'import', '--audience', 'Club'], ['migrate'], 'Club'],
  ['a name in other letters', ['migrate', ...CREATE, 'Club'], ['migrate'], 'CLUB'],
  ['--only-changed', [...NIGHT, ...CREATE, 'Club'], NIGHT, 'Club'],
])('creates no second audience when the first was renamed: %s (C1, L3)', async (_, first, second, name) => {
  const { world, id } = await renamedWorld(first);

  const refused = await world.svc([...second, 'c.csv', ...CREATE, name, ...PLAIN]);

  expect([refused.code, writes(world)]).toEqual([2, []]);
  const { message, hint } = JSON.parse(refused.err).error;
  expect(message).toMatch(
    new RegExp(
      `^no audience is named "${name}", but run_\\w+ sent a list to one of this name, which is now named "Club 2026"`,
    ),
  );
  expect(hint).toContain(`--audience ${id}`);
  const [toRenamed = []] = commandsIn(refused);
  const pasted = await world.svc(toRenamed.filter((word) => word !== '--dry-run'));
  expect([pasted.code, pasted.json.audience.id]).toEqual([0, id]);
  const left = world.emulator.admin.contacts(id).filter(({ status }) => status === 'unsubscribed');
  expect(left.map(({ email }) => email)).toEqual(['person0@example.com']);
});

test('creates no second audience when only the ledger knows the first (C1, G3)', async () => {
  const { world, id } = await renamedWorld([...NIGHT, ...CREATE, 'Club']);
  await deleteRuns(world);

  const { code, err } = await world.svc(['migrate', 'c.csv', ...CREATE, 'club', ...PLAIN]);

  expect([code, writes(world), JSON.parse(err).error.hint]).toEqual([2, [], expect.stringContaining(id)]);
  expect(JSON.parse(err).error.message).toContain('but this machine sent a list to one of this name');
});

test('creates no second audience when the service cleans the name (C1, L3)', async () => {
  const world = await createWorld();
  const clean = withTraffic({
    of: /^POST .*\/audiences$/,
    request: (body) => ({ ...body, name: body.name.replace('!', '') }),
  });
  const line = ['migrate', world.file('c.csv', people(3)), ...CREATE, 'Club!', ...PLAIN];
  const first = await world.svc(line, clean);
  world.requests();
  const second = await world.svc(line, clean);
  expect([first.code, second.code, writes(world)]).toEqual([0, 2, []]);
  expect(JSON.parse(second.err).error.hint).toContain(`--audience ${first.json.audience.id}`);
});

test('writes to a second audience when the user creates it by hand (C1, L5)', async () => {
  const { world, id } = await renamedWorld(['migrate', ...CREATE, 'Club']);
  const line = ['migrate', 'c.csv', ...CREATE, 'Club', ...PLAIN];
  const refused = await world.svc(line);
  const [, create = []] = commandsIn(refused);
  expect([create, (await world.svc(create)).code]).toEqual([['audiences', 'create', 'Club'], 0]);

  const { code, json } = await world.svc(line);

  expect([code, json.audience.id]).toEqual([0, audienceOf(world, 'Club')]);
  const [warning] = json.findings.filter(({ check }: { check: string }) => check === 'replaced_audience');
  expect(warning.message).toContain(`another audience of this name, ${id}, which is now named "Club 2026"`);
  expect(warning.message).not.toContain('deleted');
});

test('creates the audience again when it was deleted (C1, L5)', async () => {
  const { world, id } = await renamedWorld(['migrate', ...CREATE, 'Club']);
  await world.svc(['audiences', 'delete', id, '--confirm', 'Club 2026']);

  const { code, json } = await world.svc(['migrate', 'c.csv', ...CREATE, 'Club', ...PLAIN]);

  expect([code, json.rows.created]).toEqual([0, 4]);
  const [warning] = json.findings.filter(({ check }: { check: string }) => check === 'replaced_audience');
  expect(warning.message).toContain(`another audience of this name, ${id}, which this account does not have`);
});

test('creates the audience when another state folder knew the first (L3)', async () => {
  const { world } = await renamedWorld(['migrate', ...CREATE, 'Club']);
  const { code } = await world.svc(['migrate', 'c.csv', ...CREATE, 'Club', '--state-dir', 'other', ...PLAIN]);
  expect([code, audienceOf(world, 'Club')]).toEqual([0, expect.stringMatching(/^aud_/)]);
});

test('a resume creates no second audience when the first was renamed (C1, L3)', async () => {
  const world = await createWorld();
  world.refuse('POST /v1/audiences', { status: 403, code: 'forbidden', times: 1 });
  const list = world.file('a.csv', people(3));
  const cut = await world.svc(['migrate', list, ...CREATE, 'CLUB', ...PLAIN]);
  await world.svc(['migrate', world.file('b.csv', people(3, 10)), ...CREATE, 'Club', ...PLAIN]);
  const id = audienceOf(world, 'Club');
  await world.svc(['audiences', 'rename', id, 'Club 2026']);
  world.requests();

  const refused = await world.svc(['runs', 'resume', cut.json.run, '--json']);

  expect([refused.code, writes(world)]).toEqual([2, []]);
  const [toRenamed = [], forget = []] = commandsIn(refused);
  const pasted = await world.svc(toRenamed);
  expect([pasted.code, pasted.json.audience.id, (await world.svc(forget)).code]).toEqual([0, id, 0]);
});

test('shows before it writes that an audience was replaced (C1)', async () => {
  const { world, id } = await renamedWorld(['migrate', ...CREATE, 'Club']);
  await world.svc('audiences create Club');
  let shownAt: number | undefined;
  const { code } = await world.svc(['migrate', 'c.csv', '--audience-name', 'Club', '--plan', 'paid'], {
    onWriteToStderr: (part) => {
      if (part.includes(`warning: `) && part.includes(id)) {
        shownAt ??= world.requests().filter(({ path }) => path.endsWith('/batch')).length;
      }
    },
  });
  expect([code, shownAt]).toEqual([0, 0]);
});

const CHECK = ['contacts', 'check', '--audience-name', 'Vee', '--json'];

test.each([
  ['exactly', 'Vee', ['migrate', '--audience-name', 'Vee', ...PLAIN]],
  ['in other letters', 'VEE', ['migrate', '--audience-name', 'Vee', ...PLAIN]],
  ['exactly, new audience', 'Vee', ['contacts', 'import', ...CREATE, 'Vee', ...PLAIN]],
  ['exactly, comparison', 'Vee', CHECK],
])('prints no rename to a name that another audience has: %s (L3, K4)', async (_, taken, words) => {
  const world = await createWorld();
  const line = [...words, world.file('list.csv', people(1_500))];
  if (!words.includes('--create-audience')) {
    await world.svc('audiences create Vee');
  }
  const isPage = ({ url }: { readonly url: URL }) => url.pathname.endsWith('/contacts');
  const stop = words === CHECK ? afterResponse(1, isPage, (stopper) => stopper.abort()) : stoppedAfterPost(2);
  const cut = await world.svc(line, stop);
  const { run } = (await world.svc('runs ls --json')).json[0];
  const id = audienceOf(world, 'Vee');
  await world.svc(['audiences', 'rename', id, 'Letters']);
  await world.svc(['audiences', 'create', taken]);

  const refused = await world.svc(['runs', 'resume', run, '--json']);

  const { message, hint } = JSON.parse(refused.err).error;
  expect([cut.code, refused.code, message]).toEqual([
    130,
    2,
    `${run} can't continue here: its audience "Vee" is now named "Letters", and ${audienceOf(world, taken)} is named "${taken}"`,
  ]);
  expect(hint).not.toContain('rename');
  const [again = [], forget = []] = commandsIn(refused);
  const pasted = await world.svc(again);
  expect([pasted.code, pasted.json.audience.id]).toEqual([words === CHECK ? 3 : 0, id]);
  expect([forget.slice(0, 3), (await world.svc(forget)).code]).toEqual([['runs', 'delete', run], 0]);
  expect(world.emulator.admin.contacts(audienceOf(world, taken))).toEqual([]);
});

test.each([
  ['exactly', 'Same', 'Same'],
  ['in other letters', 'Vip', 'vip'],
])('calls no audience renamed when another has its name: %s (C1, L5)', async (_, first, second) => {
  const world = await createWorld();
  const { id: one } = (await world.svc(['audiences', 'create', first, '--json'])).json;
  const { id: other } = (await world.svc(['audiences', 'create', second, '--json'])).json;
  const list = world.file('c.csv', people(3));
  await world.svc(['migrate', list, '--audience', one, ...PLAIN]);

  const { code, err } = await world.svc(['migrate', list, '--audience', other, '--plan', 'paid', '--yes']);

  const [{ run }] = (await world.svc('runs ls --json')).json;
  const { findings } = (await world.svc(`runs show ${run} --json`)).json;
  const [warning] = findings.filter(({ check }: { check: string }) => check === 'shared_name');
  expect([code, warning?.message]).toEqual([0, expect.stringContaining(`${one}, which the account also has.`)]);
  expect(err).not.toContain(one);
});

test('offers at most eight of the renamed audiences (L3)', async () => {
  const { world } = await renamedWorld(['migrate', ...CREATE, 'Club']);
  for (const year of Array(9).keys()) {
    await world.svc('audiences create Club');
    await world.svc(['migrate', 'c.csv', '--audience', 'Club', ...PLAIN]);
    await world.svc(['audiences', 'rename', audienceOf(world, 'Club'), `Club ${year}`]);
  }

  const { code, err } = await world.svc(['migrate', 'c.csv', ...CREATE, 'Club', ...PLAIN]);

  const { hint } = JSON.parse(err).error;
  expect([code, hint.match(/--audience aud_/g)?.length]).toEqual([2, 8]);
  expect(hint).toContain('\nFor 2 more, see: svc audiences ls --all\n');
});

/** Begins a run that stops before its end. Then its audience is renamed, and its list changed. Returns the run. */
async function cutAndRenamed(world: World, flags: readonly string[]): Promise<string> {
  await world.svc(['migrate', world.file('list.csv', people(1_500)), ...flags, ...PLAIN], stoppedAfterPost(2));
  await world.svc(['audiences', 'rename', audienceOf(world, 'Vee'), 'Letters']);
  world.file('list.csv', people(3));
  return (await world.svc('runs ls --json')).json[0].run;
}

test.each([
  ['by name', false, true],
  ['by id', true, true],
  ['by name, old name free', false, false],
  ['by id, old name free', true, false],
])('prints no command of a changed list when renamed: %s (D5, K4)', async (_, isById, isTaken) => {
  const world = await createWorld();
  const { id } = (await world.svc('audiences create Vee --json')).json;
  const run = await cutAndRenamed(world, isById ? ['--audience', id] : ['--audience-name', 'Vee']);
  if (isTaken) {
    await world.svc('audiences create Vee');
  }

  const refused = await world.svc(['runs', 'resume', run, '--json']);

  const { hint } = JSON.parse(refused.err).error;
  expect([refused.code, hint]).toEqual([2, expect.stringContaining('list.csv was changed since this run began.')]);
  const commands = commandsIn(refused);
  expect(commands.map((words) => words.slice(0, 3))).toEqual(
    isTaken
      ? [['runs', 'delete', run]]
      : [
          ['audiences', 'rename', id],
          ['runs', 'resume', run],
        ],
  );
  expect(hint.includes(`--audience ${id}`)).toBe(isTaken);
  const pasted = await Array.fromAsync(commands, async (words) => (await world.svc(words)).code);
  expect(pasted).toEqual(commands.map(() => 0));
});

test('a resume prints no command when its list changed (D5, L3)', async () => {
  const world = await createWorld();
  world.refuse('POST /v1/audiences', { status: 403, code: 'forbidden', times: 1 });
  const cut = await world.svc(['migrate', world.file('a.csv', people(3)), ...CREATE, 'CLUB', ...PLAIN]);
  await world.svc(['migrate', world.file('b.csv', people(3, 10)), ...CREATE, 'Club', ...PLAIN]);
  const id = audienceOf(world, 'Club');
  await world.svc(['audiences', 'rename', id, 'Club 2026']);
  world.file('a.csv', people(4));

  const refused = await world.svc(['runs', 'resume', cut.json.run, '--json']);

  const { hint } = JSON.parse(refused.err).error;
  expect([refused.code, hint]).toEqual([2, expect.stringContaining('a.csv was changed since this run began.')]);
  expect(hint).toContain(`\n--audience ${id}\n`);
  expect(commandsIn(refused)[0]).toEqual(['runs', 'delete', cut.json.run]);
});
