import { type Module, nameOf } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

const LONGEST_FILE = 300;
const MAX_PARAMETERS = 4;
const LONGEST_COMMENT_LINE = 120;

/** Named exports keep one name in all files. */
export const noDefaultExports: Rule = {
  claim: 'no file has a default export',
  broken: eachModule(['src/', 'test/'], ({ exports }) =>
    exports.filter(({ name }) => name === 'default').map(() => 'default export'),
  ),
  proof: {
    files: {
      'src/a.ts': 'export default 1;',
      'src/b.ts': 'const b = 1; export { b as default };',
      'src/c.ts': 'export const c = 1;',
    },
    says: ['src/a.ts: default export', 'src/b.ts: default export'],
  },
};

/** Every import names the file that defines the thing. */
export const noBarrels: Rule = {
  claim: 'no file re-exports from another one',
  broken: eachModule(['src/', 'test/'], ({ statements }) =>
    statements
      .filter(({ type, source }) => type === 'ExportAllDeclaration' || (type === 'ExportNamedDeclaration' && source))
      .map(({ source }) => `passes on ${nameOf(source)}`),
  ),
  proof: {
    files: {
      'src/a.ts': `export * from './x.ts'; export { y } from './y.ts'; export type { Z } from './z.ts';`,
      'src/b.ts': `import { x } from './x.ts'; export const b = x;`,
    },
    says: ['src/a.ts: passes on ./x.ts', 'src/a.ts: passes on ./y.ts', 'src/a.ts: passes on ./z.ts'],
  },
};

export const shortFiles: Rule = {
  claim: `no file is longer than ${LONGEST_FILE} lines`,
  broken: eachModule(['src/', 'scripts/'], ({ lines }) => (lines > LONGEST_FILE ? [`${lines} lines`] : [])),
  proof: {
    files: { 'src/a.ts': '\n'.repeat(300), 'src/b.ts': '\n'.repeat(301) },
    says: ['src/b.ts: 301 lines'],
  },
};

/** The formatter doesn't wrap comments. */
export const shortComments: Rule = {
  claim: `no line of a comment is longer than ${LONGEST_COMMENT_LINE} characters`,
  broken: eachModule(['src/', 'test/', 'scripts/'], ({ text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        line.length > LONGEST_COMMENT_LINE && /^\s*(?:\/\/|\/?\*)/.test(line) ? [`line ${index + 1}`] : [],
      ),
  ),
  proof: {
    files: {
      'src/a.ts': `// ${'a'.repeat(117)}\n// ${'a'.repeat(118)}\nconst a = '${'a'.repeat(120)}';`,
      'src/b.ts': `/**\n * ${'b'.repeat(118)}\n */`,
    },
    says: ['src/a.ts: line 2', 'src/b.ts: line 2'],
  },
};

/** State is kept in closures. Only errors are classes. */
export const noClasses: Rule = {
  claim: 'errors are the only classes',
  broken: eachModule(['src/'], ({ visits }) =>
    visits
      .filter(({ node }) => node.type.startsWith('Class') && 'superClass' in node)
      .filter(({ node }) => !nameOf(node.superClass).endsWith('Error'))
      .map(({ node }) => `class ${nameOf(node.id)}`),
  ),
  proof: {
    files: { 'src/a.ts': 'class A {} class B extends A {} class C extends SvcError {}' },
    says: ['src/a.ts: class A', 'src/a.ts: class B'],
  },
};

/**
 * With more than four parameters, an options object names each value at the call. Constructors of errors are exempt.
 */
export const fewParameters: Rule = {
  claim: `no function takes more than ${MAX_PARAMETERS} parameters`,
  broken: eachModule(['src/'], (module) =>
    functionsOf(module)
      .filter(({ name, count }) => name !== 'constructor' && count > MAX_PARAMETERS)
      .map(describeCount),
  ),
  proof: {
    files: {
      'src/a.ts':
        'function f(a, b, c, d, e) {} class E extends Error { constructor(a, b, c, d, e) {} } const g = (a, b, c, d) => 1; const h = (a, b, c, d, e) => 1;',
      'src/b.ts': 'interface I { m(a: A, b: B, c: C, d: D, e: E): void }',
    },
    says: ['src/a.ts: f takes 5', 'src/a.ts: h takes 5', 'src/b.ts: m takes 5'],
  },
};

interface ParameterCount {
  readonly name: string;
  readonly count: number;
}

function functionsOf({ visits }: Module): ParameterCount[] {
  return visits
    .filter(({ node }) => Array.isArray(node.params) && !node.type.startsWith('TSTypeParameter'))
    .map(({ node, above }) => ({
      name: nameOf(node.id) || nameOf(node.key) || nameOf(above?.node.id) || nameOf(above?.node.key) || 'a function',
      count: (node.params as readonly unknown[]).length,
    }));
}

function describeCount({ name, count }: ParameterCount): string {
  return `${name} takes ${count}`;
}
