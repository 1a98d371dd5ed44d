import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

test('names SVC_API_KEY_FILE in the hint when its file has no key', async () => {
  const world = await createWorld();
  world.file('empty', '\n');
  for (const file of ['gone', 'empty']) {
    const { code, err } = await world.svc('audiences ls --json', { env: { SVC_API_KEY_FILE: file } });
    expect([code, JSON.parse(err).error.hint]).toEqual([4, 'Unset SVC_API_KEY_FILE, or correct it.']);
    const typed = await world.svc(`audiences ls --json --api-key-file ${file}`);
    expect([typed.code, JSON.parse(typed.err).error.hint]).toEqual([4, expect.stringContaining('Set SVC_API_KEY,')]);
  }
});
