import { expect, test } from 'vitest';
import { csv, people } from '../support/lists.ts';
import { createWorld, type World } from '../support/world.ts';

const FLAGS = ['--json', '--plan', 'paid'];
const BATCH = 'POST /v1/audiences/*/contacts/batch';

/** The largest number of batches that were on their way at the same moment, and how many people were looked up. */
function inFlight(world: World, slowMs: number) {
  const requests = world.requests();
  const starts = requests.filter(({ path }) => path.endsWith('/contacts/batch')).map(({ at }) => at);
  const together = starts.map((at) => starts.filter((other) => other >= at && other < at + slowMs).length);
  return { batches: starts.length, together: Math.max(...together) };
}

async function slowWorld(quirks: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await createWorld({ quirks });
  world.emulator.admin.addFault({ kind: 'slow', ms: 1_000, when: 'after', match: { route: BATCH } });
  return world;
}

test('batches go a few at a time once the first has shown what the others rely on', async () => {
  const world = await slowWorld();

  await world.svc(['migrate', world.file('list.csv', people(6_000)), ...FLAGS]);

  expect(inFlight(world, 1_000)).toEqual({ batches: 6, together: 4 });
});

test('replays prove nothing: batches go one at a time until a fresh answer does (I7, C1)', async () => {
  const world = await slowWorld();
  await world.svc(['migrate', world.file('part.csv', people(2_000)), ...FLAGS]);
  world.requests();

  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(4_000)), ...FLAGS]);

  expect([code, json.rows_replayed]).toEqual([0, 2_000]);
  expect(inFlight(world, 1_000)).toEqual({ batches: 4, together: 1 });
});

test('what a new person becomes is shown by the first batch that holds one, be it the third (C1)', async () => {
  const world = await slowWorld({ omitted_status: 'pending' });
  world.emulator.admin.addContacts(
    Array.from({ length: 2_000 }, (_, index) => ({ email: `person${index}@example.com`, first_name: `Name ${index}` })),
  );

  const { code, json, err } = await world.svc(['migrate', world.file('list.csv', people(9_000)), ...FLAGS]);

  expect([code, json.phase, json.rows.created]).toEqual([8, 'first_batch', 1_000]);
  expect(err).toContain('--explicit-status');
  expect(inFlight(world, 1_000)).toEqual({ batches: 3, together: 1 });
});

test('a first batch of opt-outs does not show what the others become (C1)', async () => {
  const world = await slowWorld({ omitted_status: 'pending' });
  const list = csv(
    'email,status',
    6_000,
    (index) => `person${index}@example.com,${index < 1_000 ? 'un' : ''}subscribed`,
  );

  const { code, json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS]);

  expect([code, json.phase, json.rows.created]).toEqual([8, 'first_batch', 2_000]);
});

test('where all who had left in the first batch are suppressed, the next who had left has to show it (C1, O7)', async () => {
  const world = await slowWorld({ omitted_status_existing: 'subscribed' });
  const { admin } = world.emulator;
  admin.addContacts([3, 1_500].map((index) => ({ email: `person${index}@example.com`, status: 'unsubscribed' })));
  admin.suppress(['person3@example.com'], 'bounced');

  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(6_000)), ...FLAGS]);

  expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 4_000]);
  expect(admin.contact('person1500@example.com')?.status).toBe('unsubscribed');
});

test('a list of people who are all there costs one request a batch beyond the first (C1)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts(
    Array.from({ length: 5_000 }, (_, index) => ({ email: `person${index}@example.com` })),
  );

  const { code } = await world.svc(['migrate', world.file('list.csv', people(5_000)), ...FLAGS, '--no-verify']);

  const after = world.requests().map(({ method, path }) => `${method} ${path.split('?')[0]?.split('/contacts/')[1]}`);
  expect(code).toBe(0);
  expect(after.slice(after.indexOf('POST batch'))).toEqual([
    'POST batch',
    ...[0, 1, 2].map((index) => `GET person${index}%40example.com`),
    ...Array(4).fill('POST batch'),
  ]);
});

test('a run that was cut before its people were read back is judged by how they were before (D1, C1)', async () => {
  const world = await createWorld({ quirks: { omitted_status: 'pending' } });
  const list = world.file('list.csv', people(3_000));
  const stopper = new AbortController();
  const cut = await world.svc(['migrate', list, ...FLAGS], {
    signal: stopper.signal,
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const answer = await inner.send(request, signal);
        if (request.method === 'POST') {
          stopper.abort();
        }
        return answer;
      },
    }),
  });

  const resumed = await world.svc('runs resume --json');

  expect([cut.code, resumed.code, resumed.json.phase]).toEqual([130, 8, 'first_batch']);
  expect(resumed.json.rows).toMatchObject({ created: 1_000, unsent: 2_000 });
});

