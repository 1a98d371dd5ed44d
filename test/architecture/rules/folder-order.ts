import { readFileSync } from 'node:fs';
import type { Module } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

const PAGE = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');

/** The ordered folders, such as `import/source`, from the tables whose rows begin with such a path. */
const ORDER = [...PAGE.matchAll(/^\| `([\w-]+\/[\w-]+)` \|/gm)].map(([, folder = '']) => folder);

/** The top folders whose subfolders such a table puts in order. */
const ORDERED = new Set(ORDER.map(topOf));

/** Reads its data from the tables in docs/architecture.md. */
export const folderOrder: Rule = {
  claim: 'an ordered folder imports only from folders above it in docs/architecture.md',
  broken: eachModule(
    [...ORDERED].map((top) => `src/${top}/`),
    (module) => {
      const folder = folderOf(module.path);
      const below = linksInside(module).filter((target) => placeOf(target) > placeOf(folder));
      const missing = placeOf(folder) < 0 ? [`${folder} is not in the table`] : [];
      return [...missing, ...below.map((target) => `may not import from ${target}`)];
    },
  ),
  proof: {
    files: {
      'src/import/source/a.ts': `import { b } from '../csv/b.ts';`,
      'src/import/csv/b.ts': `import { a } from '../source/a.ts'; import { c } from './deep/c.ts';`,
      'src/import/csv/deep/c.ts': `import type { D } from '../../rejects/d.ts';`,
      'src/import/other/d.ts': `import { e } from '../e.ts';`,
      'src/import/e.ts': `import { a } from './source/a.ts';`,
    },
    says: [
      'src/import/source/a.ts: may not import from import/csv',
      'src/import/csv/deep/c.ts: may not import from import/rejects',
      'src/import/other/d.ts: import/other is not in the table',
      'src/import/other/d.ts: may not import from import',
    ],
  },
};

/** A reader of two such folders can't begin with either. */
export const noTwoWayFolders: Rule = {
  claim: 'no two folders of one top folder import each other',
  broken: (modules) => twoWayPairs(modules),
  proof: {
    files: {
      'src/api/http/a.ts': `import { b } from '../retry/b.ts'; import { c } from '../../base/c.ts';`,
      'src/api/retry/b.ts': '',
      'src/api/retry/c.ts': `import type { A } from '../http/deep/a.ts';`,
      'src/api/d.ts': `import { a } from './http/a.ts';`,
      'src/base/c.ts': `import { d } from '../api/d.ts';`,
    },
    says: ['api/http ↔ api/retry'],
  },
};

/** The pairs of folders that import each other. The files directly in a top folder count as one of its folders. */
function twoWayPairs(modules: readonly Module[]): string[] {
  const sources = modules.filter(({ path }) => /^src\/[\w-]+\//.test(path));
  const links = new Set(
    sources.flatMap((module) => linksInside(module).map((target) => `${folderOf(module.path)} ↔ ${target}`)),
  );
  return [...links].filter((link) => {
    const [first = '', second = ''] = link.split(' ↔ ');
    return first < second && links.has(`${second} ↔ ${first}`);
  });
}

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

/** The place in the table. The files directly in a top folder come last. -1 for a folder that has no place. */
function placeOf(folder: string): number {
  return ORDERED.has(folder) ? ORDER.length : ORDER.indexOf(folder);
}

function topOf(folder: string): string {
  return folder.split('/')[0] ?? '';
}
