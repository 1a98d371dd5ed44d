import { readFileSync } from 'node:fs';
import type { Module } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

const PAGE = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');

/** The ordered folders, such as `import/source`, from the tables whose rows begin with the path of a folder. */
const ORDER = [...PAGE.matchAll(/^\| `(\w+\/[\w-]+)` \|/gm)].map(([, folder = '']) => folder);

/** The top folders that have such a table. */
const ORDERED = new Set(ORDER.map(topOf));

/** Reads its data from the tables in docs/architecture.md. */
export const folderOrder: Rule = {
  claim: 'an ordered folder imports only from folders above it in docs/architecture.md',
  broken: eachModule(
    [...ORDERED].map((top) => `src/${top}/`),
    (module) => {
      const folder = folderOf(module.path);
      const below = linksInside(module).filter((target) => ORDER.indexOf(target) > ORDER.indexOf(folder));
      const missing = ORDER.includes(folder) ? [] : [`${folder} is not in the table`];
      return [...missing, ...below.map((target) => `may not import from ${target}`)];
    },
  ),
  proof: {
    files: {
      'src/import/source/a.ts': `import { b } from '../csv/b.ts';`,
      'src/import/csv/b.ts': `import { a } from '../source/a.ts'; import { c } from './deep/c.ts';`,
      'src/import/csv/deep/c.ts': `import type { D } from '../../rejects/d.ts';`,
      'src/import/other/d.ts': '',
    },
    says: [
      'src/import/source/a.ts: may not import from import/csv',
      'src/import/csv/deep/c.ts: may not import from import/rejects',
      'src/import/other/d.ts: import/other is not in the table',
    ],
  },
};

/** The folders of the same top folder from which a module imports, without its own. */
function linksInside({ path, imports }: Module): string[] {
  const folder = folderOf(path);
  const targets = imports.filter(({ from }) => from.startsWith('src/')).map(({ from }) => folderOf(from));
  return [...new Set(targets)].filter((target) => topOf(target) === topOf(folder) && target !== folder);
}

/** The first two folders of a path below src: `import/csv`. For a file directly in a top folder: `import`. */
function folderOf(path: string): string {
  return path.split('/').slice(1, -1).slice(0, 2).join('/');
}

function topOf(folder: string): string {
  return folder.split('/')[0] ?? '';
}
