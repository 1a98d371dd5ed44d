import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { commandPages } from '../../scripts/command-pages.ts';

const ROOT = join(import.meta.dirname, '../..');
const pages = await commandPages();

test('the reference and man pages equal --help (`npm run reference`)', () => {
  const folders = ['docs/reference', 'man'];
  const found = folders.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`));
  expect(found.sort()).toEqual([...pages.keys()].sort());
  const stale = [...pages].filter(([path, text]) => readFileSync(join(ROOT, path), 'utf8') !== text);
  expect(stale.map(([path]) => path)).toEqual([]);
});

test('package.json lists every man page', () => {
  const names = [...pages.keys()].filter((path) => path.startsWith('man/')).map((path) => `./${path}`);
  expect([...manifest.man].sort()).toEqual(names.sort());
});
