import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { writeMissingCsv } from '../../../../src/migrate/contact-ledger/finish-list.ts';
import { openMissingPeople } from '../../../../src/runs/people/missing-people.ts';
import { runFiles } from '../../../../src/runs/store/state-folder.ts';
import { goneOf, numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../support/nights.ts';
import { withTraffic } from '../../../support/traffic.ts';
import { BATCH, type CommandResult, createWorld, type RunOptions } from '../../../support/world.ts';

const PEOPLE = numberedNames(40);
const WITHOUT_LAST = rowsOf(numberedNames(39));
const REFUSAL = { kind: 'error', status: 403, code: 'forbidden', times: 9, match: { route: 'POST *' } } as const;

/** Stops a run at the nth read after the request that unsubscribes people. 1: before svc reads a person back. */
function stoppedInLookUps(nth: number): RunOptions {
  const stopper = new AbortController();
  let reads = -1;
  return {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const response = await inner.send(request, signal);
        reads = request.method === 'POST' ? 0 : reads < 0 ? reads : reads + 1;
        if (reads === nth - 1) {
          stopper.abort(createInterruption('SIGINT'));
        }
        return response;
      },
    }),
  };
}

/** The service shows this person with another status. Undefined: the response has no status. */
function showing(name: string, status: unknown): NonNullable<RunOptions['transport']> {
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const isMeant = request.method === 'GET' && decodeURIComponent(request.url.pathname).includes(`/${name}@`);
      return isMeant ? { ...response, body: withStatus(response.body, status) } : response;
    },
  });
}

function withStatus(body: Buffer, status: unknown): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), status }));
}

const goneFile = ({ json }: CommandResult) => readFileSync(json.files.gone, 'utf8');

