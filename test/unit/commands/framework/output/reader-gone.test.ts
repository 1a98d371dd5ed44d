import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../../../support/world.ts';

const PAGES = 12;

async function fullWorld(): Promise<World> {
  const many = Array.from({ length: PAGES * 100 }, (_, index) => `p${index}@example.com`);
  const world = await createWorld({
    rateLimit: 0,
    seed: {
      contacts: many.map((email) => ({ email })),
      suppressions: { unsubscribed: many },
      audiences: Array.from({ length: PAGES * 100 }, (_, index) => ({ name: `List ${index}` })),
    },
  });
  for (let index = 0; index < PAGES * 100; index += 1) {
    world.emulator.admin.createAutomation({ name: `Flow ${index}` });
  }
  return world;
}

describe('a command whose output goes to a program that ends early (D3)', () => {
  test.each([
    ['contacts ls --audience-name Newsletter --all', 2],
    ['contacts ls --audience-name Newsletter --status subscribed --all', 2],
    ['contacts export --audience-name Newsletter --format ndjson', 1],
    ['suppressions ls --all', 2],
    ['audiences ls --all', 2],
    ['audiences ls --all --output csv', 2],
    ['automations ls --all', 2],
    ['automations ls --json', 11],
    // svc prints JSON when it is complete. Until then it prints blanks, to notice when the other program ends.
    ['contacts ls --audience-name Newsletter --json', 11],
    ['suppressions ls --json', 11],
    ['audiences ls --json', 11],
  ])('stops before the last page when the reader of the output ends: %s', async (line, most) => {
    const world = await fullWorld();
    const [group = ''] = line.split(' ');
    const listed = new RegExp(`${group}\\?`);
    const { code } = await world.svc(line, { readerLeavesAfter: 1 });
    expect(code).toBe(0);
    expect(world.requests().filter(({ path }) => listed.test(path)).length).toBeLessThanOrEqual(most);
    await world.svc(line);
    expect(world.requests().filter(({ path }) => listed.test(path)).length).toBeGreaterThanOrEqual(PAGES);
  });
});
