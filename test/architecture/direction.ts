import type { Import, Module } from './module.ts';
import { eachModule, type Rule } from './rule.ts';

const LOWEST = ['base', 'wire'];
const ENGINE = [...LOWEST, 'api', 'runs', 'import', 'platforms', 'migrate'];
const ENGINES = [...ENGINE, 'enroll'];
const ALL = [...ENGINES, 'render', 'emulator', 'commands', ''];

/** Folder of src to the folders that it may import from; `''` stands for the files of src itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: LOWEST,
  wire: LOWEST,
  api: [...LOWEST, 'api'],
  runs: [...LOWEST, 'runs'],
  import: [...LOWEST, 'api', 'runs', 'import', 'platforms'],
  platforms: [...LOWEST, 'api', 'runs', 'import', 'platforms'],
  migrate: ENGINE,
  enroll: ENGINES,
  render: ['base', 'render'],
  emulator: [...LOWEST, 'emulator'],
  commands: [...ENGINES, 'render', 'emulator', 'commands', ''],
  '': ALL,
};

/** Renderers look at what the engine made, and never call it. */
const MAY_IMPORT_TYPES: Readonly<Record<string, readonly string[]>> = { render: ENGINE };

/** Files of src that everybody may import: they import nothing themselves. */
const LEAVES = ['src/version.ts'];

/** base, wire ← api, runs ← import, platforms ← migrate ← enroll ← commands ← cli; render and emulator stand beside. */
export const direction: Rule = {
  claim: 'imports go one way',
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
  const allowed = [...(MAY_IMPORT[folder] ?? []), ...(typeOnly ? (MAY_IMPORT_TYPES[folder] ?? []) : [])];
  return from.startsWith('src/') && allowed.includes(target);
}

/** The folder below src; empty for the files of src itself. */
function folderOf(path: string): string {
  return path.split('/').slice(1, -1)[0] ?? '';
}
