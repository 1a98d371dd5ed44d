import { dirname } from 'node:path/posix';
import type { Module, Node, Visit } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

const FEWEST_FILES = 3;
const MAX_FILES = 12;
// A folder of test may hold more files than one of src, because tests stand beside their helpers.
const MAX_TEST_FILES = 15;
const FEWEST_LINES = 20;
const DEEPEST = 3;

/** Folders of a catalog have no upper limit, and their files may be short: a platform is one file. */
const CATALOGS = ['src/platforms'];

/** Each command group has its own folder, even with one verb. */
const COMMAND_GROUP = /^src\/commands\/[a-z]+$/;

/**
 * Files that may be short: entry points of the program, of a thread or of a lazily loaded package; command groups; and
 * public types of a folder.
 */
const MAY_BE_SHORT =
  /(^src\/[a-z]+|-entry|\/types|\.d|\/undici(?:-proxy)?|\/commands\/(?:([a-z]+)\/\2|migrate)|\/routes\/table)\.ts$/;

/** A reader can take in 3 to 12 files at once. */
export const folderSizes: Rule = {
  claim: `a folder of src holds ${FEWEST_FILES} to ${MAX_FILES} files`,
  broken: (modules) =>
    [...Map.groupBy(sourcesOf(modules), ({ path }) => dirname(path))]
      .filter(([folder, { length }]) => length > MAX_FILES || (length < FEWEST_FILES && !mayBeSmall(folder, modules)))
      .filter(([folder]) => !CATALOGS.includes(folder))
      .map(([folder, { length }]) => `${folder}: ${length} files`),
  proof: {
    files: Object.fromEntries(
      [
        ...Array.from({ length: 13 }, (_, at) => `src/many/${at}.ts`),
        'src/few/a.ts',
        'src/few/b.ts',
        'src/group/a.ts',
        ...['a', 'b', 'c'].map((name) => `src/group/deep/${name}.ts`),
      ].map((path) => [path, '']),
    ),
    says: ['src/many: 13 files', 'src/few: 2 files'],
  },
};

/** Test folders have no lower limit, because they follow the folders of src. */
export const testFolderSizes: Rule = {
  claim: `a folder of test holds at most ${MAX_TEST_FILES} files`,
  broken: (modules) =>
    [...Map.groupBy(modules, ({ path }) => dirname(path))]
      .filter(([folder, { length }]) => folder.startsWith('test/') && length > MAX_TEST_FILES)
      .map(([folder, { length }]) => `${folder}: ${length} files`),
  proof: {
    files: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`test/many/${index}.test.ts`, ''])),
    says: ['test/many: 16 files'],
  },
};

/** The content of a shorter file belongs into the file that uses it. */
export const noFragments: Rule = {
  claim: `no file of src has fewer than ${FEWEST_LINES} lines`,
  broken: eachModule(['src/'], ({ path, lines }) =>
    lines < FEWEST_LINES && !MAY_BE_SHORT.test(path) && !CATALOGS.includes(dirname(path)) ? [`${lines} lines`] : [],
  ),
  proof: {
    files: { 'src/a/b.ts': '\n'.repeat(19), 'src/a/c.ts': '\n'.repeat(20), 'src/a/types.ts': '', 'src/main.ts': '' },
    says: ['src/a/b.ts: 19 lines'],
  },
};

const STEPS = ['IfStatement', 'ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement', 'DoWhileStatement'];
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Counts nested conditions and loops within one function. `else if` adds no level. */
export const shallow: Rule = {
  claim: `no function nests deeper than ${DEEPEST} levels`,
  broken: eachModule(['src/'], ({ visits, text }) =>
    visits
      .filter((visit) => isStep(visit) && depthOf(visit) === DEEPEST + 1)
      .map(({ node }) => `line ${text.slice(0, Number(node.start)).split('\n').length}`),
  ),
  proof: {
    files: {
      'src/a.ts': 'function f() { if (a) { for (;;) { while (b) { if (c) { d(); } } } } }',
      'src/b.ts': 'function f() { if (a) { for (;;) { while (b) { c(() => { if (d) { e(); } }); } } } }',
      'src/c.ts': 'function f() { if (a) { b(); } else if (c) { d(); } else if (e) { g(); } else if (h) { i(); } }',
    },
    says: ['src/a.ts: line 1'],
  },
};

/** One name has one meaning in each of the two programs. The client and the emulator may use the same name. */
export const noDoubleNames: Rule = {
  claim: 'no two files of one program export the same name',
  broken: (modules) =>
    [...Map.groupBy(exportsOf(modules), ({ program, name }) => `${program}${name}`).values()]
      .filter((same) => same.length > 1)
      .map((same) => `${same[0]?.name}: ${same.map(({ path }) => path).join(', ')}`),
  proof: {
    files: {
      'src/a.ts': 'export const one = 1; export interface Two {}',
      'src/b.ts': 'export const one = 1; export const two = 2;',
      'src/emulator/c.ts': 'export const two = 2;',
    },
    says: ['one: src/a.ts, src/b.ts'],
  },
};

function exportsOf(modules: readonly Module[]) {
  return sourcesOf(modules).flatMap(({ path, exports }) => {
    const program = path.startsWith('src/emulator/') ? 'emulator ' : 'client ';
    return [...new Set(exports.map(({ name }) => name))].map((name) => ({ program, path, name }));
  });
}

function sourcesOf(modules: readonly Module[]): readonly Module[] {
  return modules.filter(({ path }) => path.startsWith('src/'));
}

function mayBeSmall(folder: string, modules: readonly Module[]): boolean {
  return (
    COMMAND_GROUP.test(folder) || modules.some(({ path }) => path.startsWith(`${folder}/`) && dirname(path) !== folder)
  );
}

function isStep({ node, field, above }: Visit): boolean {
  const elseIf = node.type === 'IfStatement' && field === 'alternate' && above?.node.type === 'IfStatement';
  return STEPS.includes(node.type) && !elseIf;
}

function depthOf(visit: Visit): number {
  const here = isStep(visit) ? 1 : 0;
  return visit.above === undefined || isFunction(visit.node) ? here : here + depthOf(visit.above);
}

function isFunction({ type }: Node): boolean {
  return FUNCTIONS.includes(type);
}
