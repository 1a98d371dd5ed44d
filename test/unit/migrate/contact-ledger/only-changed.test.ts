import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { cityOf, numberedNames, rowsOf, runNight, sentPeople, statusOf } from '../../../support/nights.ts';
import { type CommandResult, createWorld, type World } from '../../../support/world.ts';

const HOUR_MS = 3_600_000;

describe('the next list with --only-changed', () => {
  test('--only-changed sends only new and changed people (G1)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben', 'cara']));
    const { json } = await runNight(world, [...rowsOf(['ana', 'cara', 'dan']), ...rowsOf(['ben'], 'Bergen')]);
    expect(json.rows).toMatchObject({ read: 4, created: 1, updated: 1, unchanged: 2, unsent: 0 });
    expect(sentPeople(world)).toEqual(['ben', 'dan']);
    expect(cityOf(world, 'ben')).toBe('Bergen');
  });

  test('--only-changed sends nothing when nothing changed (G1)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    const { json, code } = await runNight(world, rowsOf(['ana', 'ben']));
    expect([code, json.rows.unchanged, sentPeople(world)]).toEqual([0, 2, []]);
  });

  test('--only-changed does not send unchanged people who opted out (G1, C1)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    world.emulator.admin.setStatus('ana@example.com', 'unsubscribed');
    await runNight(world, [...rowsOf(['ana']), ...rowsOf(['ben'], 'Oslo')]);
    expect([sentPeople(world), statusOf(world, 'ana')]).toEqual([['ben'], 'unsubscribed']);
  });

  test('--full sends and records the whole list (G1)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    await runNight(world, rowsOf(['ana', 'ben']), { flags: '--full' });
    expect(sentPeople(world)).toEqual(['ana', 'ben']);
    await runNight(world, rowsOf(['ana', 'ben']));
    expect(sentPeople(world)).toEqual([]);
  });

  test('sends the whole list with another mapping or --explicit-status (G1)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    await runNight(world, rowsOf(['ana', 'ben']), { flags: '--map city=last_name' });
    expect(sentPeople(world)).toEqual(['ana', 'ben']);
    await runNight(world, rowsOf(['ana', 'ben']), { flags: '--map city=last_name --explicit-status' });
    expect(sentPeople(world)).toEqual(['ana', 'ben']);
  });

  test('keeps one contact ledger for each audience (G1)', async () => {
    const world = await createWorld();
    const other = world.emulator.admin.createAudience('Other');
    await runNight(world, rowsOf(['ana']), { flags: `--audience ${world.emulator.audienceId}` });
    await runNight(world, rowsOf(['ana']), { flags: `--audience ${other}` });
    expect(sentPeople(world)).toEqual(['ana']);
    await runNight(world, rowsOf(['ana']), { flags: `--audience ${world.emulator.audienceId}` });
    expect(sentPeople(world)).toEqual([]);
  });
});

