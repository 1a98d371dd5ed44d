import type { World } from '../../../support/world.ts';
import { type Scenario, smallWorld, testFailingReads } from './failing-reads.ts';

// Nia is new, Ben bounced, Lea opted out in the audience.
const LIST = 'email,first_name,status\nnia@example.com,Nia,unsubscribed\nben@example.com,Ben,bounced\n';
const THREE = `${LIST}lea@example.com,Lea,subscribed\n`;

async function withList(options?: Parameters<typeof smallWorld>[0]): Promise<World> {
  const world = await smallWorld(options);
  world.file('list.csv', LIST);
  world.file('three.csv', THREE);
  return world;
}

/** An import that stopped at its contacts, because the service failed. */
async function interruptedWorld(line: string): Promise<World> {
  const world = await withList();
  world.refuse('POST *contacts/batch', { status: 500, code: 'internal_error' });
  await world.svc(line);
  world.emulator.admin.clearFaults();
  return world;
}

async function finishedWorld(line: string): Promise<World> {
  const world = await withList();
  await world.svc(line);
  return world;
}

function scenarioOf(title: string, prepare: () => Promise<World> = withList): Scenario {
  return { title, prepare, line: () => title };
}

testFailingReads('runs', [
  scenarioOf('migrate three.csv'),
  scenarioOf('migrate list.csv --plan free', async () => {
    const world = await withList();
    const crowd = Array.from({ length: 497 }, (_, index) => ({ email: `p${index}@example.com` }));
    world.emulator.admin.addContacts(crowd);
    return world;
  }),
  scenarioOf('migrate list.csv --audience Newsletter --dry-run --plan paid'),
  scenarioOf('migrate list.csv --audience-name New --create-audience'),
  scenarioOf('migrate list.csv --explicit-status'),
  scenarioOf('contacts import list.csv --no-verify'),
  scenarioOf('contacts import list.csv --only-changed', () => finishedWorld('contacts import list.csv --only-changed')),
  scenarioOf('contacts import list.csv --only-changed --gone unsubscribe --max-gone 100%', async () => {
    const world = await withList();
    world.file('list.csv', `${LIST}pia@example.com,Pia,subscribed\n`);
    await world.svc('contacts import list.csv --only-changed');
    world.file('list.csv', LIST);
    return world;
  }),
  scenarioOf('suppressions import list.csv'),
  scenarioOf('runs resume', () => interruptedWorld('migrate three.csv')),
  scenarioOf('contacts check three.csv', () => finishedWorld('migrate list.csv')),
  scenarioOf('runs verify', () => finishedWorld('migrate three.csv')),
]);
