import { expect, test } from 'vitest';
import { CTRL_C, createKeyboard, ESCAPE } from '../../../support/keyboard.ts';
import { createWorld, type World } from '../../../support/world.ts';

/** Commands that write nothing to the service, and the verb in the text at their end. */
const READING: readonly (readonly [line: string, undone: string])[] = [
  ['contacts check list.csv --audience-name Newsletter', 'compared'],
  ['contacts check list.csv', 'compared'],
  ['contacts ls', 'read'],
  ['contacts get ana@example.com', 'read'],
  ['contacts export --output people.csv', 'read'],
  ['runs resume', 'resumed'],
];

/** An account with two audiences, a list that needs an answer, and two checks that are not finished. */
async function createUndecidedWorld(): Promise<World> {
  const world = await createWorld({ seed: { audiences: [{ name: 'Shop' }] } });
  world.file('list.csv', 'email,status\nana@example.com,perhaps\n');
  world.refuse('GET /v1/audiences/*/contacts', { status: 403, code: 'forbidden' });
  for (const name of ['one', 'two']) {
    world.file(name, `email,status\n${name}@example.com,subscribed\n`);
    expect((await world.svc(`contacts check ${name} --audience-name Shop`)).code).toBe(4);
  }
  world.emulator.admin.clearFaults();
  return world;
}

test.each(READING)('when the user leaves a question of %s, says "nothing was %s", not "sent"', async (line, undone) => {
  const world = await createUndecidedWorld();
  for (const [key, code] of [
    [CTRL_C, 130],
    [ESCAPE, 5],
  ] as const) {
    const keyboard = createKeyboard([key]);
    const left = await world.svc(line, { answers: [], keyboard });
    const screens = (await keyboard.screens()).join('\n');
    expect([left.code, left.err], screens).toEqual([code, expect.stringContaining(`nothing was ${undone}`)]);
    expect(screens).toContain(`: nothing is ${undone}`);
    expect(screens + left.err).not.toMatch(/\bsen[dt]s?\b/i);
  }
});

test.each([
  ['contacts check list.csv --audience-name Shop --log-file .', 'log_unwritable'],
  ['runs resume latest --log-file .', 'log_unwritable'],
])('does not say "sent" when svc refuses %s', async (line, code) => {
  const world = await createUndecidedWorld();
  const { err } = await world.svc(`${line} --json`);
  expect([JSON.parse(err).error.code, err]).toEqual([code, expect.not.stringMatching(/\bsen[dt]/i)]);
});

test('counts the contacts of at most 20 audiences before it asks which (L2)', async () => {
  const world = await createWorld();
  for (let count = 1; count <= 20; count += 1) {
    world.emulator.admin.createAudience(`Other ${count}`);
  }
  const keyboard = createKeyboard([ESCAPE]);
  expect((await world.svc('contacts ls', { answers: [], keyboard })).code).toBe(5);
  const counted = world.requests().filter(({ path }) => /\/audiences\/aud_\w+$/.test(path));
  expect(counted).toHaveLength(20);
});
