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

/** Number of pages that the command reads when its reader ends after the first text, and otherwise. */
async function pagesRead(line: string): Promise<[ended: number, whole: number]> {
  const world = await fullWorld();
  const [group = ''] = line.split(' ');
  const listed = new RegExp(`${group}\\?`);
  const read = () => world.requests().filter(({ path }) => listed.test(path)).length;
  expect((await world.svc(line, { readerLeavesAfter: 1 })).code).toBe(0);
  const ended = read();
  await world.svc(line);
  return [ended, read()];
}

describe('a command whose output goes to a program that ends early (D3)', () => {
  // While svc prints a page, the next one may be under way.
  test.each([
    ['contacts ls --audience-name Newsletter --all', 2],
    ['contacts ls --audience-name Newsletter --status subscribed --all', 2],
    ['contacts export --audience-name Newsletter --format ndjson', 1],
    ['suppressions ls --all', 2],
    ['audiences ls --all', 2],
    ['audiences ls --all --output csv', 2],
    ['automations ls --all', 2],
  ])('stops reading pages when the program that reads the output ends: %s', async (line, most) => {
    const [read, whole] = await pagesRead(line);
    expect(read).toBeLessThanOrEqual(most);
    expect(whole).toBeGreaterThanOrEqual(PAGES);
  });

  // svc prints JSON when it is complete. Until then it prints blanks, to notice when the other program ends.
  test.each([
    'automations ls --json',
    'contacts ls --audience-name Newsletter --json',
    'suppressions ls --json',
    'audiences ls --json',
  ])('reads at most 1,000 more items when the program that reads JSON ends: %s', async (line) => {
    const [read, whole] = await pagesRead(line);
    expect(read).toBeLessThanOrEqual(11);
    expect(whole).toBeGreaterThanOrEqual(PAGES);
  });
});
