import { type Export, type Module, type Node, nameOf, visitsOf } from './module.ts';
import type { Rule } from './rule.ts';

/** Entry points, which no file imports. */
const ENTRIES = ['src/main.ts'];

/** Exports that only tests use, each with its reason. */
export const FOR_TESTS: Readonly<Record<string, string>> = {
  'src/cli.ts: createProgram': 'the README is compared with the tree of commands',
  'src/base/os/terminal.ts: readTypedAnswer': 'a test types into streams, because it has no terminal',
  'src/base/os/terminal.ts: chooseAtStreams': 'a test presses keys in streams, because it has no terminal',
  'src/emulator/admin/routes.ts: ADMIN_ROUTES': 'the README of the emulator is compared with the table',
};

/** An export without an importer is dead code. A type may stay when another export of its file names it. */
export const noDeadExports: Rule = {
  claim: 'every export of src is imported somewhere',
  broken: (modules) =>
    exportsOf(modules)
      .filter((found) => !found.bySource && !found.byTest)
      .map(place),
  proof: {
    files: {
      'src/a.ts':
        'export const used = 1; export const dead = 2; export interface Named { x: 1 } export interface Dead2 {}',
      'src/b.ts': `import { used } from './a.ts'; export function b(): B2 { return used; } export interface B2 extends B3 {} export interface B3 {}`,
      'src/c.ts': `const { d } = await import('./d.ts'); d; (await import('./b.ts')).b();`,
      'src/d.ts': 'export const d = 1; export const e = 2; export function f(n: Named): void {}',
      'src/main.ts': 'export const main = 1;',
    },
    says: ['src/a.ts: dead', 'src/a.ts: Named', 'src/a.ts: Dead2', 'src/d.ts: e', 'src/d.ts: f'],
  },
};

/** An export that only tests use is dead code with tests. */
export const noExportsForTests: Rule = {
  claim: 'no export of src is used by tests only',
  broken: (modules) =>
    exportsOf(modules)
      .filter((found) => !found.bySource && found.byTest)
      .map(place)
      .filter((found) => !(found in FOR_TESTS)),
  proof: {
    files: {
      'src/a.ts': 'export const tested = 1; export const used = 2;',
      'src/b.ts': `import { used } from './a.ts'; used;`,
      'test/a.test.ts': `import { tested, used } from '../src/a.ts'; tested + used;`,
    },
    says: ['src/a.ts: tested'],
  },
};

/** Imports of types count too: modules that need each other's types belong together. */
export const noCycles: Rule = {
  claim: 'imports form no cycle',
  broken: cyclesOf,
  proof: {
    files: {
      'src/a.ts': `import { b } from './b.ts';`,
      'src/b.ts': `import type { C } from './c.ts';`,
      'src/c.ts': `const { a } = await import('./a.ts');`,
      'src/d.ts': `import { a } from './a.ts'; import { e } from './e.ts';`,
      'src/e.ts': '',
    },
    says: ['src/a.ts → src/b.ts → src/c.ts → src/a.ts'],
  },
};

interface ExportUse {
  readonly path: string;
  readonly name: string;
  readonly bySource: boolean;
  readonly byTest: boolean;
}

function place({ path, name }: ExportUse): string {
  return `${path}: ${name}`;
}

function exportsOf(modules: readonly Module[]): ExportUse[] {
  const bySource = usesOf(modules.filter(({ path }) => path.startsWith('src/')));
  const byTest = usesOf(modules.filter(({ path }) => !path.startsWith('src/')));
  return modules
    .filter(({ path }) => path.startsWith('src/') && !ENTRIES.includes(path))
    .flatMap((module) =>
      module.exports.map((found) => ({
        path: module.path,
        name: found.name,
        bySource: isUsed(bySource, module.path, found.name) || isNamedBeside(module, found),
        byTest: isUsed(byTest, module.path, found.name),
      })),
    );
}

function usesOf(modules: readonly Module[]): ReadonlySet<string> {
  const links = modules.flatMap(({ imports }) => imports);
  return new Set(links.flatMap(({ from, names }) => names.map((name) => `${from}: ${name}`)));
}

function isUsed(uses: ReadonlySet<string>, path: string, name: string): boolean {
  return uses.has(`${path}: ${name}`) || uses.has(`${path}: *`);
}

/** True for a type that occurs in the signature of another export of the module. */
function isNamedBeside({ exports }: Module, { name, isType, statement }: Export): boolean {
  return (
    isType &&
    exports.some(
      (other) =>
        other.statement !== statement && visitsOf(other.statement).some(({ node }) => namedType(node) === name),
    )
  );
}

/** The name of the type that a node of a signature uses or extends. */
function namedType(node: Node): string {
  return nameOf(node.type === 'TSInterfaceHeritage' ? node.expression : node.typeName);
}

/** Each cycle once. It starts with the path that comes first in the alphabet. */
function cyclesOf(modules: readonly Module[]): string[] {
  const links = new Map(modules.map(({ path, imports }) => [path, imports.map(({ from }) => from)]));
  const cycles = [...links.keys()].sort().map((start) => pathBack(links, start));
  return cycles.flatMap((cycle) => (cycle && cycle[0] === [...cycle].sort()[0] ? [cycle.join(' → ')] : []));
}

/** The shortest chain of imports from a module back to itself. */
function pathBack(links: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const seen = new Set<string>();
  let ways: string[][] = [[start]];
  while (ways.length > 0) {
    const next = ways.flatMap((way) => (links.get(way.at(-1) ?? '') ?? []).map((to) => [...way, to]));
    const back = next.find((way) => way.at(-1) === start);
    if (back) {
      return back;
    }
    ways = next.filter((way) => fresh(seen, way.at(-1) ?? ''));
  }
  return undefined;
}

function fresh(seen: Set<string>, path: string): boolean {
  const isNew = !seen.has(path);
  seen.add(path);
  return isNew;
}