describe('the ledger: what the audience last accepted of each person', () => {
  test('makes the contact ledger private, and stores no address in it (G1)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    for (const path of ledgerFiles(world)) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readFileSync(path).toString('latin1')).not.toMatch(/ana|example|lisbon/i);
    }
    expect(ledgerFiles(world).length).toBeGreaterThan(1);
  });

  test.each<[string, (path: string) => void]>([
    ['lost', (path) => path.includes('.db') && rmSync(path)],
    ['damaged', (path) => path.endsWith('.db') && truncateSync(path, 700)],
    ['not a database', (path) => path.endsWith('.db') && writeFileSync(path, 'no database')],
    ['without its key', (path) => path.endsWith('.key') && rmSync(path)],
    ['with a damaged key', (path) => path.endsWith('.key') && writeFileSync(path, 'no key')],
  ])('replaces the contact ledger and sends the whole list: ledger %s (G3)', async (_, spoil) => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    ledgerFiles(world).forEach(spoil);
    const { code } = await runNight(world, rowsOf(['ana', 'ben']));
    expect([code, sentPeople(world)]).toEqual([0, ['ana', 'ben']]);
    await runNight(world, rowsOf(['ana', 'ben']));
    expect(sentPeople(world)).toEqual([]);
  });

  test('creates no contact ledger in a dry run (G3)', async () => {
    const world = await createWorld();
    const { code, json } = await runNight(world, rowsOf(['ana']), { flags: '--dry-run' });
    expect([code, json.rows.unsent, ledgerFiles(world)]).toEqual([0, 1, []]);
  });

  test('--only-changed sends a person again when the response was lost (G2)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(numberedNames(8)));
    const lost = await runNight(world, rowsOf(numberedNames(8), 'Oslo'), { transport: losingTransport(1) });
    expect([lost.code, cityOf(world, 'p8')]).toEqual([1, 'Oslo']);
    const { code } = await runNight(world, rowsOf(numberedNames(8)));
    expect([code, cityOf(world, 'p8'), sentPeople(world)]).toEqual([0, 'Lisbon', numberedNames(8)]);
  });

  test('--only-changed sends a person again when the request never arrived (G2)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(numberedNames(8)));
    const lost = await runNight(world, rowsOf(numberedNames(8), 'Oslo'), { transport: losingTransport(1, 'request') });
    expect([lost.code, cityOf(world, 'p8')]).toEqual([1, 'Lisbon']);
    await runNight(world, rowsOf(numberedNames(9), 'Oslo'));
    expect(cityOf(world, 'p8')).toBe('Oslo');
  });

  test('--only-changed sends a person again after a resume got a replay (G2, I7)', async () => {
    const world = await createWorld();
    const first = await runNight(world, rowsOf(numberedNames(8)), {
      transport: losingTransport(1),
      flags: '--no-verify',
    });
    await world.svc(`runs resume ${first.json.run} --json`);
    await runNight(world, rowsOf(numberedNames(8)), { after: HOUR_MS });
    expect(sentPeople(world)).toEqual(numberedNames(8));
  });

  test('--only-changed sends a person again when the service refused them (G2)', async () => {
    const world = await createWorld();
    world.emulator.admin.suppress(['ana@example.com'], 'bounced');
    const first = await runNight(world, rowsOf(['ana', 'ben']));
    expect(first.json.rows.already_suppressed).toBe(1);
    world.emulator.admin.unsuppress('ana@example.com');
    const { json } = await runNight(world, rowsOf(['ana', 'ben']));
    expect([json.rows.created, json.rows.unchanged, statusOf(world, 'ana')]).toEqual([1, 1, 'subscribed']);
  });

  test('--only-changed sends a person again after an import without it (G2)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    world.file('fix.csv', `email,first_name,city\n${rowsOf(['ana'], 'Oslo').join('\n')}\n`);
    await world.svc('contacts import fix.csv --default-status subscribed --plan paid --json');
    await runNight(world, rowsOf(['ana', 'ben']));
    expect([sentPeople(world), cityOf(world, 'ana')]).toEqual([['ana'], 'Lisbon']);
  });

  test('uses a new idempotency key when an earlier run sent the same rows (G5)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    await runNight(world, rowsOf(['ana', 'ben'], 'Oslo'), { after: HOUR_MS });
    const { json } = await runNight(world, rowsOf(['ana', 'ben']), { after: HOUR_MS });
    expect([json.rows_replayed, cityOf(world, 'ana'), cityOf(world, 'ben')]).toEqual([0, 'Lisbon', 'Lisbon']);
  });

  test('--full uses a new key when the same list was sent an hour ago (G5, I7)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']), { flags: '--full' });
    const { json } = await runNight(world, rowsOf(['ana', 'ben']), { flags: '--full', after: HOUR_MS });
    expect([json.rows_replayed, json.rows.updated]).toEqual([0, 2]);
  });

  test('--only-changed sends all people after a run that found differences (G8)', async () => {
    const world = await createWorld();
    await runNight(world, rowsOf(['ana', 'ben']));
    world.emulator.admin.addFault({ kind: 'drop_rows', rows: 1, times: 1, match: { route: 'POST *contacts/batch' } });
    const { code } = await runNight(world, rowsOf(['ana', 'ben', 'cara']));
    expect(code).toBe(8);
    await runNight(world, rowsOf(['ana', 'ben', 'cara', 'dan']));
    expect(sentPeople(world)).toEqual(['ana', 'ben', 'cara', 'dan']);
  });
});

test.each([
  ['as the first process left it', () => undefined],
  ['lost', (path: string) => rmSync(path)],
] as const)('a resume sends the same batches when the ledger is %s (G4)', async (_, spoil) => {
  const world = await createWorld();
  await runNight(world, rowsOf(numberedNames(30)));
  const first = await runNight(world, rowsOf(numberedNames(1_130)), {
    transport: losingTransport(2),
    flags: '--concurrency 1',
  });
  const before = regularBodies(world);
  ledgerFiles(world).forEach(spoil);
  const { code, json } = await world.svc(`runs resume ${first.json.run} --json`);
  expect([code, json.rows.unchanged, regularBodies(world)]).toEqual([0, 30, before.slice(1)]);
  expect([before.length, before[1]]).toEqual([2, expect.stringContaining('p1130@example.com')]);
  expect(world.emulator.admin.contacts()).toHaveLength(1_130);
});

test('imports a stopped list in a new run when another list came since (G10)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(['ana', 'ben']));
  const stopped = await runNight(world, rowsOf(['ana', 'ben', 'cyd']), { transport: losingTransport(0) });
  await runNight(world, [...rowsOf(['ana'], 'Oslo'), ...rowsOf(['ben', 'cyd'])]);
  const { code, json } = await runNight(world, rowsOf(['ana', 'ben', 'cyd']));
  expect([stopped.code, code, cityOf(world, 'ana'), json.run === stopped.json.run]).toEqual([1, 0, 'Lisbon', false]);
});

