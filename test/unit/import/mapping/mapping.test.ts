import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { readList } from '../support.ts';

const LISTS = {
  'people.txt': [
    'Wer\tRolle = Titel\tStand\tGegangen\tNews\tГород\tOrt',
    'ana@example.com\tChefin\tda\t\tja\tБонн\t',
    'bo@example.com\t\tweg\t03-04-2024 05:06\t\t\tUlm',
    'cleo@example.com\t\t\t\t\t\t',
    'ana@example.com\tLeiterin\tda\t\t\t\tKöln',
  ].join('\r\n'),
  'bounces.csv': 'Email\ndov@example.com\n',
};

const ANSWERS = [
  ['--map', 'Wer=email'],
  ['--map', 'Rolle = Titel=attributes.role'],
  ['--map', 'Stand=status'],
  ['--map', 'Gegangen=unsubscribed_at'],
  ['--map', 'News=topics.top_news'],
  ['--map', 'Город=attributes.city'],
  ['--topic-value', 'News=opt_in'],
  ['--status-map', 'da=subscribed'],
  ['--status-map', 'weg=unsubscribed'],
  ['--status-map', '=skip'],
  ['--default-status', 'bounces.csv=bounced'],
  ['--attributes', 'none'],
  ['--timezone', 'Europe/Berlin'],
  ['--date-order', 'dmy'],
  ['--max-new-fields', '2'],
  ['--empty', 'clear'],
  ['--duplicates', 'reject'],
  ['--from', 'generic'],
].flat();

const INPUTS = Object.keys(LISTS);

async function worldWithLists(): Promise<World> {
  const world = await createWorld();
  for (const [name, content] of Object.entries(LISTS)) {
    world.file(name, content);
  }
  return world;
}

test('makes the same plan with a saved mapping file as with the flags', async () => {
  const world = await worldWithLists();
  const typed = await world.svc(['migrate', ...INPUTS, ...ANSWERS, '--save-mapping', 'm.json', '--dry-run', '--json']);
  const sentAsAttributes = await world.svc(['migrate', ...INPUTS, '--mapping', 'm.json', '--dry-run', '--json']);
  expect([typed.code, sentAsAttributes.code]).toEqual([0, 0]);
  expect(readingOf(sentAsAttributes.json)).toEqual(readingOf(typed.json));
  expect(typed.json.preview).toEqual([
    { email: 'ana@example.com', attributes: { role: 'Chefin', city: 'Бонн' }, topics: { top_news: 'opt_in' } },
    {
      email: 'bo@example.com',
      status: 'unsubscribed',
      unsubscribed_at: '2024-04-03T03:06:00.000Z',
      attributes: { role: '', city: '' },
    },
  ]);
  expect([typed.json.plan.suppressions, typed.json.skipped]).toEqual([{ bounced: 1 }, { by_request: 1 }]);
});

test('saves the same answers again when they come from a mapping file', async () => {
  const world = await worldWithLists();
  await world.svc(['migrate', ...INPUTS, ...ANSWERS, '--save-mapping', 'one.json', '--dry-run']);
  await world.svc(['migrate', ...INPUTS, '--mapping', 'one.json', '--save-mapping', 'two.json', '--dry-run']);
  expect(read(world, 'two.json')).toEqual(read(world, 'one.json'));
});

test('continues a run when a saved mapping file replaces its flags', async () => {
  const world = await createWorld({ plan: 'paid' });
  world.file('list.csv', people(2_500).replaceAll('subscribed', 'da'));
  const answers = [
    '--plan',
    'paid',
    '--status-map',
    'Status:da=subscribed',
    '--attributes',
    'none',
    '--timezone',
    'Europe/Berlin',
  ];
  await world.svc(['migrate', 'list.csv', ...answers, '--save-mapping', 'm.json', '--dry-run']);
  const gone = new Error('connection reset');
  let batches = 0;
  const cut = await world.svc(['migrate', 'list.csv', ...answers, '--json'], {
    transport: (inner) => ({
      ...inner,
      send: async (request, signal) => {
        batches += request.url.pathname.endsWith('/batch') ? 1 : 0;
        if (batches > 1) {
          throw gone;
        }
        return inner.send(request, signal);
      },
    }),
  });
  const other = await world.svc(['migrate', 'list.csv', '--status-map', 'da=unsubscribed', '--dry-run', '--json']);
  const rest = await world.svc(['migrate', 'list.csv', '--mapping', 'm.json', '--plan', 'paid', '--json']);
  expect([cut.code, rest.code, rest.json.run]).toEqual([1, 0, cut.json.run]);
  expect(rest.json.rows).toMatchObject({ read: 2_500, created: 2_500 });
  expect(other.json.run).not.toBe(cut.json.run);
});

// biome-ignore lint/suspicious/noExplicitAny: a report of any shape
function readingOf({ inputs, rows, skipped, plan, preview, findings }: any): unknown {
  return { inputs, rows, skipped, plan, preview, findings };
}

function read(world: World, name: string): unknown {
  return JSON.parse(readFileSync(join(world.folder, name), 'utf8'));
}

test.each(['Post an', 'POST AN', ' post an ', '2'])(
  'finds the column of the address when --map spells it %j',
  async (name) => {
    const { reading } = await readList({ 'list.csv': 'Nr,Post an\n1,ana@x.test\n' }, { map: [`${name}=email`] });
    expect(reading.tables.map(({ columnIndexes }) => columnIndexes.email)).toEqual([1]);
  },
);
