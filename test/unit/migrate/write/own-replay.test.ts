import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { BATCH, createWorld } from '../../../support/world.ts';

test('the verification finds a deleted person after a replayed batch (L4, I7)', async () => {
  const world = await createWorld();
  const { admin } = world.emulator;
  let batches = 0;

  const { code, json } = await world.svc(
    ['migrate', world.file('list.csv', people(3_000)), '--json', '--plan', 'paid'],
    {
      transport: (inner) => ({
        close: () => inner.close(),
        send: async (request, signal) => {
          const answer = await inner.send(request, signal);
          batches += request.method === 'POST' ? 1 : 0;
          if (request.method === 'POST' && batches === 3) {
            admin.deleteContact('person1500@example.com');
            throw Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' });
          }
          return answer;
        },
      }),
    },
  );

  expect([code, json.rows_replayed]).toEqual([8, 1_000]);
  expect(json.verification.checks[0].message).toContain('person1500@example.com');
});

test('passes the verification when all rows were replays of another run (I7)', async () => {
  const world = await createWorld();
  const line = ['migrate', world.file('list.csv', people(1_500)), '--json', '--plan', 'paid'];
  await world.svc(line);
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: BATCH }, times: 1 });

  const { code, json } = await world.svc(line);

  expect([code, json.rows_replayed, json.verification.status]).toEqual([0, 1_500, 'passed']);
});

test('counts replayed rows once when the repeated batch was bisected (I7)', async () => {
  const world = await createWorld({ variants: { batch_invalid_row: 'whole' } });
  const list = world.file('list.csv', people(20).replace('person7@example.com', 'person7@nowhere'));
  await world.svc(['migrate', list, '--json', '--plan', 'paid']);
  const { json } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);
  expect(json.rows_replayed).toBe(20);
});
