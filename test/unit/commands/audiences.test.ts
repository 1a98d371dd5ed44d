import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../support/world.ts';

describe('audiences rename', () => {
  test('sends the name and prints the audience', async () => {
    const world = await createWorld();
    const { code, json } = await world.svc(['audiences', 'rename', world.emulator.audienceId, 'Shop\u001b', '--json']);
    expect([code, json.name]).toEqual([0, 'Shop\u001b']);
    expect((await world.svc('audiences ls')).out).toContain('Shop\\u001b');
  });

  test.each([
    ['an id of another kind', 'whe_1', 'Shop'],
    ['a path', 'aud_/../x', 'Shop'],
    ['an empty name', 'aud_1', ''],
    ['a name of 101 characters', 'aud_1', 'x'.repeat(101)],
  ])('refuses %s before any request', async (_, id, name) => {
    const world = await createWorld();
    expect((await world.svc(['audiences', 'rename', id, name])).code).toBe(2);
    expect(world.requests()).toEqual([]);
  });
});

describe('audiences delete', () => {
  const seed = { contacts: [{ email: 'ana@example.com' }, { email: 'bo@example.com', status: 'unsubscribed' }] };

  test.each([
    ['without --confirm', [], {}],
    ['with --yes alone', ['--yes'], {}],
    ['with its id in place of the name', ['--confirm', 'ID'], {}],
    ['with the name in other letters', ['--confirm', 'newsletter'], {}],
    ['when something else is typed', [], { answers: ['', 'y'] }],
  ])('deletes nothing %s', async (_, flags, options) => {
    const world = await createWorld({ seed });
    const id = world.emulator.audienceId;
    const line = ['audiences', 'delete', id, ...flags.map((flag) => (flag === 'ID' ? id : flag))];
    expect((await world.svc(line, options)).code).toBe(2);
    expect(world.requests().map(({ method }) => method)).toEqual(['GET']);
  });

  test('shows the counts, the export command and the delete command in the refusal', async () => {
    const world = await createWorld({ seed });
    const id = world.emulator.audienceId;
    const { err } = await world.svc(`audiences delete ${id}`);
    expect(err).toContain('2 contacts (1 subscribed, 1 unsubscribed)');
    expect(err).toContain(`svc contacts export --audience ${id} --output contacts.csv`);
    expect(err).toContain(`svc audiences delete ${id} --confirm Newsletter`);
  });

  test('offers an export and asks for the name at a terminal', async () => {
    const world = await createWorld({ seed });
    const { code, err } = await world.svc(`audiences delete ${world.emulator.audienceId}`, {
      answers: ['kept.csv', 'Newsletter'],
    });
    expect(code).toBe(0);
    expect(err).toContain('2 contacts (1 subscribed, 1 unsubscribed)');
    expect(readFileSync(join(world.folder, 'kept.csv'), 'utf8').match(/\w+@example\.com/g)).toHaveLength(2);
    expect((await world.svc('audiences ls --json')).json).toEqual([]);
  });

  test('needs no terminal with --confirm and the exact name', async () => {
    const world = await createWorld({ seed });
    const id = world.emulator.audienceId;
    expect((await world.svc(`audiences delete ${id} --confirm Newsletter --json`)).json).toEqual({ id, deleted: true });
  });
});

test.each(['automations ls', 'contacts ls', 'suppressions ls', 'webhooks ls', 'runs ls'])(
  'prints "None." for an empty %s at a terminal only',
  async (line) => {
    const world = await createWorld();
    const shown = await world.svc(line, { columns: 80 });
    const piped = await world.svc(line);
    const json = await world.svc(`${line} --json`, { columns: 80 });
    expect([shown.out, shown.err]).toEqual(['', 'None.\n']);
    expect([piped.out, piped.err]).toEqual(['', '']);
    expect([json.json, json.err]).toEqual([[], '']);
  },
);
