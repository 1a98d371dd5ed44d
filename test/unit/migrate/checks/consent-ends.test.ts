import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/finding.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';

const DAY_MS = 86_400_000;

/** The first finding about the end of a consent in a dry run. */
async function findingFor(world: World, lines: readonly string[], ...flags: readonly string[]) {
  const list = world.file('list.csv', `${lines.join('\n')}\n`);
  const { json } = await world.svc(['migrate', list, '--dry-run', '--json', ...flags]);
  const findings = json.findings as readonly Finding[];
  return findings.find(({ check }) => check === 'consent_ends');
}

/** The date some days after today, by the clock of the test. */
function day(world: World, later: number): string {
  return new Date(world.clock.now() + later * DAY_MS).toISOString().slice(0, 10);
}

describe('a date on which a consent ends', () => {
  test.each([
    'Consent valid until',
    'CASL expiry',
    'Opt-in expires',
    'Einwilligung gültig bis',
    'Newsletter bis',
    'Consentimiento válido hasta',
    'subscribed_until',
  ])('stops the run at a past date under the header %s (C10)', async (header) => {
    const world = await createWorld();
    const found = await findingFor(world, [`Email,Status,${header}`, `a@x.test,active,${day(world, -1)}`]);
    expect(found).toMatchObject({ level: 'stop', total: 1 });
  });

  test.each(['Valid until', 'Gültig bis'])('warns about a past date under the header %s (C10)', async (header) => {
    const world = await createWorld();
    const lines = [`Email,${header}`, `a@x.test,${day(world, -1)}`, `b@x.test,${day(world, 9)}`];
    const found = await findingFor(world, lines, '--default-status', 'subscribed');
    expect(found).toMatchObject({ level: 'warn', total: 1 });
    const answered = await findingFor(world, lines, '--default-status', 'subscribed', '--map', `${header}=ignore`);
    expect(answered).toBe(undefined);
  });

  test.each([
    ...['Mitglied bis', 'Mitgliedschaft endet am', 'Membership end', 'Membership end date', 'End of membership'],
    ...['Membership expires', 'Member until', 'Lapse date', 'Membership lapse date', 'Einddatum lidmaatschap'],
    ...['Fin d’adhésion', 'Date de fin d’adhésion', 'Fecha fin socio', 'Scadenza socio', 'Medlemskap slut', 'Lid tot'],
    ...['End date', 'End', 'Enddatum', 'Einddatum', 'Date de fin', 'Fecha fin', 'Konec', 'Active until', 'Aktiv bis'],
  ])('stops the run at a past date under %s, but not at a future one (C10)', async (header) => {
    const world = await createWorld();
    const lines = [`Email,Status,${header}`, `a@x.test,active,${day(world, 9)}`, 'b@x.test,active,'];
    expect([header, await findingFor(world, lines)]).toEqual([header, undefined]);
    const past = [...lines, `c@x.test,active,${day(world, -1)}`];
    const found = await findingFor(world, past);
    expect([header, found]).toMatchObject([header, { level: 'stop', total: 1 }]);
    const [label, first] = found?.hint?.split('\n') ?? [];
    expect([header, label, first]).toEqual([
      header,
      'This skips 1 row:',
      expect.stringContaining(`${header}:${day(world, -1)}=skip`),
    ]);
    expect(await findingFor(world, past, '--status-map', `${header}:${day(world, -1)}=skip`)).toBe(undefined);
    expect(await findingFor(world, past, '--map', `${header}=attributes.end`)).toBe(undefined);
  });

  test.each(['resigned', 'left 2019', 'ausgetreten'])(
    'reads %s under Membership end as a day in the past (C10)',
    async (word) => {
      const world = await createWorld();
      const lines = ['Email,Status,Membership end', `a@x.test,active,${day(world, 9)}`, 'b@x.test,active,lifetime'];
      expect(await findingFor(world, lines)).toMatchObject({ level: 'warn', total: 1 });
      expect(await findingFor(world, [...lines, `c@x.test,active,${word}`])).toMatchObject({ level: 'stop', total: 1 });
    },
  );

  test.each(['until revoked', 'bis auf Widerruf', 'not cancelled', 'cancel anytime', 'tot opzegging'])(
    'does not read %s under Membership end as a day in the past (C10)',
    async (words) => {
      const world = await createWorld();
      const lines = ['Email,Status,Membership end', `a@x.test,active,${day(world, 9)}`];
      expect(await findingFor(world, [...lines, `b@x.test,active,${words}`])).toMatchObject({
        level: 'warn',
        total: 1,
      });
    },
  );

  test.each(['Membership end', 'Mitglied bis'])('reads a year under %s as its last day (C10)', async (header) => {
    const world = await createWorld();
    const year = Number(day(world, 0).slice(0, 4));
    const findingIn = (end: number) => findingFor(world, [`Email,Status,${header}`, `a@x.test,active,${end}`]);
    expect([await findingIn(year), await findingIn(year - 1)]).toMatchObject([undefined, { level: 'stop', total: 1 }]);
  });

  test.each(['Membership end', 'Lapse date', 'Fin d’adhésion', 'Lid tot'])(
    'asks about the value "yes" under %s (C10)',
    async (header) => {
      const world = await createWorld();
      const list = world.file('list.csv', `Email,Status,${header}\na@x.test,active,yes\nb@x.test,active,no\n`);
      const { code, json } = await world.svc(['migrate', list, '--dry-run', '--json']);
      const checks = (json.findings as readonly { check: string }[]).map(({ check }) => check);
      expect([code, checks]).toEqual([5, expect.arrayContaining(['unknown_status'])]);
    },
  );

  test.each(['Subscription expires', 'Newsletter since', 'Card expiry', 'Card valid until'])(
    'does not stop the run at a past date under the header %s (C10)',
    async (header) => {
      const world = await createWorld();
      const lines = [`Email,Status,${header}`, `a@x.test,active,${day(world, -1)}`];
      expect(await findingFor(world, lines)).toBe(undefined);
    },
  );

  test.each([
    ['today', (world: World) => day(world, 0)],
    ['tomorrow', (world: World) => day(world, 1)],
    ['in the year 2999', () => '2999-12-31'],
    ['blank', () => ''],
    ['the word infinity', () => 'infinity'],
  ])('does not stop the run when the end of consent is %s (C10)', async (_, end) => {
    const world = await createWorld();
    const lines = ['Email,Status,Consent until', `a@x.test,active,${end(world)}`];
    expect(await findingFor(world, lines)).toBe(undefined);
  });

  test.each([
    ['Consent until', 'stop'],
    ['Membership end', 'stop'],
    ['End date', 'stop'],
    ['Valid until', 'warn'],
    ['Until', 'warn'],
  ])('names the rows whose day under %s has passed (C10, C11)', async (header, level) => {
    const world = await createWorld();
    const days = [9, -1, 0, -400].map((later) => day(world, later));
    const lines = days.map((end, row) => `p${row}@x.test,active,${end}`);
    const found = await findingFor(world, [`Email,Status,${header}`, ...lines]);
    expect(found).toMatchObject({ level, total: 2 });
    const named = found?.examples?.toSorted((a, b) => a.line - b.line);
    expect(named).toEqual([
      { file: 'list.csv', line: 3, column: header, value: days[1] },
      { file: 'list.csv', line: 5, column: header, value: days[3] },
    ]);
  });

  test('does not stop at an ended consent when the person opted out (C10)', async () => {
    const world = await createWorld();
    const lines = ['Email,Status,Consent until', `a@x.test,unsubscribed,${day(world, -9)}`];
    expect(await findingFor(world, lines)).toBe(undefined);
  });

  test('offers first to take rows out when over 30 consents ended (C10, C11)', async () => {
    const world = await createWorld();
    const ends = [...Array.from({ length: 31 }, (_, index) => index - 40), 0, 30];
    const lines = ends.map((later, row) => `p${row}@x.test,active,${day(world, later)}`);
    const found = await findingFor(world, ['Email,Status,Consent until', ...lines, 'q@x.test,active,2999-12-31']);
    expect(found).toMatchObject({ total: 31, hint: expect.stringContaining('Take these rows out of the list') });
    expect(found?.flags).toBe(undefined);
    expect(found?.otherwise?.[0]?.when).toContain('also the 2 whose consent still holds');
  });

  test.each([
    ['each date alone', ['2025-05-01', '2030-01-01', 'unlimited', '2024-03-09']],
    ['with other dates that it can not read', ['2025-05-01', '2030-01-01', '45000', '31. Dezember 2025']],
  ])('the printed answers opt out no person whose consent holds: %s (C10, C11)', async (_, ends) => {
    const world = await createWorld();
    const lines = ends.map((end, row) => `p${row}@x.test,active,${end}`);
    const list = world.file('list.csv', `Email,Status,Consent until\n${lines.join('\n')}\n`);
    const line = ['migrate', list, '--yes'];
    const stopped = await world.svc([...line, '--json']);
    const stops = (stopped.json.findings as readonly Finding[]).filter(({ level }) => level === 'stop');
    const flags = stops.flatMap(({ flags: answer = '' }) => answer.match(/(?<=--status-map ')[^']+/g) ?? []);
    expect([stopped.code, flags.length]).toEqual([5, 3]);
    const { code } = await world.svc([...line, ...flags.flatMap((answer) => ['--status-map', answer])]);
    const states = ends.map((__, row) => world.emulator.admin.contact(`p${row}@x.test`)?.status);
    const [first, holds, ...others] = states;
    expect([code, first, holds]).toEqual([0, 'unsubscribed', 'subscribed']);
    expect(others).not.toContain('subscribed');
  });

  test('offers --date-order for dates with day and month in either order (C10)', async () => {
    const world = await createWorld();
    const lines = ['Email,Status,Newsletter bis', 'a@x.test,active,03/12/2024', 'b@x.test,active,12/03/2999'];
    const { otherwise = [] } = (await findingFor(world, lines)) ?? {};
    const answers = otherwise.map(({ flags }) => flags).filter((flags) => flags?.includes('--date-order'));
    expect(answers).toEqual(['--date-order dmy', '--date-order mdy']);
    for (const answer of answers) {
      const found = await findingFor(world, lines, ...(answer?.split(' ') ?? []));
      expect([answer, found]).toMatchObject([answer, { level: 'stop', total: 1, examples: [{ line: 2 }] }]);
    }
    const unreadable = await findingFor(world, [lines[0] ?? '', 'a@x.test,active,45000']);
    expect(JSON.stringify(unreadable)).not.toContain('--date-order');
    const member = await findingFor(world, ['Email,Status,Mitglied bis', ...lines.slice(1)]);
    expect(member).toMatchObject({ level: 'warn', hint: expect.stringContaining('--date-order dmy') });
  });

  test('signs up people with an unreadable date when an answer says so (C10)', async () => {
    const world = await createWorld();
    const list = world.file('list.csv', 'Email,Status,Consent until\na@x.test,active,45000\n');
    const first = await world.svc(['migrate', list, '--yes', '-q']);
    const answered = await world.svc(['migrate', list, '--yes', '--status-map', 'Consent until:45000=subscribed']);
    expect([first.code, answered.code, world.emulator.admin.contact('a@x.test')?.status]).toEqual([5, 0, 'subscribed']);
  });

  test('the first answer opts out people whose consent ended (C10, C11)', async () => {
    const world = await createWorld();
    const lines = [
      'Email,Newsletter ab,Newsletter bis',
      'stay@x.test,2020-01-01,',
      'left@x.test,2020-01-01,2022-12-31',
    ];
    const list = world.file('list.csv', lines.join('\n'));
    const flags = ['--yes', '--default-status', 'subscribed'];
    const stopped = await world.svc(['migrate', list, ...flags]);
    const answered = await world.svc(['migrate', list, ...flags, '--map', 'Newsletter bis=unsubscribed_at']);

    expect([stopped.code, answered.code]).toEqual([5, 0]);
    const states = ['stay@x.test', 'left@x.test'].map((email) => world.emulator.admin.contact(email)?.status);
    expect(states).toEqual(['subscribed', 'unsubscribed']);
  });

  test.each([
    ['behind', 400],
    ['ahead', -400],
  ])('stops at an ended consent when the machine clock is %s (C10)', async (_, days) => {
    const world = await createWorld();
    const ended = day(world, days > 0 ? 30 : -1);
    world.emulator.admin.advance(Math.max(0, days) * DAY_MS);
    world.clock.set(world.clock.now() + Math.max(0, -days) * DAY_MS);
    const list = world.file('list.csv', `email,status,Consent until\na@x.test,subscribed,${ended}\n`);
    expect((await world.svc(['migrate', list, '--yes'])).code).toBe(5);
  });

  test('does not stop a resume when consent ended after the run began (C10, D1)', async () => {
    const world = await createWorld();
    const lines = ['email,status,Consent until', `a@x.test,subscribed,${day(world, 0)}`];
    const list = world.file('list.csv', lines.join('\n'));
    world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: BATCH }, times: 10 });
    const stopped = await world.svc(['migrate', list, '--yes']);
    world.emulator.admin.clearFaults();
    await world.clock.advance(2 * DAY_MS);
    const resumed = await world.svc(['runs', 'resume']);

    expect([stopped.code, resumed.code]).toEqual([1, 0]);
    expect(world.emulator.admin.contact('a@x.test')?.status).toBe('subscribed');
    // A new run of this list stops, because the day has passed.
    expect((await world.svc(['migrate', list, '--again', '--yes'])).code).toBe(5);
  });
});

