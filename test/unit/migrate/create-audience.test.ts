import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { splitShellText } from '../../../src/base/lib/text.ts';
import { stoppedAfterPost } from '../../support/after-post.ts';
import { people } from '../../support/lists.ts';
import { withTraffic } from '../../support/traffic.ts';
import { BATCH, createWorld, type World } from '../../support/world.ts';

const CREATE = ['--json', '--audience-name', 'Readers', '--create-audience'];
const NEW = ['--json', '--plan', 'paid', '--audience-name', 'New', '--create-audience'];
const CREATION = { route: 'POST /v1/audiences' } as const;
const LOST = { kind: 'reset', when: 'before', match: { route: 'POST /v1/audiences' } } as const;
const batches = (world: World) => world.requests().filter(({ path }) => path.endsWith('/batch'));
const creations = (world: World) =>
  world.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/audiences');

/** A run that created its audience and then was stopped by a refused batch. */
async function stoppedAfterCreation(): Promise<{ readonly world: World; readonly run: string; readonly id: string }> {
  const world = await createWorld();
  world.emulator.admin.addFault({
    ...{ kind: 'error', status: 403, code: 'forbidden', when: 'before' },
    ...{ match: { route: BATCH }, times: 1 },
  });
  const { json } = await world.svc(['migrate', world.file('list.csv', people(3)), ...CREATE]);
  return { world, run: json.run, id: json.audience.id };
}

