import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { people } from '../../../support/lists.ts';
import { createWorld } from '../../../support/world.ts';
import { makeZip } from '../../import/make-zip.ts';

const LONG = `${'ä'.repeat(300)}.csv`;

test('writes a rejects file when the name of an archive entry is too long (D9)', async () => {
  const world = await createWorld();
  const content = `${people(3)}nobody,Name,subscribed\n`;
  const list = world.file(
    'lists.zip',
    makeZip([
      { name: LONG, content },
      { name: `b/${LONG}`, content: people(2, 5) },
    ]),
  );

  const result = await world.svc(['migrate', list, '--json', '--yes']);

  expect([result.code, result.err]).toEqual([3, '']);
  expect(result.json.rows).toMatchObject({ created: 5, rejected: 1 });
  const [rejects] = result.json.files.rejects;
  expect(readFileSync(rejects, 'utf8')).toContain(`${LONG},5,`);
  expect(readdirSync(join(rejects, '..'))).toHaveLength(1);
});

test('refuses to send anything when the rejects file cannot be written (D9)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', `${people(3)}nobody,Name,subscribed\n`);
  const runs = join(world.folder, 'state', 'svc', 'runs');
  const spoil = () => writeFileSync(join(runs, readdirSync(runs)[0]!, 'rejects'), '');
  let spoiled = false;

  const result = await world.svc(['migrate', list, '--json', '--yes'], {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        if (!spoiled && existsSync(runs) && readdirSync(runs).length > 0) {
          spoiled = true;
          spoil();
        }
        return inner.send(request, signal);
      },
    }),
  });

  expect([spoiled, result.code]).toEqual([true, 1]);
  expect(JSON.parse(result.err).error.code).toBe('state_unwritable');
  expect(world.requests().filter(({ method }) => method === 'POST')).toEqual([]);
});
