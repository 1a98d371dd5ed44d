import { type Export, type Module, type Node, nameOf, visitsOf } from './module.ts';
import type { Rule } from './rule.ts';

/** Entries of the program: nobody imports them. */
const ENTRIES = ['src/main.ts'];

/** Exports that only tests use, and why they are there all the same. */
export const FOR_TESTS: Readonly<Record<string, string>> = {
  'src/cli.ts: createProgram': 'the README is compared with the tree of commands',
  'src/base/lib/manual-clock.ts: createManualClock': 'the clock that every test moves by hand',
  'src/base/os/terminal.ts: readTypedAnswer': 'a test types into streams, because it has no terminal',
  'src/base/os/choose.ts: chooseAtStreams': 'a test presses keys in streams, because it has no terminal',
  'src/wire/errors.ts: ERRORS':
    'its keys are the type of every error code; the table is compared with the service document',
  'src/wire/words.ts: AUTOMATION_TRIGGERS': 'the lists of words are compared with the service document',
  'src/wire/words.ts: SUPPRESSION_EVENT_REASONS': 'the lists of words are compared with the service document',
};

/** Whatever nobody imports is a promise nobody asked for. A type may stay when another export of its file names it. */
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

/** Code that runs in tests alone is tested for nothing. */
export const noExportsForTests: Rule = {
  claim: 'no export of src is there for tests alone',
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

/** Types count too: a circle of types is two ideas that are one. */
export const noCycles: Rule = {
  claim: 'no module imports itself by way of others',
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

interface Found {
  readonly path: string;
  readonly name: string;
  readonly bySource: boolean;
  readonly byTest: boolean;
}

function place({ path, name }: Found): string {
  return `${path}: ${name}`;
}

function exportsOf(modules: readonly Module[]): Found[] {
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

/** True for a type that the signature of another export names. */
function isNamedBeside({ exports }: Module, { name, isType, statement }: Export): boolean {
  return (
    isType &&
    exports.some(
      (other) =>
        other.statement !== statement && visitsOf(other.statement).some(({ node }) => namedType(node) === name),
    )
  );
}

/** The type that a node of a signature names, by use or by `extends`. */
function namedType(node: Node): string {
  return nameOf(node.type === 'TSInterfaceHeritage' ? node.expression : node.typeName);
}

/** Each circle once, told from its first path by the alphabet. */
function cyclesOf(modules: readonly Module[]): string[] {
  const links = new Map(
    modules
      .filter(({ path }) => path.startsWith('src/'))
      .map(({ path, imports }) => [path, imports.map(({ from }) => from)]),
  );
  const cycles = [...links.keys()].sort().map((start) => pathBack(links, start));
  return cycles.flatMap((cycle) => (cycle && cycle[0] === [...cycle].sort()[0] ? [cycle.join(' → ')] : []));
}

/** The shortest way from a module back to itself. */
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
