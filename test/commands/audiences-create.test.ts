import { expect, test } from 'vitest';
import { createWorld } from '../support/world.ts';

test('creating an audience leaves no run behind, and after a lost answer the run that resumes it', async () => {
  const world = await createWorld();
  const lost = { kind: 'reset', when: 'after', match: { route: 'POST /v1/audiences' } } as const;
  const codes = [(await world.svc(['audiences', 'create', 'Shop'])).code];
  codes.push((await world.svc('runs ls --json')).json.length);
  world.emulator.admin.addFault(lost);
  codes.push((await world.svc(['audiences', 'create', 'Lost'])).code);
  codes.push((await world.svc('runs ls --json')).json.length);
  expect(codes).toEqual([0, 0, 1, 1]);
});
