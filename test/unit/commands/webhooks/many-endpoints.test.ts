import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

async function worldWith(count: number) {
  const world = await createWorld();
  for (let number = 1; number <= count; number++) {
    const line = `webhooks create --url https://hooks.example.com/${number} --event email.sent --secret-file ${number}.txt`;
    const { code, err } = await world.svc(line);
    expect(code, err).toBe(0);
  }
  return world;
}

test('lists 50 endpoints, and says how to list all, when there are more', async () => {
  const world = await worldWith(51);
  const first = await world.svc('webhooks ls');
  expect([first.code, first.out.trimEnd().split('\n').length]).toEqual([0, 50]);
  expect(first.err).toBe('Only the first 50 are listed. For all of them:\n  svc webhooks ls --all\n');
  const quiet = await world.svc('webhooks ls -q');
  expect([quiet.out, quiet.err]).toEqual([first.out, '']);
  const all = await world.svc('webhooks ls --all');
  expect([all.out.trimEnd().split('\n').length, all.err]).toEqual([51, '']);
});

test('says nothing about more endpoints when there are 50', async () => {
  const world = await worldWith(50);
  const { out, err } = await world.svc('webhooks ls');
  expect([out.trimEnd().split('\n').length, err]).toEqual([50, '']);
});
