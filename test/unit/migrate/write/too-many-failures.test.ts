import { expect, test } from 'vitest';
import { csv } from '../../../support/lists.ts';
import { BATCH, createWorld, type World } from '../../../support/world.ts';

// The service refuses addresses without a dot in the domain: 15 of the 30 people.
const addressOf = (index: number) => `p${index}@${index % 2 === 0 ? 'nowhere' : 'example.com'}`;
const BOUNCES = csv('email', 30, addressOf);
const BOTH = csv('email,status', 61, (index) =>
  index === 60 ? 'p60@nowhere,bounced' : `p${index}@example.com,subscribed`,
);
const SUPPRESSIONS = 'suppressions import list.csv --reason bounced --json';

function sentContacts(world: World): number {
  return world.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/batch')).length;
}

/** Lets the service refuse each request that suppresses an address without a dot in the domain. */
function refusing(): Parameters<World['svc']>[1] {
  return {
    transport: (inner) => ({
      close: () => inner.close(),
      send: async (request, signal) => {
        const isRefused = request.url.pathname.endsWith('/suppressions') && String(request.body).includes('@nowhere');
        return inner.send(isRefused ? { ...request, body: Buffer.from('{}') } : request, signal);
      },
    }),
  };
}

test.each([
  ['5', 7, 'stopped'],
  ['14', 7, 'stopped'],
  ['15', 3, 'partial'],
])('compares refused suppressions with --max-failures %s (S1)', async (limit, exit, status) => {
  const world = await createWorld();
  world.file('list.csv', BOUNCES);
  const { code, json } = await world.svc(`${SUPPRESSIONS} --max-failures ${limit}`, refusing());
  expect([code, json.status, json.rows.failed]).toEqual([exit, status, 15]);
});

test('continues suppressions with a higher --max-failures (S1, D1)', async () => {
  const world = await createWorld();
  world.file('list.csv', BOUNCES);
  const first = await world.svc(`${SUPPRESSIONS} --max-failures 5`, refusing());
  const again = await world.svc('runs resume --json', refusing());
  const more = await world.svc(`${SUPPRESSIONS} --max-failures 15`, refusing());
  expect([first, again, more].map(({ code }) => code)).toEqual([7, 7, 3]);
  expect([again, more].map(({ json }) => json.run)).toEqual([first.json.run, first.json.run]);
  expect(more.json.rows).toMatchObject({ suppressed: 15, failed: 15, unsent: 0 });
});

test.each([
  ['0', 7, 0],
  ['1', 3, 2],
])('sends contacts only within --max-failures %s (S1)', async (limit, exit, posts) => {
  const world = await createWorld();
  world.file('list.csv', BOTH);
  const { code, json } = await world.svc(`migrate list.csv --json --max-failures ${limit}`, refusing());
  expect([code, json.rows.failed, sentContacts(world)]).toEqual([exit, 1, posts]);
});

test('sends no batch when more people of the canary are refused than allowed', async () => {
  const world = await createWorld();
  world.refuse(BATCH, { status: 400, code: 'invalid_request', times: 7 });
  world.file(
    'list.csv',
    csv('email,status', 60, (index) => `p${index}@example.com,subscribed`),
  );
  const { code, json } = await world.svc('migrate list.csv --json --max-failures 0');
  // The seven requests are for the four people of the canary.
  expect([code, json.rows.failed, sentContacts(world)]).toEqual([7, 4, 7]);
});
