import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import type { Finding } from '../../../../src/base/finding.ts';
import { cityOf, numberedNames, rowsOf, statusOf } from '../../../support/nights.ts';
import { ageRuns } from '../../../support/node/age-runs.ts';
import { failCalls } from '../../../support/node/failing-calls.ts';
import { stepOf } from '../../../support/sweep.ts';
import { type CommandResult, createWorld, type World } from '../../../support/world.ts';
import { createAutomationWorld } from '../../enroll/support.ts';

const LINE = 'contacts import users.csv --default-status subscribed --plan paid --json';
const TEXT_LINE = LINE.replace(' --json', '');
const TUESDAY = [...rowsOf(numberedNames(7), 'Oslo'), 'new@example.com,new,Oslo'];
const REFUSAL = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;

/** The import of Monday's list stops after its first people. Its last person, p8, isn't in Tuesday's list. */
async function stoppedOn(monday: string, world: World) {
  list(world, rowsOf(numberedNames(8)));
  world.emulator.admin.addFault({ ...REFUSAL, times: 1, after: 1, match: { route: 'POST *' } });
  const { json, code } = await world.svc(monday);
  expect([code === 0, statusOf(world, 'p1'), statusOf(world, 'p8')]).toEqual([false, 'subscribed', undefined]);
  return json.run as string;
}

describe('an unfinished run whose audience got a newer list ("overtaken")', () => {
  test.each([LINE, `${LINE} --only-changed`, LINE.replace('contacts import', 'migrate')])(
    'does not resume a run whose audience got a newer list: %s (G10)',
    async (line) => {
      const world = await createWorld();
      const run = await stoppedOn(line, world);
      list(world, TUESDAY);
      const { json } = await world.svc(line);
      world.requests();
      const { code, err } = await world.svc(`runs resume ${run} --json`);
      const { error } = JSON.parse(err);
      expect([code, error.code, error.message]).toEqual([5, 'overtaken', expect.stringContaining(json.run)]);
      expect([statusOf(world, 'p8'), cityOf(world, 'p1'), posts(world)]).toEqual([undefined, 'Oslo', 0]);
      expect((await world.svc(/svc (runs delete .*)$/.exec(error.hint)?.[1] ?? '')).code).toBe(0);
    },
  );

  test('resumes no overtaken run when the newer run failed to read it (D9, G10)', async () => {
    let trials = 0;
    for (let at = 1; at < 400; at += stepOf(12, 7)) {
      const world = await createWorld();
      const run = await stoppedOn(LINE, world);
      list(world, TUESDAY);
      ageRuns(join(world.folder, 'state', 'svc'));
      const within = join(world.folder, 'state', 'svc', 'runs', run, 'run.db');
      const calls = failCalls({ at, code: 'CORRUPT', within });
      const newer = await world.svc(LINE);
      calls.restore();
      if (calls.failed === undefined) {
        break;
      }
      trials += 1;
      const isWritten = cityOf(world, 'p1') === 'Oslo';
      const resumed = await world.svc(`runs resume ${run} --json`);
      const found = [isWritten, newer.code, resumed.code, statusOf(world, 'p8')];
      const right = isWritten ? [true, 0, 5, undefined] : [false, 1, 0, 'subscribed'];
      expect(found, calls.failed).toEqual(right);
    }
    expect(trials).toBeGreaterThan(5);
  });

  test('offers no resume of an overtaken run in any command (G10)', async () => {
    const world = await createWorld();
    const run = await stoppedOn(LINE, world);
    list(world, TUESDAY);
    await world.svc(LINE);
    const listed = (await world.svc('runs ls --json')).json.find((one: { run: string }) => one.run === run);
    expect([listed.finished, typeof listed.overtaken_by]).toEqual([true, 'string']);
    expect((await world.svc('runs ls')).out).toContain('\tovertaken\t');
    const shown = await world.svc(`runs show ${run}`);
    expect([shown.out.includes('runs resume'), shown.out.includes(`svc runs delete ${run}`)]).toEqual([false, true]);
    expect((await world.svc('runs resume')).err).toContain('no run is unfinished');
    expect((await world.svc(`runs verify ${run}`)).err).toContain(`${listed.overtaken_by} wrote to the same audience`);
    expect((await world.svc('doctor')).out).not.toMatch(/not finished|unknown outcome/);
  });

  test('lists an overtaken run when runs resume needs a choice (G10)', async () => {
    const world = await createWorld();
    const run = await stoppedOn(LINE, world);
    list(world, TUESDAY);
    world.emulator.admin.addFault({ ...REFUSAL, times: 1, after: 1, match: { route: 'POST *' } });
    const newer = (await world.svc(LINE)).json.run;
    const { code, err } = await world.svc('runs resume --json');
    const { error } = JSON.parse(err);
    expect([code, error.code, error.message]).toEqual([
      2,
      'several_unfinished',
      'choose a run: 1 unfinished, 1 overtaken',
    ]);
    expect(error.hint).toContain(`contacts import to "Newsletter":\nsvc runs resume ${newer}`);
    expect(error.hint).toContain(`contacts import to "Newsletter", overtaken by ${newer}:\nsvc runs show ${run}`);
  });

  test('sends an overtaken list in a new run when its command is repeated (G10)', async () => {
    const world = await createWorld();
    const run = await stoppedOn(LINE, world);
    list(world, TUESDAY);
    await world.svc(LINE);
    list(world, rowsOf(numberedNames(8)));
    const { json, code } = await world.svc(LINE);
    expect([code, json.run === run, json.rows_replayed, cityOf(world, 'p1')]).toEqual([0, false, 0, 'Lisbon']);
  });

  test('does not resume an overtaken enrollment with --create-contacts (G10)', async () => {
    const world = await createAutomationWorld([]);
    list(world, rowsOf(numberedNames(8)));
    world.emulator.admin.addFault({ ...REFUSAL, times: 1, after: 1, match: { route: 'POST *' } });
    const enroll = `automations enroll ${world.automation} users.csv --create-contacts --default-status subscribed --json`;
    const first = await world.svc(enroll);
    expect([first.code === 0, statusOf(world, 'p8')]).toEqual([false, undefined]);
    list(world, TUESDAY);
    await world.svc(LINE);
    const resumed = await world.svc(`runs resume ${first.json.run} --json`);
    expect([resumed.code, statusOf(world, 'p8')]).toEqual([5, undefined]);
  });
});

