import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT } from '../../../../src/base/lib/errors.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { csv } from '../../../support/lists.ts';
import { createWorld, type RunOptions } from '../../../support/world.ts';

/** A list with every third row rejected. Its files need another read of all rows. */
const LIST = csv(
  'email,status',
  3_000,
  (index) => `${index % 3 === 0 ? 'no-address' : `person${index}@example.com`},subscribed`,
);
const FLAGS = ['--json', '--plan', 'paid', '--max-failures', '100%', '--no-verify'];

/** Presses Ctrl-C after everything is sent, while the files for the user are written. */
function interruptedAtTheEnd(): RunOptions {
  const stop = new AbortController();
  return {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'phase' && event.phase === 'report') {
        stop.abort(createInterruption('SIGINT'));
      }
    },
  };
}

test('writes the rejects file in a resume when Ctrl-C came at the end (D4)', async () => {
  const world = await createWorld();
  const line = ['contacts', 'import', world.file('list.csv', LIST), ...FLAGS];
  const first = await world.svc(line, interruptedAtTheEnd());
  expect(first.code).toBe(EXIT.interrupted);
  expect(first.json.status).toBe('interrupted');
  expect(first.json.rows).toMatchObject({ created: 2_000, rejected: 1_000, unsent: 0, unknown: 0 });
  expect(first.json.files.rejects).toBeUndefined();
  expect(first.json.next).toEqual([`svc runs resume ${first.json.run}`]);
  world.requests();
  const resumed = await world.svc(['runs', 'resume', first.json.run, '--json']);
  expect(resumed.code).toBe(EXIT.partial);
  expect(world.requests().filter(({ method }) => method === 'POST')).toEqual([]);
  expect(resumed.json.files.rejects).toHaveLength(1);
  expect(existsSync(resumed.json.files.rejects[0])).toBe(true);
});

test('writes outcomes.csv in a resume when Ctrl-C came at the end (D4)', async () => {
  const world = await createWorld();
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
  const list = 'email,status\nana@example.com,subscribed\nbo@example.com,pending\n';
  const line = ['automations', 'enroll', automation, world.file('list.csv', list), '--json'];
  const first = await world.svc(line, interruptedAtTheEnd());
  expect(first.code).toBe(EXIT.interrupted);
  expect(first.json.files.outcomes).toBeUndefined();
  expect(first.json.next).toEqual([`svc runs resume ${first.json.run}`]);
  world.requests();
  const resumed = await world.svc(['runs', 'resume', first.json.run, '--json']);
  expect(world.requests().filter(({ method }) => method === 'POST')).toEqual([]);
  expect(existsSync(resumed.json.files.outcomes)).toBe(true);
});

test.each([
  ['svc runs resume run_1', 'the user agreed with --yes', { asTyped: false }, ['runs', 'resume']],
  [
    'Run the same command again. It starts from the beginning.',
    'the user did not agree yet',
    { answers: [] },
    undefined,
  ],
])('prints "%s" when Ctrl-C comes after a refused plan, and %s (D1, D4)', async (next, _, asked, resume) => {
  const world = await createWorld();
  const list = world.file('list.csv', LIST);
  const line = ['contacts', 'import', list, '--json', '--plan', 'paid', '--max-failures', '1'];
  const refused = await world.svc(line, { ...asked, ...interruptedAtTheEnd() });
  expect(refused.code).toBe(EXIT.interrupted);
  expect(refused.json.files.rejects).toBeUndefined();
  expect(refused.json.next).toEqual([next.replace('run_1', refused.json.run)]);
  const again = await world.svc([...(resume ?? line), '--json'], asked);
  expect([again.code, again.json.run === refused.json.run]).toEqual([EXIT.refused, resume !== undefined]);
});
