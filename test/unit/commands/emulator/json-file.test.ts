import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const COMMANDS = [
  ['--seed', 'emulator start --port 0 --seed file.json'],
  ['--faults', 'emulator start --port 0 --faults file.json'],
  ['--mapping', 'migrate list.csv --dry-run --mapping file.json'],
] as const;

const UNREADABLE = [
  ['{"account":{"plan":"free"},\n"account":{}}', 'account is there twice, line 2'],
  ['{"account":{"plan":"free",\n\n"pl\\u0061n":"paid"}}', 'account.plan is there twice, line 3'],
  [
    '{"rules":[{"kind":"cut"},\n{"kind":"cut","match":{"key":"a"},"kind":"cut"}]}',
    'rules[1].kind is there twice, line 2',
  ],
  ['[[1,2],[{"a":[{}]},{"a":{"b":1,"b":[{"c":1}]}}]]', '[1][1].a.b is there twice, line 1'],
  ['{"a:\\"{,b":1,"c":"a","a:\\"{,b":2}', 'a:"{,b is there twice, line 1'],
  ['{"":1,"a":{"":2,"":3}}', 'a. is there twice, line 1'],
  ['{"a":1}\xff', "it isn't UTF-8, line 1"],
  ['{\n"a":\n"caf\xe9"}', "it isn't UTF-8, line 3"],
] as const;

test.each(COMMANDS.flatMap(([flag, line]) => UNREADABLE.map(([text, says]) => [flag, text, says, line] as const)))(
  'refuses the file of %s when it holds %j: %s',
  async (_, text, says, line) => {
    const world = await createWorld();
    world.file('list.csv', 'email\nana@example.com\n');
    writeFileSync(join(world.folder, 'file.json'), Buffer.from(text, 'latin1'));
    const { code, err } = await world.svc(line);
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  },
);

test.each([
  '{"account":{"plan":"free"},"contacts":[{"email":"a@example.com"},{"email":"b@example.com"}]}',
  '\ufeff{"contacts":[{"email":"a@example.com","attributes":{"email_text":"email: {a,b}","b":"a"}}],"automations":[]}',
])('accepts a seed when no object has the same key twice: %j', async (text) => {
  const world = await createWorld();
  world.file('seed.json', text);
  const stop = new AbortController();
  const { code } = await world.svc('emulator start --json --port 0 --seed seed.json', {
    signal: stop.signal,
    onWrite: () => stop.abort(),
  });
  expect(code).not.toBe(2);
});
