import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const MAIL = 'emails send --from me@example.com --to ana@example.org --subject Hi --text a --json';
const HOOK = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret --json';
const AUDIENCE = 'audiences create Shop --json';
const IMPORT = 'contacts import a.csv --default-status subscribed --create-audience --audience-name SHOP --json';
const [FIRST, SECOND] = ['http://127.0.0.1:8025', 'http://localhost:8025'];

const under = (origin: string, run: RunOptions = {}): RunOptions => ({ ...run, env: { SVC_BASE_URL: origin } });
const createMailWorld = () => createWorld({ seed: { account: { domains: ['example.com'] } } });

/** Runs a command at the first base URL, and loses the response of its POST. */
async function lose(world: World, line: string): Promise<void> {
  const match = { route: 'POST *' };
  world.emulator.admin.addFault({ kind: 'answer', status: 302, when: 'after', match });
  expect((await world.svc(line, under(FIRST))).code).not.toBe(0);
  world.emulator.admin.clearFaults();
}

/** The commands, and how many objects the service then has. */
const CREATIONS: readonly (readonly [line: string, created: (world: World) => number])[] = [
  [MAIL, ({ emulator: { admin } }) => admin.account().sent],
  [HOOK, ({ emulator: { admin } }) => admin.webhooks().length],
  [AUDIENCE, ({ emulator: { admin } }) => admin.audiences().length - 1],
];

test.each(CREATIONS)('does not repeat %s under another base URL (I9)', async (line, created) => {
  const world = await createMailWorld();
  await lose(world, line);
  const { code, err } = await world.svc(line, under(SECOND));
  const { error } = JSON.parse(err);
  expect([code, error.code, created(world)]).toEqual([2, 'creation_in_doubt', 1]);
  expect(error.message).toMatch(/^run_\w+ may have .* under http:\/\/127\.0\.0\.1:8025: its outcome is unknown$/);
  const [, resume = ''] = /^Resume it: (svc runs resume \S+ --base-url \S+)\n/.exec(error.hint) ?? [];
  const resumed = await world.svc([...splitShellText(resume).slice(1), '--json'], under(SECOND));
  expect([resumed.code, created(world)], resumed.err).toEqual([0, 1]);
});

test.each(CREATIONS)('does %s again under another base URL when its record is deleted', async (line, created) => {
  const world = await createMailWorld();
  await lose(world, line);
  const { error } = JSON.parse((await world.svc(line, under(SECOND))).err);
  const [, remove = ''] = /\nOr, if \S+ is another service, delete its record: svc (.*)$/.exec(error.hint) ?? [];
  expect((await world.svc(remove, under(SECOND))).code).toBe(0);
  expect([(await world.svc(line, under(SECOND))).code, created(world)]).toEqual([0, 2]);
});

test.each(CREATIONS)('refuses %s when it already runs under another base URL (I11)', async (line, created) => {
  const world = await createMailWorld();
  const ends = await Promise.all([world.svc(line, under(FIRST)), world.svc(line, under(SECOND))]);
  expect([ends.map(({ code }) => code).toSorted(), created(world)]).toEqual([[0, 6], 1]);
});

test('creates no second audience when an import has another base URL (I11)', async () => {
  const world = await createWorld();
  world.file('a.csv', people(3));
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST /v1/audiences' } });
  await world.svc(AUDIENCE, under(FIRST, stoppedAfterPost(1)));
  world.emulator.admin.clearFaults();
  const { code, err, out } = await world.svc(IMPORT, under(SECOND));
  const { error } = JSON.parse(err || JSON.stringify({ error: JSON.parse(out).problem }));
  expect([code, error.hint]).toEqual([6, expect.stringMatching(/^Resume it: svc runs resume \w+ --base-url http/)]);
  const [, resume = ''] = /^Resume it: svc (runs resume \S+ --base-url \S+)/.exec(error.hint) ?? [];
  expect((await world.svc(resume, under(SECOND))).code).toBe(0);
  // The second import finds the audience, under the other spelling of its name.
  expect((await world.svc(IMPORT, under(SECOND))).code).toBe(2);
  expect(world.emulator.admin.audiences().map(({ name }) => name)).toEqual(['Shop', 'Newsletter']);
});

test('sends a message when a rehearsal with --emulator was killed', async () => {
  const world = await createMailWorld();
  await lose(world, MAIL);
  const [{ run }] = (await world.svc('runs ls --json')).json;
  const db = new DatabaseSync(join(world.folder, 'state/svc/runs', run, 'run.db'));
  const change = db.prepare(`UPDATE meta SET value = replace(value, ?, 'emulator:4f1c') WHERE key = 'svc.header'`);
  expect(change.run(FIRST).changes).toBe(1);
  db.close();
  expect((await world.svc(MAIL, under(SECOND))).code).toBe(0);
});