describe('an unfinished run whose audience got no newer list', () => {
  test.each([
    ['a dry run', `${LINE} --dry-run`],
    ['an import of suppressions', 'suppressions import users.csv --reason unsubscribed --json'],
    ['an import into another audience', `${LINE} --audience-name Other --create-audience`],
    ['a check', 'contacts check users.csv --default-status subscribed --json'],
  ])('resumes a run that is not overtaken, after %s (G10)', async (_, other) => {
    const world = await createWorld();
    const run = await stoppedOn(`${LINE} --audience ${world.emulator.audienceId}`, world);
    list(world, ['new@example.com,new,Oslo']);
    await world.svc(other);
    expect((await world.svc(`runs resume ${run} --json`)).code).toBe(0);
    expect(statusOf(world, 'p8')).toBe('subscribed');
  });
});

const OTHER_LINE = LINE.replace('users.csv', 'others.csv');
const others = (world: World) => world.file('others.csv', 'email,first_name,city\nnew@example.com,new,Oslo\n');
const unfinishedLists = ({ json }: CommandResult): Finding[] =>
  json.findings.filter(({ check }: Finding) => check === 'unfinished_list');

describe('an unfinished run of another list than the new one', () => {
  test('warns when a new list makes a resume of an earlier list impossible (G10)', async () => {
    const world = await createWorld();
    const run = await stoppedOn(LINE, world);
    others(world);
    const planned = await world.svc(`${OTHER_LINE} --dry-run`);
    const newer = await world.svc(OTHER_LINE);
    for (const found of [planned, newer].map(unfinishedLists)) {
      expect(found).toMatchObject([{ level: 'warn', hint: `To finish it first: svc runs resume ${run}` }]);
      expect(found[0]?.message).toContain(`${run} (contacts import users.csv) is not finished, and can't continue`);
    }
    const { code, err } = await world.svc(`runs resume ${run} --json`);
    expect([newer.code, code, statusOf(world, 'p8')]).toEqual([0, 5, undefined]);
    const again = /^svc (.*contacts import .*)$/m.exec(JSON.parse(err).error.hint)?.[1] ?? '';
    expect((await world.svc(again)).code).toBe(0);
    expect(statusOf(world, 'p8')).toBe('subscribed');
  });

  test.each([
    ['continues the opt-outs of a list after another list was imported', OTHER_LINE, 0, 'unsubscribed'],
    ['does not continue opt-outs after a newer list of the same path', LINE, 5, 'subscribed'],
  ])('a resume %s (G10, C1)', async (_, line, code, status) => {
    const world = await createWorld();
    const { admin } = world.emulator;
    admin.addContacts(numberedNames(8).map((name) => ({ email: `${name}@example.com` })));
    const rows = numberedNames(8).map((name) => `${name}@example.com,unsubscribed`);
    world.file('users.csv', `${['email,status', ...rows].join('\n')}\n`);
    admin.addFault({ ...REFUSAL, times: 1, after: 1, match: { route: 'POST *' } });
    const { json } = await world.svc('contacts import users.csv --json');
    list(world, ['new@example.com,new,Oslo']);
    others(world);
    const newer = await world.svc(line);
    const found = unfinishedLists(newer).map(({ hint }) => hint);
    expect(found).toEqual(line === LINE ? [] : [`To finish it: svc runs resume ${json.run}`]);
    expect((await world.svc('runs resume --json')).code).toBe(code === 0 ? 0 : 2);
    expect((await world.svc(`runs resume ${json.run} --json`)).code).toBe(code === 0 ? 2 : 5);
    expect(statusOf(world, 'p8')).toBe(status);
  });
});