describe('a person who is missing in the next list', () => {
  /** Imports the first list into an audience with these contacts. Returns the finding about missing people. */
  async function firstNight(members: readonly string[], flags: string) {
    const world = await createWorld();
    world.emulator.admin.addContacts(members.map((name) => ({ email: `${name}@example.com` })));
    const { code, json } = await runNight(world, rowsOf(PEOPLE), { flags });
    const { level, hint } = json.findings.find(({ check }: { check: string }) => check === 'only_changed');
    return { world, ended: [code, level, hint?.split('only in the audience: ')[1]] };
  }

  test.each(['--gone unsubscribe', '--gone report'])(
    'the first list warns that no person can be missing, with %s (G6)',
    async (flags) => {
      const { world, ended } = await firstNight(['old'], flags);
      const { audienceId } = world.emulator;
      const command = `svc contacts check users.csv --audience ${audienceId} --default-status subscribed`;
      expect(ended).toEqual([0, 'warn', command]);
    },
  );

  test.each([
    ['the audience is empty', [], '--gone unsubscribe'],
    ['there is no --gone', ['old'], ''],
  ])('the first list does not warn about missing people when %s (G6)', async (_, members, flags) => {
    expect((await firstNight(members, flags)).ended).toEqual([0, 'pass', undefined]);
  });

  test('--gone report names a missing person and leaves them subscribed (G6)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    const result = await runNight(world, WITHOUT_LAST, { flags: '--gone report' });
    expect([result.code, goneFile(result), result.json.gone.since_last_list]).toEqual([
      0,
      'email,missing_since,outcome\np40@example.com,,reported\n',
      1,
    ]);
    expect([statusOf(world, 'p40'), sentPeople(world)]).toEqual(['subscribed', []]);
    const since = new Date(world.clock.now()).toISOString();
    const next = await runNight(world, WITHOUT_LAST, { flags: '--gone report' });
    expect([next.code, goneFile(next), next.json.gone.since_last_list]).toEqual([
      0,
      `email,missing_since,outcome\np40@example.com,${since},reported\n`,
      0,
    ]);
    expect([statusOf(world, 'p40'), sentPeople(world)]).toEqual(['subscribed', []]);
  });

  test('opts no person out when the look-up shows another contact (G6)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    const other = withTraffic({
      of: /^GET .*\/contacts\/p40@/,
      response: (contact) => ({ ...contact, email: 'p1@example.com' }),
    });
    const result = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe', ...other });
    expect([result.code, result.err]).toEqual([1, expect.stringContaining('it shows the contact p1@example.com')]);
    expect([statusOf(world, 'p1'), statusOf(world, 'p40')]).toEqual(['subscribed', 'subscribed']);
  });

  test.each<[string, unknown, string, string]>([
    ['null instead of a status', null, 'unsubscribed', 'unsubscribed'],
    ['no status', undefined, 'unsubscribed', 'unsubscribed'],
    ['a word that svc does not know', 'engaged', 'unsubscribed', 'unsubscribed'],
    ['the status pending', 'pending', 'unsubscribed', 'unsubscribed'],
    ['the status unsubscribed', 'unsubscribed', 'left_before', 'subscribed'],
    ['the status bounced', 'bounced', 'left_before', 'subscribed'],
  ])('opts a missing person out unless they left, service shows %s (G6, O6)', async (_, shown, outcome, after) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    const result = await runNight(world, WITHOUT_LAST, {
      flags: '--gone unsubscribe',
      transport: showing('p40', shown),
    });
    expect([goneOf(result), statusOf(world, 'p40')]).toEqual([[`p40 ${outcome}`], after]);
  });

  test('exits with 3 when the service refuses to opt a missing person out (G6)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.refuse(BATCH, { status: 400, code: 'invalid_request', times: 1 });
    const { code, json } = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
    expect([code, json.error]).toMatchObject([3, { code: 'opt_out_refused', message: expect.stringContaining('@') }]);
    const next = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
    expect([next.code, next.json.gone.unsubscribed]).toEqual([0, 1]);
  });

  test('reports a missing person only once when they are suppressed (G6, O7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.file('bounces.csv', 'email\np40@example.com\n');
    await world.svc('suppressions import bounces.csv --reason bounced --yes');
    const result = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
    expect([result.code, goneOf(result), statusOf(world, 'p40')]).toEqual([0, ['p40 left_before'], 'subscribed']);
    const next = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
    expect([next.code, next.json.gone.missing]).toEqual([0, 0]);
  });

  test.each([1, 2, 3])('a resume counts missing people after a stop at look-up %i (G6, D1)', async (reads) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.file('bounces.csv', 'email\np39@example.com\n');
    await world.svc('suppressions import bounces.csv --reason bounced --yes');
    await runNight(world, rowsOf(numberedNames(37)), {
      flags: '--gone unsubscribe --max-gone 10%',
      ...stoppedInLookUps(reads),
    });
    const { code, json } = await world.svc('runs resume --json');
    expect([code, goneOf({ json } as CommandResult), json.gone]).toEqual([
      0,
      ['p38 unsubscribed', 'p39 left_before', 'p40 unsubscribed'],
      { missing: 3, since_last_list: 3, unsubscribed: 2, left_before: 1, reported: 0 },
    ]);
    expect(['p38', 'p40'].map((name) => statusOf(world, name))).toEqual(['unsubscribed', 'unsubscribed']);
  });

  test('--gone unsubscribes a missing person, without suppression (G6)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    const result = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
    expect([result.code, goneOf(result), result.json.rows.updated]).toEqual([0, ['p40 unsubscribed'], 0]);
    expect([statusOf(world, 'p40'), world.emulator.admin.suppressions()]).toEqual(['unsubscribed', []]);
    // No request has a date, because only the list knows when the person left it.
    const posts = world.requests().filter(({ method }) => method !== 'GET');
    expect(posts.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
      ['POST', { upsert: true, contacts: [{ email: 'p40@example.com', status: 'unsubscribed' }] }],
    ]);
    expect(world.emulator.admin.contacts()).toHaveLength(40);
    const next = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
    expect(next.json.gone.missing).toBe(0);
  });

  test('sends no opt-out for a missing person who opted out or is deleted (G6)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.emulator.admin.deleteContact('p40@example.com');
    world.emulator.admin.setStatus('p39@example.com', 'unsubscribed');
    const before = world.emulator.admin.contact('p39@example.com');
    const result = await runNight(world, rowsOf(numberedNames(38)), { flags: '--gone unsubscribe' });
    expect([goneOf(result), statusOf(world, 'p40')]).toEqual([['p39 left_before', 'p40 not_found'], undefined]);
    // The date on which the person opted out is unchanged.
    expect(world.emulator.admin.contact('p39@example.com')).toEqual(before);
    expect(sentPeople(world)).toEqual([]);
  });

  test('sends a missing person again when a later list holds them (G6)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    await runNight(world, WITHOUT_LAST, { flags: '--gone report' });
    world.emulator.admin.deleteContact('p40@example.com');
    const { json } = await runNight(world, rowsOf(PEOPLE), { flags: '--gone report' });
    expect([json.rows.created, json.gone.missing, statusOf(world, 'p40')]).toEqual([1, 0, 'subscribed']);
  });

  test.each([
    ['in other letters', ' P40@Example.COM ,p40,Lisbon'],
    ['in another column', 'someone@example.com,p40@example.com,Lisbon'],
    ['in a row that is rejected', "'p40@example.com',p40,Lisbon"],
    ['in a cell with a second address', '"new@example.com, p40@example.com",p40,Lisbon'],
    ['in a name with an address', 'Pat <p40@example.com>,p40,Lisbon'],
  ])('counts no person as missing when the list names them %s (G6)', async (_, row) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    const { json } = await runNight(world, [...WITHOUT_LAST, row], { flags: '--gone unsubscribe' });
    expect([json.gone.missing, statusOf(world, 'p40')]).toEqual([0, 'subscribed']);
  });

  test.each([
    ['pia@bücher.example', 'pia@xn--bcher-kva.example'],
    ['pia@xn--bcher-kva.example', ' PIA@BÜCHER.example '],
  ])('counts no person as missing when the list names %s as %s (G6)', async (before, after) => {
    const world = await createWorld();
    await runNight(world, [...rowsOf(PEOPLE), `${before},Pia,Lisbon`]);
    const { json } = await runNight(world, [...rowsOf(PEOPLE), `${after},Pia,Lisbon`], { flags: '--gone unsubscribe' });
    const statuses = new Set(world.emulator.admin.contacts().map(({ status }) => status));
    expect([json.gone.missing, [...statuses]]).toEqual([0, ['subscribed']]);
  });

  test.each([
    ['without address', 'p40 at example,p40,Lisbon'],
    ['with the address of the owner only', 'p40 at example,owner@corp.example,Lisbon'],
  ])('keeps a missing person subscribed when the list has a row %s (G6)', async (_, row) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    const result = await runNight(world, [...WITHOUT_LAST, row], { flags: '--gone unsubscribe' });
    expect([result.code, goneOf(result), statusOf(world, 'p40')]).toEqual([3, ['p40 reported'], 'subscribed']);
  });

  test('counts no person of an import without --only-changed as missing (G6)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.file('meeting.csv', 'email,company\nguest@example.com,Acme\n');
    await world.svc('contacts import meeting.csv --default-status subscribed --plan paid --json');
    const { code, json } = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
    expect([code, json.gone.unsubscribed, statusOf(world, 'guest')]).toEqual([0, 1, 'subscribed']);
  });

  test('keeps missing people subscribed when the import stops early (G6)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.emulator.admin.addFault({ ...REFUSAL, when: 'before' });
    const { code } = await runNight(world, rowsOf(numberedNames(39), 'Oslo'), { flags: '--gone unsubscribe' });
    expect([code === 0, statusOf(world, 'p40')]).toEqual([false, 'subscribed']);
    world.emulator.admin.clearFaults();
    const { json } = await runNight(world, rowsOf(numberedNames(39), 'Rome'), { flags: '--gone unsubscribe' });
    expect(json.gone.unsubscribed).toBe(1);
  });
});