describe('an opt-out date in the future', () => {
  const warningOf = async (later: number, ...flags: readonly string[]) => {
    const world = await createWorld();
    const lines = [
      'email,status,unsubscribed_at',
      `a@x.test,unsubscribed,${day(world, later)}`,
      'b@x.test,subscribed,',
    ];
    const { code, json } = await world.svc([
      ...['migrate', world.file('list.csv', `${lines.join('\n')}\n`), '--yes', '--json', ...flags],
    ]);
    const warned = (json.findings as readonly Finding[]).find(({ check }) => check === 'future_opt_outs');
    const at = world.emulator.admin.contact('a@x.test')?.unsubscribed_at ?? 0;
    return { code, warned, date: new Date(at).toISOString().slice(0, 10), world };
  };

  test.each([-400, -40, 0])(
    'does not warn about an opt-out date in the past or today: %i days (C12)',
    async (later) => {
      const { code, warned } = await warningOf(later);
      expect([code, warned]).toEqual([0, undefined]);
    },
  );

  test.each([40, 1_500, 20_000])(
    'warns and keeps the opt-out when its date is %i days in the future (C12)',
    async (later) => {
      const { code, warned, date, world } = await warningOf(later);
      expect([code, warned?.level, warned?.total, date]).toEqual([0, 'warn', 1, day(world, later)]);
      expect(warned?.message).toContain(`1 opt-out date is in the future (${day(world, later).slice(0, 7)})`);
    },
  );
});
