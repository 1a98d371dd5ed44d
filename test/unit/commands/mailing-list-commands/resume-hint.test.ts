import { expect, test } from 'vitest';
import { createInterruption, resumeLineOf } from '../../../../src/base/lib/interruption.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';

const LIST = 'email,status\nana@example.com,subscribed\nbob@example.com,unsubscribed\n';

/** Runs a migration to its end. The user says yes at the terminal. */
async function migrateAtTerminal(flags: string): Promise<string> {
  const world = await createWorld();
  world.file('list.csv', LIST);
  // With --emulator too, the requests go to the service of this test, which knows only its own key.
  const authorization = `Bearer ${world.emulator.apiKey}`;
  const { code, err } = await world.svc(`migrate list.csv --no-color ${flags}`, {
    answers: ['y', 'y'],
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => inner.send({ ...request, headers: { ...request.headers, authorization } }, signal),
    }),
  });
  expect(code, err).toBe(0);
  return err;
}

test('prints that Ctrl-C is safe, and how to resume, when a run takes longer', async () => {
  expect(await migrateAtTerminal('--rate 2')).toMatch(/Ctrl-C is safe\. To continue later:\s+svc runs resume run_\w+/);
});

test.each([
  ['the run is short', ''],
  ['the emulator is temporary, so that no resume finds it again', '--rate 2 --emulator'],
  ['the line has --quiet', '--rate 2 -q'],
  ['the line has --json', '--rate 2 --json'],
])('prints no advice about Ctrl-C when %s', async (_, flags) => {
  expect(await migrateAtTerminal(flags)).not.toContain('Ctrl-C');
});

test('prints no advice about Ctrl-C when there is no terminal', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  expect((await world.svc('migrate list.csv --rate 2')).err).not.toContain('Ctrl-C');
});

test('names `runs resume` when a batch stays in progress for too long (D1)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const error = { code: 'idempotency_conflict', message: 'in flight', request_id: 'req_1' };
  const { code, err, json } = await world.svc('contacts import list.csv --json --yes --state-dir other', {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        return request.method === 'POST'
          ? { ...response, status: 409, body: Buffer.from(JSON.stringify({ error })) }
          : response;
      },
    }),
  });
  const { hint } = JSON.parse(err.split('\n').find((text) => text.startsWith('{')) ?? '').error;
  expect([code, hint]).toEqual([7, `svc --state-dir other runs resume ${json.run}`]);
  expect(await world.svc(`${hint.slice('svc '.length)} --json`)).toMatchObject({ code: 0 });
});

test('runs resume refuses a run when another process works on the run (I11)', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  let meanwhile: ReturnType<typeof world.svc> | undefined;
  const { json } = await world.svc('contacts import list.csv --json --yes', {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        if (request.method === 'POST') {
          meanwhile ??= world.svc('runs resume');
          await meanwhile;
        }
        return inner.send(request, signal);
      },
    }),
  });
  expect(await meanwhile).toMatchObject({ code: 6, err: expect.stringContaining(`working on ${json.run}`) });
});

test('wraps the first sentence of a resume at 80 columns, and cuts nothing off', async () => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  await world.svc('contacts import list.csv --yes', stoppedAfterPost(1));
  const { err } = await world.svc('runs resume', { columns: 80, answers: ['y'] });
  const lines = err.slice(0, err.indexOf('\n  survey')).split('\n');
  expect(lines.filter((text) => text.length > 80)).toEqual([]);
  expect(lines.join(' ')).toMatch(
    /^Resuming run_\w+: contacts import list\.csv to Newsletter, started 2026-01-01 00:00 UTC$/,
  );
});

test('prints a working runs delete command when the audience was deleted (D1)', async () => {
  const world = await createWorld();
  world.file('list.csv', people(1_500));
  const [{ id }] = (await world.svc('audiences ls --json')).json;
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: BATCH }, after: 1 });
  expect((await world.svc('contacts import list.csv --plan paid')).code).toBe(1);
  world.emulator.admin.clearFaults();
  world.emulator.admin.deleteAudience(id);
  const { err } = await world.svc('runs resume');
  const [, run = '', next = ''] = /Resuming (run_\w+):[\s\S]*Then: svc (runs delete .*)/.exec(err) ?? [];
  expect([next, (await world.svc(next)).code]).toEqual([`runs delete ${run} --confirm ${run}`, 0]);
});

