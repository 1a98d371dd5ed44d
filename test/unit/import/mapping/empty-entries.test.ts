import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';
import { makeZip } from '../make-zip.ts';

const LIST = 'Email,Status\na@example.com,subscribed\nb@example.com,subscribed\n';

/** Imports an archive with a list and an empty entry of this name. */
async function importBeside(name: string) {
  const world = await createWorld();
  const entries = [
    { name: 'people.csv', content: LIST },
    { name, content: '' },
  ];
  world.file('export.zip', makeZip(entries));
  return world.svc('contacts import export.zip --json');
}

test.each(['unsubscribed.csv', 'audience/Cleaned.csv', 'bounces/list.csv', 'old members.csv', 'abgemeldet.txt'])(
  'stops at the empty entry %s of an archive (C4)',
  async (name) => {
    const { code, err } = await importBeside(name);

    expect(code, err).toBe(2);
    expect(err).toContain(`export.zip (${name}) is empty`);
    expect(err).toContain('Export the list again');
  },
);

test('warns about an empty entry that may be a list', async () => {
  const { code, json } = await importBeside('segment 2.csv');

  expect(code).toBe(0);
  expect(json.findings).toContainEqual(
    expect.objectContaining({ check: 'columns', level: 'warn', message: expect.stringContaining('segment 2.csv') }),
  );
});

test('does not warn about an empty entry of people who opened a post', async () => {
  const { code, json } = await importBeside('posts/4.opens.csv');

  expect([code, JSON.stringify(json.findings).includes('opens')]).toEqual([0, false]);
});
