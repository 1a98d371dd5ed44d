import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

test('warns when a list was imported before, also in a dry run', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', people(3));
  const other = world.file('other.csv', people(3, 10));
  const run = async (...flags: string[]) => (await world.svc(['migrate', list, '--json', ...flags])).json;
  const foundIn = ({ findings }: { findings: readonly { check: string; level: string; message: string }[] }) =>
    findings.filter(({ check }) => check === 'imported_before').map(({ level, message }) => [level, message]);

  const first = await run();
  const dry = await run('--dry-run');
  const second = await run();
  const another = (await world.svc(['migrate', other, '--json'])).json;
  const shown = await world.svc(['migrate', list]);

  const message = (id: string) =>
    `this list was imported before (${id}): importing it again brings back people deleted since`;
  expect([first, dry, second, another].map(foundIn)).toEqual([
    [],
    [['warn', message(first.run)]],
    [['warn', message(first.run)]],
    [],
  ]);
  expect(shown.err).toContain('Z warning: this list was imported before (run_');
});

test('the warning of a repeated import names opt-outs when the list has some', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', 'email,status\nana@example.com,subscribed\nben@example.com,unsubscribed\n');
  await world.svc(['migrate', list]);
  expect((await world.svc(['migrate', list])).err).toContain('deleted since, and opts out people who came back since');
});