test.each([
  ['an import', 'contacts import list.csv', BATCH, 7],
  ['a check', 'contacts check list.csv', 'GET /v1/audiences/*/contacts', 2],
])('says how to continue when the resume of %s finds no audience', async (_, line, route, exit) => {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const [{ id }] = (await world.svc('audiences ls --json')).json;
  world.refuse(route, { status: 401, code: 'revoked_api_key' });
  expect((await world.svc(line)).code).toBe(4);
  world.emulator.admin.clearFaults();
  await world.svc(['audiences', 'delete', id, '--confirm', 'Newsletter']);
  const { code, err } = await world.svc('runs resume');
  expect([code, err]).toEqual([exit, expect.stringContaining('If the destination was deleted, give the list')]);
  const next = /Then: svc (runs delete run_\w+)/.exec(err)?.[1] ?? '';
  expect((await world.svc(next)).code).toBe(0);
});

/**
 * Runs a command, and sends it a signal at its request number `stopAt`. `lines` has what svc would print at a second
 * signal: one line for each later event, and for each later write to the terminal.
 */
async function interrupt(world: World, line: string, stopAt: number) {
  const stopper = new AbortController();
  const lines: (string | undefined)[] = [];
  const atSecondSignal = () => {
    if (stopper.signal.aborted) {
      lines.push(resumeLineOf(stopper.signal));
    }
  };
  let requests = 0;
  const { code } = await world.svc(line, {
    signal: stopper.signal,
    onEvent: atSecondSignal,
    onWrite: atSecondSignal,
    onWriteToStderr: atSecondSignal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        requests += 1;
        if (requests === stopAt) {
          stopper.abort(createInterruption('SIGINT'));
        }
        return inner.send(request, signal);
      },
    }),
  });
  return { code, lines };
}

// A migration reads the account with 8 requests, then it writes. Its resume opens the run after its first request.
test.each([
  ['migrate', 'migrate list.csv -v', undefined, 10],
  ['runs resume', 'migrate list.csv', 'runs resume -v', 1],
  ['runs resume', 'migrate list.csv', 'runs resume -v', 4],
  ['contacts check', 'contacts check list.csv -v', undefined, 4],
  ['runs resume of a check', 'contacts check list.csv', 'runs resume -v', 1],
])('%s says how to continue when a second signal comes (D1, D4) [%#]', async (_, first, resume, stopAt) => {
  const world = await createWorld();
  world.file('list.csv', people(20));
  if (resume) {
    expect(await interrupt(world, first, 10)).toMatchObject({ code: 130 });
  }
  const { code, lines } = await interrupt(world, resume ?? first, stopAt);
  expect([code, lines.length > 2]).toEqual([130, true]);
  expect(lines).toEqual(lines.map(() => expect.stringMatching(/^To continue: svc runs resume run_\w+$/)));
});

test('says how to continue when two signals come before a write (D1, D4)', async () => {
  const world = await createWorld();
  world.file('list.csv', `${LIST}cem@example.com,bounced\n`);
  const stopper = new AbortController();
  const lines: (string | undefined)[] = [];
  const { code } = await world.svc('migrate list.csv', {
    signal: stopper.signal,
    onEvent: (event) => {
      if (event.type === 'phase' && event.phase === 'suppressions') {
        stopper.abort(createInterruption('SIGINT'));
      }
      if (stopper.signal.aborted) {
        lines.push(resumeLineOf(stopper.signal));
      }
    },
  });
  expect([code, world.requests().filter(({ method }) => method !== 'GET')]).toEqual([130, []]);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines).toEqual(lines.map(() => expect.stringMatching(/^To continue: svc runs resume run_\w+$/)));
});
