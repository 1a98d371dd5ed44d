import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

test('checks the suppression total when the last response is a replay (S3, I7)', async () => {
  const world = await createWorld();
  // The second request, for bounces, takes effect, but its response is HTML. So svc repeats it and gets a replay.
  world.emulator.admin.addFault({
    kind: 'html',
    status: 502,
    when: 'after',
    match: { route: 'POST /v1/suppressions' },
    after: 1,
    times: 1,
  });
  const list = world.file('list.csv', 'email,status\na@example.com,complained\nb@example.com,bounced\n');

  const { code, json } = await world.svc(['migrate', list, '--json', '--plan', 'paid']);

  expect(code).toBe(0);
  expect(json.rows).toMatchObject({ read: 2, suppressed: 2 });
  expect(json.requests).toMatchObject({ replayed: 1 });
  expect(json.verification.checks).toContainEqual({
    check: 'suppressions',
    status: 'passed',
    message: '1 address suppressed in the account, 1 of them sent',
  });
});

const TOO_FEW = 'email,status\na@example.com,complained\nb@example.com,bounced\n';

test.each(['suppressions import', 'migrate'])(
  '%s suppresses again under new keys when the total was too low (S3, I7)',
  async (command) => {
    const world = await createWorld();
    const body = { object: 'suppression_result', total_suppressed_after: 0 };
    const match = { route: 'POST /v1/suppressions' };
    world.emulator.admin.addFault({ kind: 'answer', status: 200, body, when: 'after', match, times: 2 });
    const line = `${command} ${world.file('list.csv', TOO_FEW)} --json`;
    const low = await world.svc(line);
    world.requests();

    const again = await world.svc(line);

    expect([low.code, again.code]).toEqual([8, 0]);
    expect(low.json.next).toEqual(['The same command sends the suppressions once more, and compares again.']);
    expect(again.json.run).not.toBe(low.json.run);
    expect(world.requests().filter(({ method }) => method === 'POST')).toHaveLength(2);
    expect(again.json.requests.replayed).toBe(0);
  },
);

test.each([
  ['a@example.com', '\u00e4@example.com', 8],
  ['anni@example.com', 'ann\u0130@example.com', 0],
  ['anni@example.com\u0085', 'anni@example.com', 0],
])('when %j and %j are suppressed but the total is 1, exits with %i (S3, F8)', async (one, other, code) => {
  const world = await createWorld({ variants: { address_case: 'folded' } });
  const body = { object: 'suppression_result', total_suppressed_after: 1 };
  world.emulator.admin.addFault({ kind: 'answer', status: 200, body, when: 'after', match: { route: 'POST *' } });
  const list = world.file('list.csv', `email,status\n${one},bounced\n${other},complained\n`);
  expect((await world.svc(['suppressions', 'import', list])).code).toBe(code);
});
