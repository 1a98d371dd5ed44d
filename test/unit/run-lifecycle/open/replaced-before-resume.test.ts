import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { csv } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';

const listOf = (name: string) =>
  csv('email,first_name,status', 2_500, (index) => `person${index}@example.com,${name},subscribed`);

test('offers to repeat the command when another machine wrote meanwhile (L4)', async () => {
  const world = await createWorld();
  const line = ['migrate', world.file('a.csv', listOf('Ana')), '--plan', 'paid', '--json'];
  const cut = await world.svc(line, stoppedAfterPost(2));
  const env = { XDG_STATE_HOME: join(world.folder, 'machine2') };
  const other = await world.svc(['migrate', world.file('b.csv', listOf('Ben')), '--plan', 'paid'], { env });

  const { code, json } = await world.svc(['runs', 'resume', cut.json.run, '--json']);
  const names = () => new Set(world.emulator.admin.contacts(world.emulator.audienceId).map((one) => one.first_name));
  const before = names();
  const again = await world.svc(line);

  expect([cut.code, other.code, code, before]).toEqual([130, 0, 8, new Set(['Ana', 'Ben'])]);
  expect(json.next).toEqual([
    `Compare the whole list with the audience: svc runs verify ${json.run}`,
    expect.stringMatching(/: the same command writes the whole list again\.$/),
  ]);
  expect([again.code, names(), again.json.rows.updated]).toEqual([0, new Set(['Ana']), 2_500]);
});