/** A list of 7,000 in whose first batch person 999 is the only new one, whom nobody looks at; the others are there. */
async function mostlyKnownWorld(quirks: Readonly<Record<string, string>>) {
  const world = await createWorld({ quirks });
  world.emulator.admin.addContacts(
    Array.from({ length: 999 }, (_, index) => ({ email: `person${index}@example.com`, first_name: 'Old' })),
  );
  return { world, list: world.file('list.csv', people(7_000)) };
}

test.each([
  ['is replayed', { kind: 'reset', when: 'after' }],
  ['comes from a second writing', { kind: 'lost_claim', effect: true }],
] as const)(
  'where the answer of a batch was lost and %s, the next one is looked at as if somebody new was in it (C1, I7)',
  async (_, fault) => {
    const { world, list } = await mostlyKnownWorld({ omitted_status: 'pending' });
    world.emulator.admin.addFault({ ...fault, match: { route: BATCH }, times: 1 });

    const { code, json } = await world.svc(['migrate', list, ...FLAGS]);

    expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 5_000]);
  },
);

test('where the answers of two batches were lost, the second shows what new people become by how they were before (C1, I7)', async () => {
  const { world, list } = await mostlyKnownWorld({ omitted_status: 'pending' });
  const lost = { kind: 'reset', when: 'after', match: { route: BATCH }, times: 1 } as const;
  world.emulator.admin.addFault(lost);
  world.emulator.admin.addFault({ ...lost, after: 2 });

  const { code, json } = await world.svc(['migrate', list, ...FLAGS]);

  expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 5_000]);
});

test('who was written twice does not show what a new person becomes (C1)', async () => {
  const world = await createWorld({
    quirks: { omitted_status: 'unsubscribed', omitted_status_existing: 'subscribed' },
  });
  world.emulator.admin.addFault({ kind: 'lost_claim', effect: true, match: { route: BATCH }, times: 1 });

  const { code, json } = await world.svc(['migrate', world.file('list.csv', people(7_000)), ...FLAGS]);

  expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', 5_000]);
});

test.each([
  ['the first batch, behind those who are looked at', 999, 7_000, 6_000],
  ['a last batch of few', 1_000, 1_010, 0],
])('one new person is enough to show what new people become: in %s (C1)', async (_, known, listed, unsent) => {
  const world = await createWorld({ quirks: { omitted_status: 'pending' } });
  world.emulator.admin.addContacts(
    Array.from({ length: known }, (_, index) => ({ email: `person${index}@example.com`, first_name: 'Old' })),
  );

  const { code, json, err } = await world.svc(['migrate', world.file('list.csv', people(listed)), ...FLAGS]);

  expect([code, json.phase, json.rows.unsent]).toEqual([8, 'first_batch', unsent]);
  expect(err).toContain('status was sent as \\"subscribed\\" and reads \\"pending\\"');
});

test('where they are subscribed, finding one costs a page and a look-up, and the rest goes a few at a time (C1)', async () => {
  const { world, list } = await mostlyKnownWorld({});

  const { code } = await world.svc(['migrate', list, ...FLAGS, '--no-verify']);

  const asked = world.requests().map(({ method, path }) => `${method} ${path.split('?')[0]?.split('/aud_')[1] ?? ''}`);
  const after = asked
    .slice(asked.findIndex((request) => request.startsWith('POST')))
    .map((one) => one.replace(/\w+\//, ''));
  expect(code).toBe(0);
  expect(after).toEqual([
    'POST contacts/batch',
    ...['', '/person0%40example.com', '/person1%40example.com', '/person2%40example.com'].map(
      (path) => `GET contacts${path}`,
    ),
    'GET contacts/person999%40example.com',
    ...Array(6).fill('POST contacts/batch'),
  ]);
});

test('who is there without being subscribed is not taken for new, also behind somebody new who left (C1)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts(
    Array.from({ length: 999 }, (_, index) => ({ email: `person${index}@example.com`, status: 'pending' as const })),
  );
  const list = csv(
    'email,status',
    2_000,
    (index) => `person${index}@example.com,${index === 999 ? 'un' : ''}subscribed`,
  );

  const { code, json } = await world.svc(['migrate', world.file('list.csv', list), ...FLAGS]);

  expect([code, json.rows.created]).toEqual([0, 1_001]);
});
