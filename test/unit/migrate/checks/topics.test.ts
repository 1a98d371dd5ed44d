import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';

const TOPIC = 'top_0000000001';

async function warningsOf(world: World, ...flags: readonly string[]): Promise<string[]> {
  const list = world.file('list.csv', 'email,News\nana@example.com,x\nben@example.com,\n');
  const { json } = await world.svc(['migrate', list, '--json', '--default-status', 'subscribed', ...flags]);
  const findings = json.findings as readonly { check: string; level: string; message: string }[];
  return findings.filter(({ check }) => check === 'topics').map(({ level, message }) => `${level}: ${message}`);
}

const TOPICS = ['--map', `News=topics.${TOPIC}`, '--topic-value', 'News=yes', '--status-map', 'News:*=subscribed'];

test('warns when an import may turn topics on that people turned off (C1)', async () => {
  const empty = await createWorld();
  const filled = await createWorld();
  filled.emulator.admin.addContacts([{ email: 'cleo@example.com' }]);

  expect(await warningsOf(empty, ...TOPICS)).toEqual([]);
  expect(await warningsOf(filled, '--map', 'News=attributes.news')).toEqual([]);
  expect(await warningsOf(filled, ...TOPICS)).toEqual([
    'warn: people who are in the audience already get the topics of the list, also topics that they left there',
  ]);
});
