import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

test.each([
  ['contacts import list.csv --audience aud_1 --audience-name News', '--audience and --audience-name exclude'],
  ['contacts import list.csv --create-audience', '--create-audience needs a name'],
  ['migrate list.csv --audience aud_', 'not an audience id: aud_'],
  ['migrate list.csv --max-failures x', '--max-failures takes a number or a percentage'],
  ['suppressions import list.csv --status-map gone', '--status-map takes word=state'],
  ['automations enroll aut_1 list.csv --email ana', 'not an email address: ana'],
])('reports wrong flags before it asks for --yes: %s (M7)', async (line, message) => {
  const world = await createWorld();
  world.file('list.csv', 'Email,Status\nana@example.com,subscribed\n');
  const { code, err } = await world.svc(line, { asTyped: true });
  expect([code, err.includes(message), err.includes('--yes'), world.requests()], err).toEqual([2, true, false, []]);
});