test('keeps no address in run.db when an import with --gone ended', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(PEOPLE));
  const result = await runNight(world, WITHOUT_LAST, { flags: '--gone report' });
  expect(goneFile(result)).toContain('p40@example.com');
  const folder = join(world.folder, 'state', 'svc', 'runs', result.json.run);
  const databases = readdirSync(folder).filter((name) => name.startsWith('run.db'));
  expect(databases).toContain('run.db');
  expect(databases.filter((name) => readFileSync(join(folder, name)).includes('p40@'))).toEqual([]);
});

test('keeps the earlier gone.csv when svc cannot finish the new one (D2)', async () => {
  const world = await createWorld();
  const db = new DatabaseSync(':memory:');
  const files = { ...runFiles(world.folder, 'run_1'), missingCsv: world.file('gone.csv', 'earlier') };
  // The second date is invalid, so the file can't be finished.
  openMissingPeople(db).replace([
    { email: 'ana@example.com', since: 0 },
    { email: 'bo@example.com', since: Number.MAX_SAFE_INTEGER },
  ]);
  const writing = writeMissingCsv(
    { db, files },
    { full: false, gone: 'report', maxGone: { kind: 'rows', rows: 1 }, maxOptOuts: undefined, maxMoved: undefined },
  );
  await expect(writing).rejects.toThrow(RangeError);
  expect([readFileSync(join(world.folder, 'gone.csv'), 'utf8'), existsSync(`${files.missingCsv}.part`)]).toEqual([
    'earlier',
    false,
  ]);
});

