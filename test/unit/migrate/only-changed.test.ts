import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../support/world.ts';

const HEADER = 'email,first_name,city';
const PEOPLE = ['ana@example.com,Ana,Lisbon', 'ben@example.com,Ben,Oslo', 'cara@example.com,Cara,Rome'];
const LINE = 'contacts import users.csv --default-status subscribed --only-changed --json';

describe('the next list', () => {
  test('sends only people who are new or changed (G1)', async () => {
    const world = await createWorld();
    await night(world, PEOPLE);
    const { json } = await night(world, [
      PEOPLE[0]!,
      'ben@example.com,Ben,Bergen',
      PEOPLE[2]!,
      'dan@example.com,Dan,Bonn',
    ]);
    expect(json.rows).toMatchObject({ read: 4, created: 1, updated: 1, unchanged: 2, unsent: 0 });
    expect(sentAddresses(world)).toEqual(['ben@example.com', 'dan@example.com']);
    expect(await cityOf(world, 'ben@example.com')).toBe('Bergen');
  });

  test('sends no request with contacts when nothing changed (G1)', async () => {
    const world = await createWorld();
    await night(world, PEOPLE);
    const { json, code } = await night(world, PEOPLE);
    expect(code).toBe(0);
    expect(json.rows).toMatchObject({ read: 3, unchanged: 3, created: 0, updated: 0, unsent: 0 });
    expect(sentAddresses(world)).toEqual([]);
  });
});

async function night(world: World, rows: readonly string[], more = '') {
  world.clock.set(world.clock.now() + 24 * 3_600_000);
  world.file('users.csv', `${[HEADER, ...rows].join('\n')}\n`);
  world.requests();
  const answer = await world.svc(`${LINE} ${more}`);
  return answer;
}

function sentAddresses(world: World): string[] {
  const bodies = world.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/batch'));
  const emails = bodies.flatMap(({ body }) => JSON.parse(body).contacts.map((one: { email: string }) => one.email));
  return [...new Set<string>(emails)].sort();
}

async function cityOf(world: World, email: string): Promise<unknown> {
  const { json } = await world.svc(['contacts', 'get', email, '--json']);
  return json.attributes.city;
}
