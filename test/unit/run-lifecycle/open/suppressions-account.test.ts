import { describe, expect, test } from 'vitest';
import { recordApiKey, recordedAccount } from '../../../../src/run-lifecycle/open/same-account.ts';
import { createJournal } from '../../../../src/runs/store/open-journal.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { numberedNames } from '../../../support/nights.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { header } from '../../runs/samples.ts';

const LIST = 'suppressions import list.csv --reason bounced --json';

/** A run of `suppressions import` that stopped after 1,000 of 1,100 addresses, and a key of another organization. */
async function interruptedWorld() {
  const world = await createWorld();
  const { apiKey } = world.emulator.admin.createOrganization();
  world.file('list.csv', `email\n${numberedNames(1_100).join('@example.com\n')}@example.com\n`);
  const { json } = await world.svc(LIST, stoppedAfterPost(1));
  expect(suppressed(world)).toBe(1_000);
  return { world, run: json.run as string, other: { SVC_API_KEY: apiKey } };
}

const suppressed = (world: World) => world.emulator.admin.suppressions().length;

async function suppressedBy(world: World, env: Readonly<Record<string, string>>): Promise<number> {
  return (await world.svc('suppressions count --json', { env })).json.count;
}

const WAYS = [
  ['the same command', () => LIST],
  ['a resume', (run: string) => `runs resume ${run} --json`],
] as const;

describe('a stopped run of suppressions, and the API key that continues it', () => {
  test.each(WAYS)('suppressions continue by %s under another key of the same account (K4)', async (_, lineOf) => {
    const { world, run } = await interruptedWorld();
    world.requests();

    const env = { SVC_API_KEY: world.emulator.admin.createKey() };
    const { code, json } = await world.svc(lineOf(run), { env });

    expect([code, json.run, suppressed(world)]).toEqual([0, run, 1_100]);
    expect(world.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('starts a new suppressions run for the API key of another account (K4)', async () => {
    const { world, run, other } = await interruptedWorld();

    const { code, json } = await world.svc(LIST, { env: other });

    expect([code, json.run === run]).toEqual([0, false]);
    expect([suppressed(world), await suppressedBy(world, other)]).toEqual([1_000, 1_100]);
    const rest = await world.svc(LIST);
    expect([rest.code, rest.json.run, suppressed(world)]).toEqual([0, run, 1_100]);
  });

  test('does not resume suppressions with the key of another account (K4)', async () => {
    const { world, run, other } = await interruptedWorld();

    const { code, err } = await world.svc(`runs resume ${run}`, { env: other });

    expect(code).toBe(2);
    expect(err).toContain('nothing shows that this key is of the same account');
    expect([suppressed(world), await suppressedBy(world, other)]).toEqual([1_000, 0]);
    expect((await world.svc(`runs resume ${run} --json`)).json.rows.suppressed).toBe(1_100);
  });

  test('does not resume suppressions when the account of a key is unknown (K4)', async () => {
    const { world, run } = await interruptedWorld();
    world.emulator.admin.deleteAudience(world.emulator.audienceId);

    const env = { SVC_API_KEY: world.emulator.admin.createKey() };
    const resumed = await world.svc(`runs resume ${run}`, { env });
    const again = await world.svc(LIST, { env });

    expect([resumed.code, again.code, again.json.run === run]).toEqual([2, 0, false]);
    expect(suppressed(world)).toBe(1_100);
    expect((await world.svc(`runs delete ${run} --confirm ${run}`)).code).toBe(0);
  });

  test('continues suppressions with the right key after a wrong one (K4)', async () => {
    const world = await createWorld();
    world.file('list.csv', 'email\na@example.com\n');
    const wrong = await world.svc(LIST, { env: { SVC_API_KEY: `${world.emulator.apiKey.slice(0, -4)}0000` } });

    const right = await world.svc(LIST);

    expect([wrong.code, right.code, right.json.run, suppressed(world)]).toEqual([4, 0, wrong.json.run, 1]);
  });

  test('continues suppressions with any other key when nothing was sent (K4)', () => {
    const journal = createJournal(tempFolder(), header('run_a', { destination: undefined, keyFingerprint: 'a' }));
    journal.writeNote('account_audience', { id: 'aud_1', createdAt: '' });

    recordApiKey(journal, { account: { keyFingerprint: 'b' } as never });

    expect(journal.header.keyFingerprint).toBe('b');
    expect(recordedAccount(journal).mark).toBe(undefined);
  });
});

describe('an account whose audiences cannot be read', () => {
  const SEND = 'emails send --from me@example.com --to ana@example.org --subject Hi --text Hi';
  const refuseReads = (world: World) =>
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'GET /v1/audiences*' } });

  test("sends all suppressions when an account's audiences are unreadable (K4)", async () => {
    const { world, run } = await interruptedWorld();
    refuseReads(world);
    const { code, json } = await world.svc(LIST);
    expect([code, json.run, suppressed(world)]).toEqual([0, run, 1_100]);
  });

  test('sends no message again when no audience can be read (K4, I6)', async () => {
    const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
    const lost = { kind: 'reset', when: 'after', match: { route: 'POST /v1/emails' } } as const;
    world.emulator.admin.addFault(lost);
    expect((await world.svc(SEND)).code).toBe(1);
    world.emulator.admin.clearFaults();
    refuseReads(world);
    world.requests();
    for (const wait of [0, 25 * 3_600_000]) {
      await world.clock.advance(wait);
      const { code } = await world.svc(SEND);
      expect([code, world.requests().filter(({ method }) => method === 'POST')]).toEqual([1, []]);
    }
    expect(world.emulator.admin.account().sent).toBe(1);
  });
});