const HELD = [
  ['a status that means not mailed', ['ben@example.com,no', 'cyd@example.com,yes']],
  ['a bounce', ['ben@example.com,hard bounce', 'cyd@example.com,yes']],
] as const;

test.each(HELD)('warns about people who were sent before and have %s now (G11)', async (_, rows) => {
  const world = await createWorld();
  const options = { header: 'email,Newsletter', flags: '--status-map yes=subscribed --status-map no=skip' };
  const first = await runNight(world, ['ben@example.com,yes', 'cyd@example.com,yes', 'dee@example.com,no'], options);
  const next = await runNight(world, rows, options);
  expect([heldBack(first), heldBack(next).at(-1), next.code]).toEqual([[], 1, 0]);
  const full = await runNight(world, rows, { ...options, flags: `${options.flags} --full` });
  expect(heldBack(full).at(-1)).toBe(1);
});

test('does not warn about a person when only another list sent them (G11)', async () => {
  const world = await createWorld();
  await runNight(world, rowsOf(['ana', 'ben']), { file: 'first.csv' });
  await runNight(world, rowsOf(['cyd', 'dee', 'eva']), { file: 'second.csv' });
  const named = [...rowsOf(['cyd', 'dee']), 'eva@example.com,ana@example.com,Lisbon'];
  expect(heldBack(await runNight(world, named, { file: 'second.csv' }))).toEqual([]);
});

test('says that contacts import does not write suppressions (G11)', async () => {
  const world = await createWorld();
  const { json } = await runNight(world, ['ana@example.com,subscribed', 'ben@example.com,complained'], {
    header: 'email,status',
  });
  expect(json.findings.filter(({ check }: { check: string }) => check === 'held_back')).toMatchObject([
    {
      level: 'warn',
      message: expect.stringContaining('1 person of this list bounced, complained or opted out of everything'),
      hint: expect.stringMatching(/^svc suppressions import \S+$/),
    },
  ]);
});

/** The numbers of people in the findings `held_back`. */
function heldBack({ json }: CommandResult): number[] {
  return json.findings
    .filter(({ check }: { check: string }) => check === 'held_back')
    .map(({ total }: { total: number }) => total);
}

test('stops until --full when the audience was deleted and recreated (C1, G3)', async () => {
  const world = await createWorld();
  const rows = rowsOf(['ana', 'bo']);
  await runNight(world, rows);
  world.emulator.admin.setStatus('ana@example.com', 'unsubscribed');
  const { audienceId } = world.emulator;
  await world.svc(`audiences delete ${audienceId} --confirm Newsletter`);
  await world.svc('audiences create Newsletter');
  const stopped = await runNight(world, rows);
  const finding = stopped.json.findings.find(({ level }: { level: string }) => level === 'stop');
  expect([stopped.code, finding?.check, sentPeople(world)]).toEqual([5, 'only_changed', []]);
  expect(finding.message).toContain(audienceId);
  expect((await runNight(world, rows, { flags: '--full' })).code).toBe(0);
  expect((await runNight(world, rows)).json.rows.unchanged).toBe(2);
});

test('resumes a run when another audience of the same name got a list (D1)', async () => {
  const world = await createWorld();
  const { json } = await world.svc('audiences create Temp --json');
  await world.svc(`audiences rename ${json.id} Newsletter`);
  const match = { route: 'POST *' };
  world.emulator.admin.addFault({
    kind: 'error',
    status: 403,
    code: 'forbidden',
    when: 'before',
    times: 1,
    after: 1,
    match,
  });
  const stopped = await runNight(world, rowsOf(numberedNames(7)), { flags: `--audience ${world.emulator.audienceId}` });
  const other = await runNight(world, rowsOf(['ana']), { file: 'o.csv', flags: `--audience ${json.id} --full` });
  const { code } = await world.svc(`runs resume ${stopped.json.run} --json`);
  expect([stopped.code, other.code, code, statusOf(world, 'p7')]).toEqual([4, 0, 0, 'subscribed']);
});

/** Bodies of the batches that are larger than a canary. */
function regularBodies(world: World): string[] {
  const bodies = world.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/batch'));
  return [...new Set(bodies.map(({ body }) => body).filter((body) => JSON.parse(body).contacts.length > 4))];
}

/** Loses the response, or already the request, of each batch after the first `some`. */
function losingTransport(some: number, what: 'request' | 'response' = 'response'): (inner: Transport) => Transport {
  let batches = 0;
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const isBatch = request.url.pathname.endsWith('/batch');
      batches += isBatch ? 1 : 0;
      const isLost = isBatch && batches > some;
      const response = isLost && what === 'request' ? undefined : await inner.send(request, signal);
      if (isLost || !response) {
        throw Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' });
      }
      return response;
    },
  });
}

function ledgerFiles(world: World): string[] {
  const folder = join(world.folder, 'state', 'svc', 'ledgers');
  return readdirSync(folder).map((name) => join(folder, name));
}