describe('a run that creates its audience', () => {
  test('finds the new audience when another run created it meanwhile (I11)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ kind: 'slow', ms: 60_000, when: 'before', match: { route: 'POST *' }, times: 1 });
    const lists = [world.file('a.csv', people(3)), world.file('b.csv', people(3, 10))];

    const answers = await Promise.all(lists.map((list) => world.svc(['migrate', list, ...CREATE, '--wait', '10m'])));

    expect(answers.map(({ code }) => code)).toEqual([0, 0]);
    expect(creations(world)).toHaveLength(1);
    expect(world.emulator.admin.contacts(answers[0]!.json.audience.id)).toHaveLength(6);
  });

  test('locks a newly created audience by its id too (I11)', async () => {
    const world = await createWorld();
    let other: number | undefined;
    const creating = await world.svc(['migrate', world.file('a.csv', people(3)), ...CREATE], {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          const id = /aud_\w+(?=\/contacts\/batch)/.exec(request.url.href)?.[0];
          if (id !== undefined) {
            other = (await world.svc(['migrate', world.file('b.csv', people(3, 10)), '--audience', id])).code;
          }
          return inner.send(request, signal);
        },
      }),
    });

    expect([creating.code, other]).toEqual([0, 6]);
    const there = world.emulator.admin.contacts(creating.json.audience.id).map(({ email }) => email);
    expect(there.sort()).toEqual([0, 1, 2].map((index) => `person${index}@example.com`));
  });

  test('names commands to check and resume a creation when its key expired (I4)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(LOST);
    const list = world.file('list.csv', people(3));
    const cut = await world.svc(['migrate', list, ...CREATE]);
    world.emulator.admin.clearFaults();
    await world.clock.advance(10 * 60_000);
    world.requests();

    const late = await world.svc('runs resume --json');

    const { run } = cut.json;
    expect([cut.code, late.code, creations(world).length]).toEqual([1, 1, 0]);
    expect(JSON.parse(cut.err).error).toMatchObject({
      message: expect.not.stringContaining('Readers'),
      hint: `To repeat the request with the same key: svc runs resume ${run}`,
    });
    expect(JSON.parse(late.err).error).toMatchObject({
      code: 'in_doubt',
      message: expect.stringContaining('it is unknown whether the audience "Readers" was created: '),
      hint: `The service may still create it for up to ten minutes. After that, check if it exists: svc audiences ls. If it does not, create it: svc audiences create Readers. Then: svc runs resume ${run}`,
    });
  });

  test('resumes when the user creates an audience after an unknown outcome (I4)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault(LOST);
    await world.svc(['migrate', world.file('list.csv', people(3)), ...CREATE]);
    world.emulator.admin.clearFaults();
    await world.clock.advance(10 * 60_000);
    await world.svc('runs resume --json');

    await world.svc(['audiences', 'create', 'Readers']);
    const { code, json } = await world.svc('runs resume --json');

    expect([code, json.rows.created, json.audience.name]).toEqual([0, 3, 'Readers']);
  });

  test('names base URL and key as causes when a creation gets a 404 (O8)', async () => {
    const world = await createWorld();
    const refusal = { kind: 'error', status: 404, code: 'not_found', when: 'effect' } as const;
    world.emulator.admin.addFault({ ...refusal, match: { route: 'POST /v1/audiences' }, times: 1 });
    const refused = await world.svc(['migrate', world.file('list.csv', people(3)), ...CREATE]);
    expect([refused.code, JSON.parse(refused.err).error]).toEqual([
      7,
      expect.objectContaining({
        code: 'not_created',
        message: expect.stringMatching(/^the audience "Readers" was not created, because the service answers 404/),
        hint: `The base URL or the API key may be wrong. Check both: svc doctor\nThen: svc runs resume ${refused.json.run}`,
      }),
    ]);
    expect(`${refused.json.next}`).not.toMatch(/deleted/);
    const { code, json } = await world.svc('runs resume --json');
    expect([code, json.rows.created]).toEqual([0, 3]);
  });

  test('prints the full migrate command when the new audience is deleted (O8)', async () => {
    const { world, run, id } = await stoppedAfterCreation();
    await world.svc(['audiences', 'delete', id, '--confirm', 'Readers']);
    const resumed = await world.svc(['runs', 'resume', run, '--json']);
    const { code, message, hint } = JSON.parse(resumed.err).error;
    expect([resumed.code, code, message]).toEqual([
      7,
      'not_found',
      expect.stringMatching(/^the audience of this run no longer exists/),
    ]);
    const [, command = '', forget = ''] = /: (svc migrate .*), with .* Then: (svc runs delete .*)$/.exec(hint) ?? [];
    const again = await world.svc(`${command.replace(/^svc /, '')} --json`);
    expect([again.code, again.json.rows.created, again.json.audience.name]).toEqual([0, 3, 'Readers']);
    expect((await world.svc(forget.replace(/^svc /, ''))).code).toBe(0);
  });

  test.each(['audiences create Readers', 'migrate list.csv --audience-name Readers --create-audience'])(
    'sends nothing when another machine took the audience name: %s (L3, I11)',
    async (other) => {
      const world = await createWorld();
      const list = world.file('list.csv', people(3));
      let isSecond = false;
      const racing = (inner: Transport): Transport => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          if (request.method === 'POST' && !isSecond) {
            isSecond = true;
            await world.svc(other, { env: { XDG_STATE_HOME: join(world.folder, 'machine2') } });
            world.requests();
          }
          return inner.send(request, signal);
        },
      });
      const first = await world.svc(['migrate', list, ...CREATE], { transport: racing });
      const { code, message, hint } = JSON.parse(first.err).error;
      expect([first.code, code, batches(world)]).toEqual([7, 'same_name', []]);
      const [, own = '', others = ''] = /the new (aud_\w+) and (aud_\w+)/.exec(message) ?? [];
      expect(hint).toContain(`--audience ${others}`);
      const before = world.emulator.admin.contacts(others).length;
      const resumed = await world.svc(`${/svc (runs resume \S+)/.exec(hint)?.[1]} --json`);
      const { admin } = world.emulator;
      expect([resumed.code, admin.contacts(own).length, admin.contacts(others).length]).toEqual([0, 3, before]);
      const named = await world.svc(['contacts', 'import', list, '--audience-name', 'Readers', '--json']);
      expect([named.code, JSON.parse(named.err).error.message]).toEqual([2, '2 audiences are named "Readers"']);
    },
  );

  test('a resume stops and gives both names when its audience was renamed (K4)', async () => {
    const { world, run, id } = await stoppedAfterCreation();
    await world.svc(['audiences', 'rename', id, 'Friends']);
    const resumed = await world.svc(['runs', 'resume', run, '--json']);
    expect([resumed.code, JSON.parse(resumed.err).error.message]).toEqual([
      2,
      `${run} can't continue here: its audience "Readers" is now named "Friends"`,
    ]);
  });

  test('resumes when the user creates the audience after a refusal (O2)', async () => {
    const world = await createWorld();
    const refusal = { kind: 'error', status: 400, code: 'invalid_request', when: 'effect' } as const;
    world.emulator.admin.addFault({ ...refusal, match: { route: 'POST /v1/audiences' }, times: 1 });
    const refused = await world.svc(['migrate', world.file('list.csv', people(3)), ...CREATE]);
    const again = await world.svc('runs resume --json');

    const { hint } = JSON.parse(refused.err).error;
    const [, command = ''] = /with: (svc .*)\. Then: svc runs resume run_\w+$/.exec(hint) ?? [];
    await world.svc(command.replaceAll("'", '').split(' ').slice(1));
    const { code, json } = await world.svc('runs resume --json');

    expect([refused.code, again.code, code, json.rows.created, json.audience.name]).toEqual([7, 7, 0, 3, 'Readers']);
  });

  test('keeps the idempotency key of the creation when a resume fails (I4)', async () => {
    const world = await createWorld();
    const { admin } = world.emulator;
    const [, , , ...create] = NEW;
    admin.addFault({ kind: 'reset', when: 'before', match: CREATION });
    const { json } = await world.svc(['migrate', world.file('a.csv', people(5)), '--json', ...create]);
    const keys = keysOf(world);
    admin.clearFaults();
    world.refuse('GET *', { status: 503, code: 'x', after: 1 });
    const failed = await world.svc(['runs', 'resume', json.run, '--json']);
    admin.clearFaults();

    const { code } = await world.svc(['runs', 'resume', json.run, '--json']);

    expect(json.next).toEqual([`svc runs resume ${json.run}`]);
    expect([failed.code, code, keysOf(world)]).toEqual([1, 0, [keys[0]]]);
  });

  test('repeats no creation of unknown outcome under another API key (K4)', async () => {
    const world = await createWorld({ variants: { claim_owner: 'key' } });
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: CREATION });
    const { json } = await world.svc(['migrate', world.file('a.csv', people(5)), ...NEW]);
    world.emulator.admin.clearFaults();
    world.requests();
    const env = { SVC_API_KEY: world.emulator.admin.createKey() };

    const { code, err } = await world.svc(['runs', 'resume', json.run, '--json'], { env });

    expect([code, keysOf(world)]).toEqual([1, []]);
    expect(JSON.parse(err).error.hint).toContain('svc audiences create New. Then: svc runs resume');
  });

  test('treats a run as not started when the creation had no effect (D1)', async () => {
    const world = await createWorld();
    const line = [
      'migrate',
      world.file('a.csv', people(5)),
      ...NEW.filter((word) => word !== 'paid' && word !== '--plan'),
    ];
    const limit = { kind: 'error', status: 403, code: 'plan_limit_reached', when: 'before' } as const;
    world.emulator.admin.addFault({ ...limit, match: CREATION, times: 1 });
    await world.svc(line);
    world.emulator.admin.addContacts(Array.from({ length: 498 }, (_, index) => ({ email: `old${index}@example.com` })));

    const { code, json } = await world.svc(line);

    expect([code, json.status, (await world.svc('runs resume')).code]).toEqual([5, 'refused', 2]);
  });

  test('creates the audience again when it was deleted before its read-back (I7)', async () => {
    const world = await createWorld();
    const line = ['migrate', world.file('a.csv', people(5)), ...NEW];
    const first = await world.svc(line, {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          const response = await inner.send(request, signal);
          if (request.method === 'POST' && request.url.pathname.endsWith('/audiences')) {
            deleteNew(world);
            await world.clock.advance(60_000);
          }
          return response;
        },
      }),
    });

    const { code, json } = await world.svc(line);

    const [error = ''] = first.err.trim().split('\n').slice(-1);
    expect([first.code, JSON.parse(error).error.code, code, json.rows.created]).toEqual([7, 'deleted_since', 0, 5]);
  });

  test('creates one audience when the service shows it late (I4)', async () => {
    const world = await createWorld();
    const line = ['migrate', world.file('a.csv', people(5)), ...NEW];
    world.refuse('GET /v1/audiences/*', { status: 404, code: 'not_found', times: 1 });
    const first = await world.svc(line);

    const { code, json } = await world.svc('runs resume --json');

    expect([first.code, JSON.parse(first.err).error.code]).toEqual([1, 'not_shown_yet']);
    expect([code, json.rows.created]).toEqual([0, 5]);
    expect(world.emulator.admin.audiences()).toHaveLength(2);
  });

  function deleteNew({ emulator: { admin } }: World): void {
    admin
      .audiences()
      .filter(({ name }) => name === 'New')
      .forEach(({ id }) => admin.deleteAudience(id));
  }

  /** The keys of the creations since the last call of `requests`. */
  function keysOf(world: World): (string | undefined)[] {
    return creations(world).map(({ headers }) => headers['idempotency-key']);
  }

  test('continues the run when the response to its creation was lost (D1)', async () => {
    const world = await createWorld();
    world.emulator.admin.addFault({ ...LOST, when: 'after' });
    const line = ['migrate', world.file('list.csv', people(3)), ...CREATE];
    const cut = await world.svc(line);
    world.emulator.admin.clearFaults();

    const again = await world.svc(line);

    expect([cut.code, again.code, again.json.run]).toEqual([1, 0, cut.json.run]);
    expect((await world.svc('runs ls --json')).json).toHaveLength(1);
  });

  const RESUMES = [
    ['a resume', (run: string) => ['runs', 'resume', run, '--json']],
    ['the same command', (_: string, list: string) => ['migrate', list, ...NEW]],
  ] as const;

  /** A run whose creation took effect, but was interrupted before the audience was recorded. */
  async function worldOfLostCreation(rows: number) {
    const world = await createWorld();
    const list = world.file('list.csv', people(rows));
    const first = await world.svc(['migrate', list, ...NEW], stoppedAfterPost(1));
    return { world, list, run: first.json.run as string };
  }

  test.each(RESUMES)('records the audience that %s finds by its name (K4, V4)', async (_, lineOf) => {
    const { world, list, run } = await worldOfLostCreation(20);

    const resumed = await world.svc(lineOf(run, list));
    const verified = await world.svc(`runs verify ${run} --json`);

    expect([resumed.code, resumed.json.run, verified.code]).toEqual([0, run, 0]);
    expect(resumed.json.audience.id).toBe(verified.json.audience.id);
  });

  test.each(RESUMES)('keeps a run in its account when %s uses the key of another account (K4)', async (_, lineOf) => {
    const { world, list, run } = await worldOfLostCreation(1_500);
    const env = { SVC_API_KEY: world.emulator.admin.createOrganization().apiKey };
    // Before the resume, svc refuses another creation of this name.
    await world.clock.advance(10 * 60_000);
    const { id } = (await world.svc('audiences create New --json', { env })).json;
    // The canary and the first batch are written.
    await world.svc(lineOf(run, list), stoppedAfterPost(2));

    const other = await world.svc(lineOf(run, list), { env });
    const own = await world.svc(`runs resume ${run} --json`);

    // A resume finds no audience with the recorded id. The same command is a new run of the other account.
    const [code, written] = lineOf(run, list)[0] === 'runs' ? [7, 0] : [0, 1_500];
    const { contact_counts } = (await world.svc(`audiences get ${id} --json`, { env })).json;
    expect([other.code, contact_counts.total]).toEqual([code, written]);
    expect(other.json.run === run).toBe(code === 7);
    expect(own.code).toBe(0);
    expect(world.emulator.admin.contacts(own.json.audience.id)).toHaveLength(1_500);
  });

  /** Creates a test setup whose local clock is ahead of the service's clock. */
  async function worldAhead(aheadMs: number): Promise<World> {
    const world = await createWorld();
    world.clock.set(world.clock.now() + aheadMs);
    world.emulator.admin.advance(-aheadMs);
    return world;
  }

  const HOUR = 3_600_000;

  test.each([
    ['fast', 24 * 60_000],
    ['a day fast', 24 * HOUR],
    ['slow', -24 * 60_000],
  ])('continues a creation under another API key when the clock is %s (K4, P7)', async (_, aheadMs) => {
    const world = await worldAhead(aheadMs);
    const list = world.file('list.csv', people(20));
    const first = await world.svc(['migrate', list, ...NEW], stoppedAfterPost(1));
    const env = { SVC_API_KEY: world.emulator.admin.createKey() };

    const { code, err, json } = await world.svc(`runs resume ${first.json.run} --json`, { env });

    expect([code, json.rows?.created], err).toEqual([0, 20]);
  });

  test.each([
    ['right', 0],
    ['two hours slow', -2 * HOUR],
    ['two hours fast', 2 * HOUR],
  ])('uses no older audience of the same name when the clock is %s (K4, P7)', async (_, aheadMs) => {
    const world = await worldAhead(aheadMs);
    const env = { SVC_API_KEY: world.emulator.admin.createOrganization().apiKey };
    const { id } = (await world.svc('audiences create New --json', { env })).json;
    await world.clock.advance(10 * 60_000);
    const first = await world.svc(['migrate', world.file('list.csv', people(20)), ...NEW], stoppedAfterPost(1));

    const { code, err } = await world.svc(`runs resume ${first.json.run}`, { env });

    expect([code, err]).toEqual([2, expect.stringContaining('in this account is older than the run')]);
    expect((await world.svc(`audiences get ${id} --json`, { env })).json.contact_counts.total).toBe(0);
  });

  test('says how to continue a run when its audience was renamed (K4)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(1_500));
    const line = `migrate ${list} --audience ${world.emulator.audienceId} --plan paid --json`;
    const { json } = await world.svc(line, stoppedAfterPost(2));
    await world.svc(['audiences', 'rename', world.emulator.audienceId, 'Letters']);

    const { code, err } = await world.svc(`runs resume ${json.run}`);
    const command = /If it is the right audience, run its command again:\s+svc (.*)/.exec(err)?.[1] ?? '';
    const again = await world.svc(command);

    expect([code, err, command]).toEqual([2, expect.stringContaining('is now named "Letters"'), `--yes ${line}`]);
    expect([again.code, again.json.run]).toEqual([0, json.run]);
  });

  test('prints how to give a renamed audience its old name for a resume (K4)', async () => {
    const world = await createWorld();
    const id = world.emulator.audienceId;
    await world.svc(['audiences', 'rename', id, "Ann's list"]);
    const line = ['migrate', world.file('list.csv', people(1_500)), '--audience-name', "Ann's list", '--plan', 'paid'];
    await world.svc(line, stoppedAfterPost(2));
    await world.svc(['audiences', 'rename', id, 'Letters']);

    const { err } = await world.svc('runs resume');

    const commands = [...err.matchAll(/: svc (.*)$/gm)].map(([, command = '']) => splitShellText(command));
    expect(commands[0]).toEqual(['audiences', 'rename', id, "Ann's list"]);
    expect(await Array.fromAsync(commands, async (command) => (await world.svc(command)).code)).toEqual([0, 0]);
  });

  test.each(['News ', ' News', 'My  news', 'My\tnews'])(
    'refuses to create an audience named "%s" (L3)',
    async (name) => {
      const world = await createWorld();
      const list = world.file('list.csv', people(3));
      const { code, err } = await world.svc(['migrate', list, '--audience-name', name, '--create-audience']);
      const clean = name.trim().replace(/\s+/, ' ');
      expect([code, world.requests(), err]).toEqual([2, [], expect.stringMatching(`Write it as: '?${clean}'?\n`)]);
    },
  );

  test.each([
    ['case', 'News', 'NEWS'],
    ['blanks', 'My news', 'My\u00a0news'],
    ['the composition of a letter', 'Caf\u00e9', 'Cafe\u0301'],
    // No capital letter J with this accent exists, so only the small letter is one character.
    ['the composition of a small letter', 'J\u030coni', '\u01f0oni'],
  ])('refuses an audience name that differs from another only in %s (L3)', async (_, existing, asked) => {
    const world = await createWorld({ seed: { audiences: [{ name: existing }] } });
    const { id } = world.emulator.admin.audiences().find(({ name }) => name === existing)!;
    const line = ['migrate', world.file('list.csv', people(3)), '--create-audience', '--audience-name', asked];
    const { code, err } = await world.svc(line);
    expect([code, creations(world)]).toEqual([2, []]);
    expect(err).toContain('one with nearly this name exists');
    expect(err).toContain(`--audience ${id}`);
  });

  test('prints the audience name of the service when the response was lost (L3)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(3));
    const upper = withTraffic({ of: /^POST .*\/audiences$/, request: ({ name }) => ({ name: name.toUpperCase() }) });
    world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST /v1/audiences' } });
    const lost = await world.svc(['migrate', list, ...CREATE], upper);
    world.emulator.admin.clearFaults();
    const { code, err } = await world.svc(`runs resume ${lost.json.run}`, upper);
    expect([lost.code, code], err).toEqual([1, 0]);
    expect(err).toContain('The service named the audience "READERS", not "Readers".');
    expect(world.emulator.admin.audiences().filter(({ name }) => name === 'READERS')).toHaveLength(1);
  });

  test('resumes when the service shows the creation time in another form (K4)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', people(20));
    const cut = await world.svc(['migrate', list, '--audience-name', 'Newsletter', '--json'], stoppedAfterPost(1));
    const otherForm = withTraffic({
      of: /^GET .*\/audiences\/[^/]+$/,
      response: (got) => ({ ...got, created_at: got.created_at.replace(/Z$/, '000+00:00') }),
    });
    const inList = withTraffic({
      of: /^GET .*\/audiences$/,
      response: (got) => ({
        ...got,
        data: got.data.map((one: { created_at: string }) => ({
          ...one,
          created_at: one.created_at.replace('Z', '+00:00'),
        })),
      }),
    });
    const both = { transport: (inner: Transport) => otherForm.transport(inList.transport(inner)) };
    const { code, err } = await world.svc(`runs resume ${cut.json.run}`, both);
    expect([cut.code, code], err).toEqual([130, 0]);
  });
});