describe('--gone with a list that may be the wrong one', () => {
  test('stops when the list lacks more people than --max-gone allows (G7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    for (const action of ['report', 'unsubscribe']) {
      const half = await runNight(world, rowsOf(numberedNames(20), 'Oslo'), { flags: `--gone ${action}` });
      expect([half.code, half.json.error.code, sentPeople(world)]).toEqual([5, 'gone', []]);
    }
    const lifted = await runNight(world, rowsOf(numberedNames(20)), { flags: '--gone unsubscribe --max-gone 50%' });
    expect([lifted.code, lifted.json.gone.unsubscribed]).toEqual([0, 20]);
  });

  test('stops when the list for --gone is empty (G7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    const { code, json } = await runNight(world, [], { flags: '--gone report --max-gone 100%' });
    expect([code, json.error.code]).toEqual([5, 'gone']);
  });

  test.each([
    ['another column', { header: 'email,first_name,town' }],
    ['another name', { file: 'leads.csv' }],
  ])('stops before it unsubscribes people when the list has %s (G7)', async (_, shape) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    const stopped = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe', ...shape });
    expect([stopped.code, stopped.json.error.code, statusOf(world, 'p40')]).toEqual([5, 'gone', 'subscribed']);
    expect(stopped.json.error.hint).toMatch(/^If this is the right list: this run only reports.*--gone report/s);
    expect(stopped.json.error.hint.match(/--gone \w+/g)).toEqual(['--gone report']);
    expect((await runNight(world, WITHOUT_LAST, { flags: '--gone report', ...shape })).code).toBe(0);
    const known = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe', ...shape });
    expect([known.code, known.json.gone.unsubscribed]).toEqual([0, 1]);
  });

  test('--gone stops when an earlier import with other columns ended early (G7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.emulator.admin.addFault({ ...REFUSAL, when: 'after' });
    const leads = ['guest@example.com,Acme'];
    const first = await runNight(world, leads, { header: 'email,company', flags: '--max-gone 100%' });
    world.emulator.admin.clearFaults();
    const right = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe --max-gone 10%' });
    const flags = '--gone unsubscribe --max-gone 100%';
    const wrong = await runNight(world, ['other@example.com,Acme'], { header: 'email,company', flags });
    expect([first.code === 0, right.code, wrong.code]).toEqual([false, 5, 5]);
    expect([statusOf(world, 'guest'), statusOf(world, 'p1')]).toEqual(['subscribed', 'subscribed']);
  });

  test.each(['', '--gone report'])(
    '--gone unsubscribes no person of another list, imported with "%s" (G7)',
    async (flags) => {
      const world = await createWorld();
      await runNight(world, rowsOf(PEOPLE));
      await runNight(world, rowsOf(['guest']), { file: 'leads.csv', flags });
      const leads = await runNight(world, rowsOf(['guest']), { file: 'leads.csv', flags: '--gone unsubscribe' });
      const users = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe' });
      expect([leads.code, users.code, statusOf(world, 'p40')]).toEqual([0, 0, 'unsubscribed']);
      expect([statusOf(world, 'guest'), statusOf(world, 'p1')]).toEqual(['subscribed', 'subscribed']);
    },
  );

  test('compares a renamed list only with the list that it replaces (G7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    await runNight(world, rowsOf(['guest']), { file: 'leads.csv' });
    const report = await runNight(world, WITHOUT_LAST, { file: 'members.csv', flags: '--gone report' });
    const members = await runNight(world, WITHOUT_LAST, { file: 'members.csv', flags: '--gone unsubscribe' });
    expect([goneOf(report), goneOf(members)]).toEqual([['p40 reported'], ['p40 unsubscribed']]);
    const leads = await runNight(world, rowsOf(['guest']), { file: 'leads.csv', flags: '--gone unsubscribe' });
    expect([leads.code, statusOf(world, 'guest'), sentPeople(world)]).toEqual([0, 'subscribed', []]);
  });

  test.each([
    ['unsubscribes its people under the same file name', 'users.csv', 0, 'unsubscribed'],
    ['unsubscribes no person under another file name', 'leads.csv', 0, 'subscribed'],
  ])('after an import that stopped early, --gone %s (G7)', async (_, file, expected, status) => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE));
    world.emulator.admin.addFault({ ...REFUSAL, when: 'after' });
    expect((await runNight(world, rowsOf(['guest']), { file, flags: '--max-gone 100%' })).code).not.toBe(0);
    world.emulator.admin.clearFaults();
    const { code } = await runNight(world, WITHOUT_LAST, { flags: '--gone unsubscribe --max-gone 10%' });
    expect([code, statusOf(world, 'guest')]).toEqual([expected, status]);
  });

  test('treats a list as the same when only a date in its name differs (G7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(PEOPLE), { file: 'users-2026-01-01.csv' });
    const { code, json } = await runNight(world, WITHOUT_LAST, {
      flags: '--gone unsubscribe',
      file: 'users-2026-01-02.csv',
    });
    expect([code, json.gone.unsubscribed]).toEqual([0, 1]);
  });
});
