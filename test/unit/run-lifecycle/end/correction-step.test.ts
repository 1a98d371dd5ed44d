import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { createWorld } from '../../../support/world.ts';

const STEP = /^Correct (\d) rows? in (.*) and give the (files?) to the same command\.$/;

test.each([
  [['a.csv'], 'file'],
  [['a.csv', 'b list.csv'], 'files'],
  [['a.csv', "it's b.csv", 'c.csv'], 'files'],
])('prints paths of the rejects files of %j that the command accepts (C9)', async (names, word) => {
  const world = await createWorld();
  for (const [index, name] of names.entries()) {
    world.file(name, `email,status\nana${index}@example.com,subscribed\nbo${index} at example.com,subscribed\n`);
  }
  const flags = ['--max-failures', '100%', '--json'];
  const { json } = await world.svc(['migrate', ...names, ...flags]);
  const step = json.next.find((each: string) => STEP.test(each)) ?? '';
  const [, rows, paths = '', noun] = STEP.exec(step) ?? [];
  const files = splitShellText(paths);
  expect([Number(rows), noun, files]).toEqual([names.length, word, json.files.rejects]);

  for (const file of files) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(' at ', '@'));
  }
  const again = await world.svc(['migrate', ...files, ...flags]);
  expect([again.code, again.json.rows]).toMatchObject([0, { read: names.length, created: names.length }]);
});
