import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const NAMES = ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0', '/proc/thread-self/fd/0', '/dev/../dev/stdin'];

describe.each(NAMES)('standard input as %s', (name) => {
  test('reads standard input as the list, the API key or the message', async () => {
    const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
    const list = 'email,status\nana@example.com,subscribed\n';
    const imported = await world.svc(['contacts', 'import', name, '--json'], { stdin: list });
    expect(imported.json.rows).toMatchObject({ read: 1, created: 1 });

    const key = { stdin: world.emulator.apiKey, env: { SVC_API_KEY: '' } };
    expect((await world.svc(['audiences', 'ls', '--api-key-file', name], key)).code).toBe(0);

    const mail = ['emails', 'send', '--from', 'me@example.com', '--to', 'ana@example.org', '--subject', 's'];
    expect((await world.svc([...mail, '--text-file', name], { stdin: 'Hello' })).code).toBe(0);
    expect(JSON.parse(world.requests().at(-1)?.body ?? '').text).toBe('Hello');
  });

  test.each([
    'contacts import -',
    'migrate -',
    'automations enroll aut_1 /dev/stdin',
    'emails send --from a@example.com --to b@example.com --subject s --text-file -',
  ])('refuses standard input for both the API key and svc %s', async (line) => {
    const world = await createWorld();
    const words = [...line.split(' '), '--api-key-file', name, '--json'];
    const { code, err } = await world.svc(words, { env: { SVC_API_KEY: '' }, stdin: 'email\n' });
    expect([code, JSON.parse(err).error.message, world.requests()]).toEqual([
      2,
      'standard input is named twice: for the API key and for something else',
      [],
    ]);
  });
});
