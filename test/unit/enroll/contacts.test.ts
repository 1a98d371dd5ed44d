import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/base/lib/errors.ts';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import { csv } from '../../support/lists.ts';
import { cityOf, rowsOf, runNight } from '../../support/nights.ts';
import { withTraffic } from '../../support/traffic.ts';
import { BATCH, createWorld, type RunOptions } from '../../support/world.ts';
import { addresses, bare, counts, createAutomationWorld } from './support.ts';

const PEOPLE = csv(
  'email,first_name,city,status',
  4,
  (i) => `person${i}@example.com,Name ${i},Rome,${i === 3 ? 'unsubscribed' : 'subscribed'}`,
);

describe('automations enroll --create-contacts', () => {
  test('--create-contacts creates contacts of subscribed people and enrolls them', async () => {
    const world = await createAutomationWorld(['person0@example.com']);

    const { code, json } = await world.enroll(PEOPLE, ['--create-contacts', '--email', 'typed@example.com']);

    expect({ code, rows: counts(json.rows) }).toEqual({ code: 0, rows: { read: 5, enrolled: 4, skipped: 1 } });
    expect(json.plan).toMatchObject({ contacts: 4, batches: 1, enrollments: 4, new_fields: ['city'] });
    const { admin } = world.emulator;
    expect(admin.contact('person1@example.com')).toMatchObject({ first_name: 'Name 1', status: 'subscribed' });
    const people = [...addresses(3), 'typed@example.com'];
    expect([
      world.enrolled().sort(),
      admin
        .contacts()
        .map(({ email }) => email)
        .sort(),
    ]).toEqual([people, people]);
  });

  test('--create-contacts neither subscribes nor enrolls opted-out people (C1)', async () => {
    const world = await createAutomationWorld(addresses(2));
    world.emulator.admin.setStatus('person1@example.com', 'unsubscribed');

    const { json } = await world.enroll(PEOPLE, ['--create-contacts']);

    expect(counts(json.rows)).toEqual({ read: 4, enrolled: 2, not_subscribed: 1, skipped: 1 });
    expect(world.emulator.admin.contact('person1@example.com')?.status).toBe('unsubscribed');
    expect(world.enrolled().sort()).toEqual(['person0@example.com', 'person2@example.com']);
  });

  /** Runs a command with the list, then an enrollment that creates contacts. Returns its findings about the first. */
  async function importedBefore([group = '', verb = '', ...flags]: readonly string[], newer = PEOPLE) {
    const world = await createAutomationWorld(addresses(3));
    // No run enrolls this person, so each run writes the contact.
    world.emulator.admin.setStatus('person1@example.com', 'unsubscribed');
    const id = group === 'automations' ? [world.automation] : [];
    const first = await world.svc([group, verb, ...id, world.file('list.csv', PEOPLE), '--json', ...flags]);
    const again = await world.enroll(newer, ['--create-contacts']);
    expect(first.code).toBe(0);
    return {
      run: first.json.run,
      found: again.json.findings.filter(({ check }: { check: string }) => check === 'imported_before'),
    };
  }

  test('--create-contacts warns when an import wrote the list before', async () => {
    const command = ['contacts', 'import'];
    const { run, found } = await importedBefore(command);
    const message = `this list was imported before (${run}): importing it again brings back people of it who were deleted since`;
    expect(found).toEqual([{ check: 'imported_before', level: 'warn', message }]);
    const newer = await importedBefore(command, `${PEOPLE}person9@example.com,Name 9,Rome,subscribed\n`);
    const older = `an earlier version of this list was imported on 2026-01-01 (${newer.run}): importing this one brings back people of it who were deleted since`;
    expect(newer.found).toEqual([{ check: 'imported_before', level: 'warn', message: older }]);
  });

  test('--create-contacts does not warn when an enrollment wrote no contacts', async () => {
    expect((await importedBefore(['automations', 'enroll'])).found).toEqual([]);
  });

  test('--create-contacts does not enroll suppressed people (M1)', async () => {
    const world = await createAutomationWorld([]);
    world.emulator.admin.suppress(['person1@example.com']);

    const { code, json } = await world.enroll(PEOPLE, ['--create-contacts']);

    expect({ code, rows: counts(json.rows) }).toEqual({
      code: 0,
      rows: { read: 4, enrolled: 2, suppressed: 1, skipped: 1 },
    });
    expect(world.asked().map((request) => JSON.parse(request.body).email)).not.toContain('person1@example.com');
  });

  test('counts people as not sent when their batch got no response (D1)', async () => {
    const world = await createAutomationWorld([]);
    await world.enroll(bare(addresses(1)), ['--create-contacts', '--plan', 'paid', '--default-status', 'subscribed']);
    world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST */contacts/batch' } });

    const all = bare(addresses(3));
    const { code, json } = await world.enroll(all, [
      '--create-contacts',
      '--plan',
      'paid',
      '--default-status',
      'subscribed',
    ]);

    expect({ code, status: json.status, rows: counts(json.rows) }).toEqual({
      code: 1,
      status: 'failed',
      rows: { read: 3, skipped: 1, unsent: 2 },
    });
  });

  /**
   * A run that was stopped before its contacts. Then another run enrolled person0, who was suppressed after that. So a
   * resume skips person0 in its plan, and writes the contact.
   */
  async function stoppedBeforeContacts() {
    const world = await createAutomationWorld(addresses(1));
    const { admin } = world.emulator;
    world.refuse(BATCH, { status: 403, code: 'forbidden', times: 1 });
    const flags = ['--create-contacts', '--plan', 'paid', '--default-status', 'subscribed'];
    const stopped = await world.enroll(bare(addresses(4)), flags);
    const between = await world.svc(['automations', 'enroll', world.automation, '--email', 'person0@example.com']);
    expect([stopped.code, between.code, world.enrolled()]).toEqual([4, 0, ['person0@example.com']]);
    admin.suppress(['person0@example.com']);
    admin.deleteContact('person0@example.com');
    return { ...world, resume: (options?: RunOptions) => world.svc(`runs resume ${stopped.json.run} --json`, options) };
  }

  test('counts a person once who was enrolled and suppressed since (D1)', async () => {
    const { resume } = await stoppedBeforeContacts();
    const { code, json } = await resume();
    expect({ code, rows: counts(json.rows) }).toEqual({ code: 0, rows: { read: 4, enrolled: 3, suppressed: 1 } });
  });

  test('counts all rows after Ctrl-C without a second read of the list (D1, D4)', async () => {
    const { resume, folder } = await stoppedBeforeContacts();
    const stop = new AbortController();
    const { code, json } = await resume({
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'progress' && event.phase === 'enrollments') {
          stop.abort(createInterruption('SIGINT'));
          // Proves that the list is not read again: without its copy, another read would fail.
          const runs = join(folder, 'state', 'svc', 'runs');
          readdirSync(runs).forEach((run) => rmSync(join(runs, run, 'inputs'), { recursive: true, force: true }));
        }
      },
    });
    expect({ code, status: json.status, rows: counts(json.rows) }).toEqual({
      code: EXIT.interrupted,
      status: 'interrupted',
      rows: { read: 4, enrolled: 1, suppressed: 1, unsent: 2 },
    });
  });

  test.each(['active', 'paused'])(
    'refuses --create-contacts when the audience_join automation is %s (M3)',
    async (status) => {
      const world = await createAutomationWorld([], { trigger: 'audience_join', reentry: 'always', status });
      for (const words of [[], ['--allow-automation', world.automation]]) {
        const { code, json, err } = await world.enroll(PEOPLE, ['--create-contacts', '--plan', 'paid', ...words]);
        const { hint } = JSON.parse(err).error;
        expect([code, json.error.code, world.enrolled()]).toEqual([EXIT.refused, 'automation', []]);
        expect(hint.split('\n')).toEqual([
          expect.stringMatching(/^Leave out --create-contacts to enroll /),
          expect.stringMatching(
            new RegExp(`: svc contacts import \\S*list.csv --audience ${world.emulator.audienceId}$`),
          ),
        ]);
        expect(hint).not.toContain('--allow-automation');
      }
      expect(world.requests().filter((request) => request.method !== 'GET')).toEqual([]);
    },
  );

  test('--create-contacts sends contacts when a join automation is allowed (M3)', async () => {
    const world = await createAutomationWorld([], { reentry: 'always' });
    const other = world.emulator.admin.createAutomation({ trigger: 'audience_join', status: 'active' });
    const words = ['--create-contacts', '--plan', 'paid'];
    const stopped = await world.enroll(PEOPLE, words);
    const { code } = await world.enroll(PEOPLE, [...words, '--allow-automation', other]);
    expect([stopped.json.error.code, code, world.enrolled().length]).toEqual(['automations', 0, 3]);
  });

  test('the next nightly import sends contacts that an enrollment wrote (G1, G2)', async () => {
    const world = await createWorld();
    const automation = world.emulator.admin.createAutomation({ reentry: 'always' });
    await runNight(world, rowsOf(['p1', 'p2']));
    world.file('flow.csv', 'email,first_name,city,status\np1@example.com,p1,Rome,subscribed\n');
    await world.svc(['automations', 'enroll', automation, 'flow.csv', '--create-contacts', '--plan', 'paid', '--json']);
    const between = cityOf(world, 'p1');
    const { json } = await runNight(world, rowsOf(['p1', 'p2']));
    expect([between, cityOf(world, 'p1')]).toEqual(['Rome', 'Lisbon']);
    expect(counts(json.rows)).toEqual({ read: 2, updated: 1, unchanged: 1 });
  });

  /** Stops the run as soon as a response is lost. */
  function stoppedAtLoss(): RunOptions {
    const stopper = new AbortController();
    return {
      signal: stopper.signal,
      transport: (inner) => ({
        close: () => inner.close(),
        send: (request, signal) =>
          inner.send(request, signal).catch((error: unknown) => {
            stopper.abort(createInterruption('SIGINT'));
            throw error;
          }),
      }),
    };
  }

  const UNICODE = 'anna@shop.bücher.example';
  const PUNYCODE = 'anna@shop.xn--bcher-kva.example';

  describe.each([
    [UNICODE, PUNYCODE],
    [PUNYCODE, UNICODE],
  ])('the list has the address %s, the audience the spelling %s (F8)', (listed, there) => {
    const list = `email,status\n${listed},subscribed\n`;
    const members = [there, 'other@example.com'];

    test.each([
      ['with', ['--create-contacts']],
      ['without', []],
    ])("enrolls a person under the contact's spelling, %s --create-contacts", async (_, words) => {
      const world = await createAutomationWorld(members, { reentry: 'always' });
      const { json } = await world.enroll(list, ['--plan', 'paid', ...words]);
      expect([counts(json.rows), world.enrolled()]).toEqual([{ read: 1, enrolled: 1 }, [there]]);
    });

    test('enrolls a person with two spellings once when a run is repeated (M5)', async () => {
      const world = await createAutomationWorld(members, { reentry: 'always' });
      const match = { route: 'POST /v1/automations/*/enroll' };
      world.emulator.admin.addFault({ kind: 'reset', when: 'after', times: 1, match });
      const first = await world.enroll(list, [], stoppedAtLoss());
      const { json } = await world.enroll(list);
      expect([first.code, counts(json.rows), world.enrolled()]).toEqual([130, { read: 1, enrolled: 1 }, [there]]);
      expect(new Set(world.asked().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    });

    test('enrolls no person when the service shows another address (F8)', async () => {
      const world = await createAutomationWorld(members, { reentry: 'always' });
      const other = withTraffic({
        of: /^GET .*\/contacts\/anna@/,
        response: (found) => (found.email === undefined ? found : { ...found, email: 'other@example.com' }),
      });
      const { code, err } = await world.enroll(list, [], other);
      expect([code, world.enrolled()], err).toEqual([1, []]);
    });

    test('enrolls no person whose contact under another spelling opted out', async () => {
      const world = await createAutomationWorld([...members, listed], { reentry: 'always' });
      world.emulator.admin.setStatus(there, 'unsubscribed');
      const { json } = await world.enroll(list);
      expect([counts(json.rows), world.enrolled()]).toEqual([{ read: 1, not_subscribed: 1 }, []]);
    });
  });

  test.each([
    ['too many people for a free plan (P2)', {}, { plan: 'free' as const }, ['--plan', 'free'], 'plan_cap'],
    ['too many new fields (F6)', {}, {}, ['--max-new-fields', '0'], 'new_fields'],
  ])('--create-contacts stops before any write: %s', async (_, automation, options, words, check) => {
    const world = await createAutomationWorld(addresses(499), automation, options);
    const list = PEOPLE.replaceAll('person', 'someone');

    const { code, json } = await world.enroll(list, ['--create-contacts', ...words]);

    expect({ code, check: json.error.code, unsent: json.rows.unsent }).toEqual({ code: 5, check, unsent: 3 });
    expect(world.requests().filter((request) => request.method !== 'GET')).toEqual([]);
  });

  test('automations enroll creates no contact without --create-contacts', async () => {
    const world = await createAutomationWorld(addresses(2), { trigger: 'audience_join' });
    const { json } = await world.enroll(bare(addresses(3)));
    expect(counts(json.rows)).toEqual({ read: 3, enrolled: 2, not_subscribed: 1 });
    expect(
      world.emulator.admin
        .contacts()
        .map(({ email }) => email)
        .sort(),
    ).toEqual(addresses(2));
  });

  test('enrolls no person when the service keeps new contacts pending (C1, M1)', async () => {
    const world = await createAutomationWorld([], {}, { variants: { omitted_status: 'pending' } });

    const { code, json, err } = await world.enroll(PEOPLE, ['--create-contacts', '--plan', 'paid']);

    const { hint } = JSON.parse(err).error;
    expect([code, world.enrolled()]).toEqual([8, []]);
    // An enrollment has neither --explicit-status nor --again, so the hint names the commands to use instead.
    expect(hint).toContain('svc contacts import --explicit-status');
    expect(hint).toContain(`svc runs delete ${json.run}. Then the same command, a day after the first time.`);
    expect(hint).not.toContain('--again');
    expect((await world.svc('contacts import --help')).out).toContain('--explicit-status');
  });
});
