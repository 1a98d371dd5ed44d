import { describe, expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { BATCH, createWorld, type World } from '../../../../support/world.ts';
import { csv } from '../../support.ts';

const COMMANDS = ['migrate', 'contacts import', 'contacts check'];

async function worldWith(...rows: readonly string[]): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', csv(...rows));
  return world;
}

const PLANS = ['Email,Plan', 'ana@example.com,Basic', 'ben@example.com,Pro'];
const TAGS = ['Email,Plan', 'ana@example.com,Basic', 'ben@example.com,"Pro, Gold"'];
const STATES = ['Email,Status,Plan', 'ana@example.com,subscribed,Basic', 'ben@example.com,subscribed,Pro'];

/** Runs a command with answers. Returns the findings about answers that count for no row. */
async function findings(world: World, command: string, flags: readonly string[]) {
  const result = await world.svc([...command.split(' '), 'list.csv', ...flags, '--json']);
  const found = result.json.findings as readonly { level: string; message: string; hint?: string }[];
  return { ...result, unused: found.filter(({ message }) => message.includes('counts for no row')) };
}

describe('an answer that the user typed', () => {
  const UNKNOWN = ['Kode:Pro=unsubscribed', 'kode:Pro=skip', '9:Pro=skip', 'Kode:*=unsubscribed'];

  test.each(UNKNOWN)('refuses an answer when no input has the column of %s (C1)', async (answer) => {
    for (const command of everyNth(COMMANDS, 2, UNKNOWN.indexOf(answer))) {
      const world = await worldWith(...PLANS);
      const flags = ['--default-status', 'subscribed', '--status-map', answer];
      const { code, err } = await world.svc([...command.split(' '), 'list.csv', ...flags, '--json']);
      const { error } = JSON.parse(err);

      expect([code, error.code]).toEqual([2, 'unknown_column']);
      expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
      const line = error.hint.split('\n').findLast((text: string) => text.startsWith('svc '));
      expect(splitShellText(line)).toContain(answer.replace(/^[^:]*/, 'Plan'));
    }
  });

  test.each(['#=skip', 'Email:#=unsubscribed'])(
    'does not call the answer %s unused when an address begins with # (C1)',
    async (answer) => {
      const world = await worldWith('Email,Plan', 'ana@example.com,Basic', '#ben@example.com,Pro');
      const flags = ['--default-status', 'subscribed', '--status-map', answer];
      const { code, unused } = await findings(world, 'migrate', flags);
      expect([code, unused]).toEqual([0, []]);
    },
  );

  test.each([
    ['Pro=unsubscribed', 'Plan:Pro=unsubscribed', 'Plan:Pro=subscribed'],
    ['pro=skip', 'Plan:pro=skip', 'Plan:pro=subscribed'],
    ['Gold=unsubscribed', 'Plan:Gold=unsubscribed', 'Plan:Gold=subscribed'],
    ['list.csv:Pro=suppressed', 'list.csv:Plan:Pro=suppressed', 'list.csv:Plan:Pro=subscribed'],
  ])('stops when the word of %s is only in a column without status (C1, C11)', async (answer, named, denied) => {
    const rows = answer.startsWith('Gold') ? TAGS : PLANS;
    const world = await worldWith(...rows);
    const flags = ['--default-status', 'subscribed', '--status-map', answer];
    const { code, unused, err } = await findings(world, 'migrate', flags);
    const lines = JSON.parse(err)
      .error.hint.split('\n')
      .filter((line: string) => line.startsWith('svc '));
    const offered = lines.map((line: string) => splitShellText(line).slice(1));

    expect([code, unused.map(({ level }) => level), lines.length]).toEqual([5, ['stop'], 2]);
    expect(offered[0]).toContain(named);
    expect(offered[1]).toContain(denied);
    for (const [line, subscribed] of [
      [offered[0], 1],
      [offered[1], 2],
    ] as const) {
      const after = await (await worldWith(...rows)).svc(line);

      expect([after.code, after.json.plan.contacts - after.json.plan.unsubscribed]).toEqual([0, subscribed]);
    }
  });

  test('stops at an answer for A when Plan has A and Status only "active" (C1)', async () => {
    const world = await worldWith('Email,Status,Plan', 'ana@example.com,active,A', 'ben@example.com,active,B');
    const { code, unused } = await findings(world, 'migrate', ['--status-map', 'A=unsubscribed']);

    expect([code, unused.map(({ level }) => level)]).toEqual([5, ['stop']]);
  });

  test('stops when Status:Pro leaves the answer Pro without effect (C1)', async () => {
    const world = await worldWith('Email,Status,Plan', 'ana@example.com,Pro,Pro', 'ben@example.com,Pro,B');
    const flags = ['--status-map', 'Pro=unsubscribed', '--status-map', 'Status:Pro=subscribed'];
    const { code, unused } = await findings(world, 'migrate', flags);
    const named = await findings(world, 'migrate', [...flags, '--status-map', 'Plan:Pro=unsubscribed']);

    expect([code, unused.map(({ level }) => level)]).toEqual([5, ['stop']]);
    expect([named.code, named.unused, named.json.plan.unsubscribed]).toEqual([0, [], 1]);
  });

  test.each(['Labels', 'Plan', 'Segment'])('applies an answer to one value of a cell under %s (C1)', async (header) => {
    const cells = ['"VIP, Gold"', 'Gold;Ex', 'Gold', '"1,5"'];
    const world = await worldWith(`Email,${header}`, ...cells.map((cell, at) => `p${at}@example.com,${cell}`));
    const answers = ['VIP=unsubscribed', 'ex=skip', '5=skip'].flatMap((answer) => [
      '--status-map',
      `${header}:${answer}`,
    ]);
    const { code, json } = await findings(world, 'migrate', ['--default-status', 'subscribed', ...answers]);

    expect([code, json.plan.unsubscribed, json.rows.skipped, json.rows.created]).toEqual([0, 1, 1, 3]);
  });

  test('applies regular=unsubscribed to each column of a platform (C1)', async () => {
    const world = await worldWith(
      'id,email_address,creation_date,secondary_id,type,source,tags,unsubscription_date',
      'a1,ana@example.com,2023-01-01T10:00:00Z,1,regular,embed,vip,',
      'a2,ben@example.com,2023-01-01T10:00:00Z,2,premium,embed,,',
    );
    const { json } = await findings(world, 'migrate', ['--status-map', 'regular=unsubscribed']);

    expect([json.inputs[0].platform, json.plan.unsubscribed, json.rows.created]).toEqual(['buttondown', 1, 2]);
  });

  test('stops when an answer for a yes names no column in a phpList export (C1)', async () => {
    const world = await worldWith(
      'email,confirmed,blacklisted,html_email,disabled,extra_data',
      'ana@example.com,1,0,1,0,',
      'ben@example.com,1,0,1,0,',
    );
    const { code, json, unused } = await findings(world, 'migrate', ['--status-map', '1=unsubscribed']);

    expect([code, json.inputs[0].platform, unused.length]).toEqual([5, 'phplist', 1]);
  });

  test('stops when an answer for a yes names no column (C1)', async () => {
    const world = await worldWith('Email,Status', 'ana@example.com,1', 'ben@example.com,x');
    const { code, unused } = await findings(world, 'migrate', ['--status-map', '1=bounced', '--status-map', 'x=skip']);

    expect([code, unused.map(({ level }) => level)]).toEqual([5, ['stop']]);
    const named = ['--status-map', 'Status:1=bounced', '--status-map', 'x=skip'];
    expect((await findings(world, 'migrate', named)).json.plan.suppressions).toEqual({ bounced: 1 });
  });

  test('stops when an answer for a domain names a column (C1)', async () => {
    const world = await worldWith(...STATES);
    const { code, unused } = await findings(world, 'migrate', ['--status-map', 'Email:@example.com=unsubscribed']);

    expect([code, unused[0]?.hint]).toEqual([5, expect.stringContaining(' --status-map @example.com=unsubscribed')]);
  });

  test('stops when an answer for all words is for a column without status (C1)', async () => {
    const world = await worldWith(...PLANS);
    const flags = ['--default-status', 'subscribed', '--status-map', 'Plan:*=unsubscribed'];
    const { code, unused } = await findings(world, 'migrate', flags);

    expect([code, unused.map(({ level }) => level)]).toEqual([5, ['stop']]);
    const asStatus = await findings(world, 'migrate', [...flags, '--map', 'Plan=status']);
    expect([asStatus.code, asStatus.unused, asStatus.json.plan.unsubscribed]).toEqual([0, [], 2]);
  });

  test.each([
    ['Gold=unsubscribed', 'no cell says this'],
    ['Plan:Gold=skip', 'no cell says this'],
    ['Basic=subscribed', 'where svc reads no status'],
    ['ben@example.com=unsubscribed', 'the answer must name this column'],
    ['=unsubscribed', 'no such cell is blank'],
    ['Plan:=skip', 'no such cell is blank'],
    ['@example.org=unsubscribed', 'no address is of this domain'],
  ])('warns when the answer %s counts for no row (C11)', async (answer, why) => {
    for (const command of ['migrate', 'contacts import']) {
      const world = await worldWith(...STATES);
      const { unused } = await findings(world, command, ['--status-map', answer]);

      expect(unused.map(({ level }) => level)).toEqual(['warn']);
      expect(unused[0]?.message).toContain(why);
    }
  });

  async function warningsAboutDefault(answer: string, rows: readonly string[]) {
    const { unused } = await findings(await worldWith(...rows), 'migrate', ['--default-status', answer]);
    return unused.filter(({ message }) => message.startsWith('--default-status'));
  }

  test.each(['list.csv=unsubscribed', './list.csv=skip'])(
    'warns when --default-status %s counts for no row (C1)',
    async (answer) => {
      expect(await warningsAboutDefault(answer, STATES)).toMatchObject([{ level: 'warn' }]);
    },
  );

  test.each([
    ['list.csv=subscribed', 'each row has a status', STATES],
    ['unsubscribed', 'each row has a status', STATES],
    ['list.csv=unsubscribed', 'it counts', PLANS],
    [
      'list.csv=unsubscribed',
      'all people opted out',
      ['Email,Status', 'ana@example.com,unsubscribed', 'ben@example.com,unsubscribed'],
    ],
  ])('does not warn about --default-status %s when %s (C1)', async (answer, _, rows) => {
    expect(await warningsAboutDefault(answer, rows)).toEqual([]);
  });

  test.each(['Pro/VIP', 'Pro (old)', '[{"name":"Pro"}]'])(
    'warns when an answer counts, but not for the similar cell %s (C1)',
    async (cell) => {
      const rows = ['ana@example.com,active,Pro', `ben@example.com,active,"${cell.replaceAll('"', '""')}"`];
      const world = await worldWith('Email,Status,Plan', ...rows);
      const { json } = await world.svc('migrate list.csv --dry-run --json --status-map Plan:Pro=skip');
      const warned = json.findings.find(({ check }: { check: string }) => check === 'unknown_status');
      const pasted = warned.hint.split('\n').find((line: string) => line.startsWith('svc '));

      expect([warned.level, warned.message]).toEqual(['warn', expect.stringContaining(JSON.stringify(cell))]);
      expect(splitShellText(pasted).at(-1)).toBe(`Plan:${cell}=skip`);
    },
  );

  test('contacts check warns when an answer counts for no row (C10)', async () => {
    const world = await worldWith(...STATES);
    const line = 'contacts check list.csv --status-map Gold=unsubscribed';
    const [json, text] = [await world.svc(`${line} --json`), await world.svc(`${line} -q`)];
    const note = '--status-map "Gold=unsubscribed" counts for no row: no cell says this';

    expect([JSON.parse(json.out).notes, text.out.includes(note)]).toEqual([[note], true]);
  });

  test.each([
    ['Status,Plan', 'moved,Pro', 'moved=unsubscribed'],
    ['Status,Plan', 'MOVED ,Pro', 'status:moved=unsubscribed'],
    ['Status,Plan', 'moved,Pro', 'Plan:Pro=unsubscribed'],
    ['Status,Plan', 'Plan: free,x', 'Status:Plan: free=unsubscribed'],
    ['Status,Plan', 'Zone: free,x', 'Zone: free=unsubscribed'],
    ['Status,Plan', '"[""new"",""moved""]",x', 'moved=unsubscribed'],
    ['Status,Plan', 'opt-in: no,x', 'Status:no=unsubscribed'],
    ['Status,Plan', 'subscribed,moved', '*=unsubscribed'],
    ['Status,Plan', 'subscribed,moved', 'Status:*=unsubscribed'],
    ['Status,Plan', ',moved', '=unsubscribed'],
    ['Status,Plan', '-,moved', 'Status:=unsubscribed'],
    ['Status,Plan', 'subscribed,x', 'Plan:=unsubscribed'],
    ['Status,Plan', 'subscribed,moved', 'Plan:*=subscribed'],
    ['Status,Plan', 'subscribed,moved', '@example.com=unsubscribed'],
    ['Status,Address', 'subscribed,deceased', 'deceased=unsubscribed'],
    ['Status,Address', 'subscribed,deceased', 'Address:*=unsubscribed'],
    ['News status,Offers status', 'subscribed,unsubscribed', 'subscribed and unsubscribed=unsubscribed'],
  ])('does not call an answer unused: columns %s, cells %s, answer %s', async (header, cells, answer) => {
    const world = await worldWith(`Email,${header}`, `ana@example.com,${cells}`, 'ben@example.com,subscribed,');
    const { unused } = await findings(world, 'migrate', ['--status-map', answer]);

    expect(unused).toEqual([]);
  });

  test('does not warn when the word is only in a row below the first fifty', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => `p${at}@example.com,subscribed,${at}`);
    const world = await worldWith('Email,Status,Plan', ...rows, 'ben@example.com,subscribed,Pro');
    const { json, unused } = await findings(world, 'migrate', ['--status-map', 'Plan:Pro=unsubscribed']);

    expect([unused, json.plan.unsubscribed]).toEqual([[], 1]);
  });
});

