import { expect, test } from 'vitest';
import { createWorld, type World } from '../../support/world.ts';

const AUDIENCES = 60;

function fullWorld(): Promise<World> {
  const emails = Array.from({ length: AUDIENCES }, (_, index) => `p${index}@example.com`);
  return createWorld({
    seed: {
      contacts: emails.map((email) => ({ email })),
      suppressions: { unsubscribed: emails },
      audiences: emails.map((email) => ({ name: `List of ${email}` })),
    },
  });
}

test.each(['audiences ls', 'contacts ls --audience-name Newsletter', 'suppressions ls', 'automations ls'])(
  'ls lists 50 items, or as many as --all, --limit or --json say: %s',
  async (line) => {
    const world = await fullWorld();
    for (let index = 0; index < AUDIENCES; index += 1) {
      world.emulator.admin.createAutomation({ name: `Flow ${index}` });
    }
    const total = line.startsWith('audiences') ? AUDIENCES + 1 : AUDIENCES;
    const rows = (out: string) => out.split('\n').length - 1;
    const first = await world.svc(line);
    expect([rows(first.out), first.err]).toEqual([
      50,
      `Only the first 50 are listed. For all of them:\n  svc ${line} --all\n`,
    ]);
    expect((await world.svc(`${line} -q`)).err).toBe('');
    const all = await world.svc(`${line} --all`);
    expect([rows(all.out), all.err]).toEqual([total, '']);
    const some = await world.svc(`${line} --limit 7`);
    expect([rows(some.out), some.err]).toEqual([7, '']);
    expect((await world.svc(`${line} --json`)).json).toHaveLength(total);
    expect((await world.svc(`${line} --json --limit 3`)).json).toHaveLength(3);
    expect(rows((await world.svc(`${line} --output csv --all`)).out)).toBe(total + 1);
  },
);

test('ls reads one page for the first 50 items, and notes that more exist', async () => {
  const world = await fullWorld();
  world.requests();
  const { err } = await world.svc('audiences ls');
  expect(world.requests().map(({ path }) => path)).toEqual(['/v1/audiences?limit=51']);
  expect(err).toBe('Only the first 50 are listed. For all of them:\n  svc audiences ls --all\n');
});

test('ls prints no note about more items when exactly 50 exist', async () => {
  const world = await createWorld({
    seed: { audiences: Array.from({ length: 49 }, (_, index) => ({ name: `List ${index}` })) },
  });
  const { out, err } = await world.svc('audiences ls');
  expect([out.split('\n').length - 1, err]).toEqual([50, '']);
});

test.each([
  'audiences ls --all --limit 3',
  'audiences ls --json --output csv',
  'runs ls --limit 0',
  'mcp ls --output xml',
])('refuses svc %s before any request', async (line) => {
  const world = await createWorld();
  expect((await world.svc(line)).code).toBe(2);
  expect(world.requests()).toEqual([]);
});

test('ls writes CSV with a header, also on a terminal and for an empty list', async () => {
  const world = await createWorld({
    seed: { contacts: [{ email: 'a@example.com', first_name: 'Ana, "Mia"', last_name: '\u001b[2J' }] },
  });
  const { out } = await world.svc('contacts ls --output csv', { columns: 40 });
  const [header, row] = out.split('\n');
  expect(header).toBe('id,email,status,first_name,last_name');
  expect(row?.split(',').slice(1).join(',')).toBe('a@example.com,subscribed,"Ana, ""Mia""",\\u001b[2J');
  expect((await world.svc('runs ls --output csv')).out).toBe(
    'run,command,status,started_at,unknown,destination,origin\n',
  );
  expect((await world.svc('automations ls --output csv')).out).toMatch(/^id,name,status,/);
});

test.each(['contacts ls --status left', 'contacts export --status left', 'automations ls --status left'])(
  'refuses %s with the possible values before any request',
  async (line) => {
    const world = await createWorld();
    const { code, err } = await world.svc(line);
    expect([code, world.requests(), err.includes('Possible values: ')]).toEqual([2, [], true]);
  },
);
