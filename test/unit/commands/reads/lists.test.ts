import type { World } from '../../../support/world.ts';
import { type Scenario, smallWorld, testFailingReads } from './failing-reads.ts';

const audienceOf = (world: World) => world.emulator.audienceId;

/** More items of every kind than a page holds. */
async function longLists(): Promise<World> {
  const world = await smallWorld();
  const emails = Array.from({ length: 101 }, (_, index) => `p${index}@example.com`);
  world.emulator.admin.addContacts(emails.map((email) => ({ email })));
  world.emulator.admin.suppress(emails);
  return world;
}

function long(title: string): Scenario {
  return { title, prepare: longLists, line: () => title };
}

function plain(title: string, line: (world: World) => string | readonly string[] = () => title): Scenario {
  return { title, prepare: () => smallWorld(), line };
}

testFailingReads('lists', [
  plain('audiences ls'),
  plain('audiences get <id>', (world) => `audiences get ${audienceOf(world)}`),
  plain('audiences get Newsletter'),
  plain('audiences create New'),
  plain('audiences rename <id> New', (world) => `audiences rename ${audienceOf(world)} New`),
  plain('audiences rename Newsletter New'),
  plain('audiences delete <id>', (world) => `audiences delete ${audienceOf(world)} --confirm Newsletter`),
  plain('audiences delete Newsletter --confirm Newsletter'),
  plain('contacts ls'),
  plain('contacts ls --audience <id>', (world) => `contacts ls --audience ${audienceOf(world)}`),
  plain('contacts ls --audience Newsletter --json'),
  plain('contacts get max@example.com'),
  plain('contacts get max@example.com --topics --json'),
  plain('contacts export --output out.csv'),
  plain('suppressions ls'),
  plain('suppressions count'),
  plain('automations ls'),
  plain('automations ls --status active --json'),
  long('contacts export --output out.csv --audience Newsletter'),
  long('suppressions count -q'),
]);