describe('an answer that the user did not type', () => {
  const ANSWERS = [
    'Gold=skip',
    'Basic=skip',
    'list.csv:Gold=skip',
    'Kode:Pro=subscribed',
    'Zone: a=skip',
    'Plan:x=skip',
  ];

  test('does not check an answer when it is in a mapping file', async () => {
    const world = await worldWith(...STATES);
    world.file('answers.json', JSON.stringify({ status_map: ANSWERS }));
    const { code, unused } = await findings(world, 'migrate', ['--mapping', 'answers.json']);

    expect([code, unused]).toEqual([0, []]);
  });

  const MISSING = ['Kode:Pro=unsubscribed', 'Kode:*=skip', 'list.csv:Kode:Pro=skip', '7:Pro=skip'];

  test.each(MISSING)('refuses a mapping file whose answer %s names a missing column (C1)', async (answer) => {
    for (const command of everyNth(COMMANDS, 2, MISSING.indexOf(answer))) {
      const world = await worldWith(...STATES);
      world.file('answers.json', JSON.stringify({ status_map: [answer] }));
      const { code, err } = await world.svc([...command.split(' '), 'list.csv', '--mapping', 'answers.json', '--json']);

      expect([code, JSON.parse(err).error.code]).toEqual([2, 'unknown_column']);
      expect(err).toContain('in the file of --mapping');
    }
  });

  test('accepts a mapping file whose answer has a colon in its word', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => `p${at}@example.com,subscribed,x`);
    const world = await worldWith('Email,Status,Address', ...rows, 'ben@example.com,subscribed,List:deceased');
    world.file('answers.json', JSON.stringify({ status_map: ['List:deceased=skip'] }));

    expect((await world.svc('migrate list.csv --mapping answers.json --dry-run --json')).code).toBe(0);
  });

  test('does not check an answer again when the run is resumed (D1)', async () => {
    const world = await worldWith(...STATES);
    world.refuse(BATCH, { status: 503, code: 'internal_error', times: 99 });
    const { code } = await findings(world, 'migrate', ['--status-map', 'Gold=skip']);
    world.emulator.admin.clearFaults();
    const resumed = await world.svc('runs resume --json');

    expect([code, resumed.code, JSON.stringify(resumed.json).includes('counts for no row')]).toEqual([1, 0, false]);
  });
});
