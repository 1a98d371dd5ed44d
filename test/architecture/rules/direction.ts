import { readFileSync } from 'node:fs';
import type { Import, Module } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

const PAGE = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');

/**
 * The rows of the table under "Import direction"; `src` stands for the files of src itself, whose folder is `''` here.
 */
const TABLE = [...PAGE.matchAll(/^\| `([\w-]+)` \|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, folder = '', values = '', types = '']) => ({
    folder: folderNamed(folder),
    values: foldersIn(values),
    types: foldersIn(types),
  }),
);

/** For each folder of src, the folders from which it may import values. */
const MAY_IMPORT = new Map(TABLE.map(({ folder, values }) => [folder, values]));

/** For each folder of src, the folders from which it may import types only. */
const MAY_IMPORT_TYPES = new Map(TABLE.map(({ folder, types }) => [folder, types]));

function foldersIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([\w-]+)`/g)].map(([, folder = '']) => folderNamed(folder));
}

function folderNamed(name: string): string {
  return name === 'src' ? '' : name;
}

/** Files of src that every folder may import, because they import nothing themselves. */
const LEAVES = ['src/version.ts'];

/** Reads its data from the table in docs/architecture.md. */
export const direction: Rule = {
  claim: 'imports follow the table of docs/architecture.md',
  broken: eachModule(['src/'], (module) =>
    module.imports.filter((link) => !mayImport(module, link)).map((link) => `may not import ${link.from}`),
  ),
  proof: {
    files: {
      'src/base/a.ts': `import { b } from '../api/b.ts';`,
      'src/api/b.ts': `import { c } from '../base/c.ts'; import chalk from 'chalk';`,
      'src/render/d.ts': `import type { T } from '../migrate/t.ts'; import { run } from '../migrate/run.ts';`,
      'src/emulator/e.ts': `const { get } = await import('../api/get.ts');`,
      'src/import/f.ts': `type R = import('../commands/run.ts').R;`,
      'src/elsewhere/g.ts': `import { h } from '../base/h.ts';`,
      'src/commands/h.ts': `import { i } from '../../test/i.ts';`,
    },
    says: [
      'src/base/a.ts: may not import src/api/b.ts',
      'src/render/d.ts: may not import src/migrate/run.ts',
      'src/emulator/e.ts: may not import src/api/get.ts',
      'src/import/f.ts: may not import src/commands/run.ts',
      'src/elsewhere/g.ts: may not import src/base/h.ts',
      'src/commands/h.ts: may not import test/i.ts',
    ],
  },
};

function mayImport({ path }: Module, { from, typeOnly }: Import): boolean {
  if (!from.includes('.ts') || LEAVES.includes(from)) {
    return true;
  }
  const [folder, target] = [folderOf(path), folderOf(from)];
  const allowed = [...(MAY_IMPORT.get(folder) ?? []), ...(typeOnly ? (MAY_IMPORT_TYPES.get(folder) ?? []) : [])];
  return from.startsWith('src/') && allowed.includes(target);
}

/** The folder below src; empty for the files of src itself. */
function folderOf(path: string): string {
  return path.split('/').slice(1, -1)[0] ?? '';
}