describe('a run that stopped because its first people read back differently', () => {
  test.each([LINE, `${LINE} --only-changed`])(
    'after a failed canary, only the command in the hint sends: %s (C1)',
    async (line) => {
      const world = await createWorld();
      list(world, rowsOf(numberedNames(8)));
      const stopped = await world.svc(line, { transport: dropping });
      world.requests();
      const still = await world.svc(line, { transport: dropping });
      expect([still.json.run, posts(world)]).toEqual([stopped.json.run, 0]);
      expect([stopped.code, still.code, cityOf(world, 'p1'), statusOf(world, 'p8')]).toEqual([
        8,
        8,
        undefined,
        undefined,
      ]);
      const again = /^svc (--yes contacts import .* --again)$/m.exec(stopped.json.error.hint)?.[1] ?? '';
      expect((await world.svc(again, { transport: dropping })).code).toBe(8);
      const { code, json } = await world.svc(again);
      expect([code, cityOf(world, 'p1'), cityOf(world, 'p8'), json.rows.unsent]).toEqual([0, 'Lisbon', 'Lisbon', 0]);
    },
  );

  test('names the reason when a new run sends the whole list again (C1, G10)', async () => {
    const late = await createWorld();
    const first = await stoppedOn(LINE, late);
    list(late, TUESDAY);
    const newer = await late.svc(LINE);
    list(late, rowsOf(numberedNames(8)));
    const whole = 'This is a new run of the whole list, because';
    expect((await late.svc(TEXT_LINE)).err).toContain(`${whole} ${first} was overtaken by ${newer.json.run}.`);

    const world = await createWorld();
    list(world, rowsOf(numberedNames(8)));
    let sent = 0;
    const afterCanary = (inner: Transport): Transport => ({
      close: () => inner.close(),
      send: (request, signal) => {
        sent += request.method === 'POST' ? 1 : 0;
        return (sent > 1 ? dropping(inner) : inner).send(request, signal);
      },
    });
    const wrong = await world.svc(LINE, { transport: afterCanary });
    expect([wrong.code, wrong.json.status]).toEqual([8, 'unverified']);
    expect((await world.svc(TEXT_LINE)).err).toContain(`${whole} ${wrong.json.run} found a difference.`);
    expect(cityOf(world, 'p7')).toBe('Lisbon');
  });
});

/** A service that drops the attributes of each contact in silence. */
const dropping = (inner: Transport): Transport => ({
  close: () => inner.close(),
  send: (request, signal) =>
    inner.send(request.body ? { ...request, body: withoutAttributes(request.body) } : request, signal),
});

function withoutAttributes(body: Uint8Array | string): Buffer {
  const { contacts, ...rest } = JSON.parse(Buffer.from(body).toString());
  return Buffer.from(
    JSON.stringify({
      ...rest,
      contacts: contacts?.map(({ attributes: _, ...one }: object & { attributes?: object }) => one),
    }),
  );
}

function list(world: World, rows: readonly string[]): void {
  world.file('users.csv', `${['email,first_name,city', ...rows].join('\n')}\n`);
}

function posts(world: World): number {
  return world.requests().filter(({ method }) => method === 'POST').length;
}
