import { expect, test } from 'vitest';
import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { createWorld, type World } from '../../../../support/world.ts';
import { csv, readList } from '../../support.ts';

const BY_DEFAULT = { '*': 'subscribed' };

const LISTS = [
  '"[""Basic"",""Gold""]"',
  '"[""Gold""]"',
  "\"['Basic', 'Gold']\"",
  '"Basic\nGold"',
  'Basic / Gold',
  'Basic、Gold',
  'Basic；Gold',
  'Basic · Gold',
  'Basic\tGold',
  '<ul><li>Basic</li><li>Gold</li></ul>',
];

test.each(['Tags', 'Plan'])(
  'applies an answer to one of several values in a cell under %s (C1, C10)',
  async (header) => {
    const rows = LISTS.map((cell, row) => `p${row}@example.com,${cell}`);
    const statusMap = { [`${header}:Gold`]: 'unsubscribed' };
    const files = { 'list.csv': csv(`Email,${header}`, 'ana@example.com,Basic', ...rows) };
    const { contacts, trouble } = await readList(files, { statusMap, defaultStatus: BY_DEFAULT });

    expect(contacts.filter(({ status }) => status === 'unsubscribed').length).toBe(LISTS.length);
    expect(trouble.filter((text) => text.startsWith('stop'))).toEqual([]);
  },
);

test('applies an answer to one of several values in a platform cell (C1)', async () => {
  const header = 'id,email_address,creation_date,secondary_id,type,source,tags,unsubscription_date';
  const row = (id: number, type: string) => `a${id},p${id}@example.com,2023-01-01T10:00:00Z,${id},${type},embed,,`;
  const files = { 'list.csv': csv(header, row(1, 'regular'), row(2, '"regular, Gold"')) };
  for (const answer of ['type:Gold', 'Gold']) {
    const { contacts } = await readList(files, { statusMap: { [answer]: 'unsubscribed', '*': 'subscribed' } });

    expect(contacts.map(({ email, status }) => [email, status])).toContainEqual(['p2@example.com', 'unsubscribed']);
  }
});

test('an answer for blank cells does not count for "Gold;" (C5)', async () => {
  const files = { 'list.csv': csv('Email,Plan', 'ana@example.com,Gold;', 'ben@example.com,') };
  const { suppressions } = await readList(files, { statusMap: { 'Plan:': 'suppressed' }, defaultStatus: BY_DEFAULT });

  expect(suppressions).toEqual({ unsubscribed: ['ben@example.com'] });
});

const DRY_RUN = ['migrate', 'list.csv', '--dry-run', '--json'];

/** Runs a dry run. Returns also the commands that it prints. */
async function dryRun(world: World, line: readonly string[]) {
  const { code, json, err } = await world.svc(line);
  const hint: string = code === 5 ? JSON.parse(err).error.hint : '';
  const lines = hint.split('\n').filter((line) => line.startsWith('svc '));
  return { code, subscribed: json.plan.contacts - json.plan.unsubscribed, lines };
}

const PARTS = ['vip Gold', 'state=Gold', 'state: Gold', 'vip (Gold)', 'Gold!', '#vip #Gold', '{"a":"Gold"}'];

test.each(['Tags', 'Plan'])('stops when a cell under %s has more words than the answer (C1, C11)', async (header) => {
  for (const cell of PARTS) {
    const world = await createWorld();
    world.file(
      'list.csv',
      csv(`Email,${header}`, 'ana@example.com,vip', `ben@example.com,"${cell.replaceAll('"', '""')}"`),
    );
    const line = [...DRY_RUN, '--default-status', 'subscribed', '--status-map', `${header}:Gold=unsubscribed`];
    const { code, lines } = await dryRun(world, line);
    const after = await Promise.all(lines.map((pasted) => dryRun(world, splitShellText(pasted).slice(1))));

    expect([cell, code, after.map((one) => [one.code, one.subscribed])]).toEqual([
      cell,
      5,
      [
        [0, 1],
        [0, 2],
      ],
    ]);
  }
});

test('stops when a status has more words than an answer without a column (C1)', async () => {
  const world = await createWorld();
  world.file('list.csv', csv('Email,Status,Note', 'ana@example.com,active,Gold fish', 'ben@example.com,active: Gold,'));
  const line = [...DRY_RUN, '--status-map', 'Gold=unsubscribed', '--status-map', '*=subscribed'];

  expect((await dryRun(world, line)).code).toBe(5);
});

test.each([
  ['Plan:A=unsubscribed', 'A b'],
  ['Plan:5=unsubscribed', '1.5'],
  ['Gold=unsubscribed', 'Gold fish'],
])('does not stop for the answer %s when the only similar cell is %s', async (answer, cell) => {
  const world = await createWorld();
  world.file('list.csv', csv('Email,Status,Plan', 'ana@example.com,active,B', `ben@example.com,active,${cell}`));

  expect((await dryRun(world, [...DRY_RUN, '--status-map', answer])).code).toBe(0);
});

test('offers Plan:* when many cells hold more words than the answer (C11)', async () => {
  const world = await createWorld();
  const rows = Array.from({ length: 30 }, (_, row) => `p${row}@example.com,Gold ${row} a`);
  world.file('list.csv', csv('Email,Plan', ...rows));
  const answers = ['--default-status', 'subscribed', '--status-map', 'Plan:Gold=unsubscribed'];
  const { code, lines } = await dryRun(world, [...DRY_RUN, ...answers]);
  const last = splitShellText(lines.at(-1) ?? '').slice(1);
  const after = await dryRun(world, last);

  expect([code, lines.length, last.at(-1), after.code]).toEqual([5, 3, 'Plan:*=subscribed', 0]);
});
