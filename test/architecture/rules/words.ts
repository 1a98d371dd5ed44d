import { type Module, type Node, nameOf, type Visit } from '../module.ts';
import { eachModule, type Rule } from '../rule.ts';

/** Only main.ts uses `process`. It passes streams, environment, signal and clock on. */
export const noProcess: Rule = {
  claim: 'only main.ts uses the process',
  broken: eachModule(['src/'], (module) =>
    isMain(module) ? [] : mentions(module, ['process', 'globalThis', 'node:process', 'console']),
  ),
  proof: {
    files: {
      'src/main.ts': 'process.exitCode = 1;',
      'src/a.ts': 'const { env } = process; const process2 = globalThis.process; const x = { process: 1 }.process;',
      'src/b.ts': `import { argv } from 'node:process'; console.log(argv);`,
      'src/c.ts': `const told = 'process.exit'; /* process.exit */ type T = { process: string };`,
    },
    says: ['src/a.ts: process', 'src/a.ts: globalThis', 'src/b.ts: node:process', 'src/b.ts: console'],
  },
};

/**
 * Only clock.ts reads the time; all other files are given a `Clock`. `new Date(ms)` reads no clock, so it is allowed.
 */
export const noTime: Rule = {
  claim: 'only base/lib/clock.ts reads the time and waits',
  broken: eachModule(['src/'], (module) => (module.path === 'src/base/lib/clock.ts' ? [] : clocksIn(module))),
  proof: {
    files: {
      'src/base/lib/clock.ts': 'Date.now(); setTimeout(f, 1);',
      'src/a.ts': 'Date.now(); new Date(); Date(); setTimeout(f, 1); setInterval(f, 1); performance.now();',
      'src/b.ts': `import { setTimeout as wait } from 'node:timers/promises'; AbortSignal.timeout(5);`,
      'src/d.ts': `import { setImmediate } from 'node:timers/promises';`,
      'src/c.ts': 'new Date(5).toISOString(); Date.parse(x); Date.UTC(2026, 1); const now = clock.now();',
    },
    says: [
      'src/a.ts: setTimeout',
      'src/a.ts: setInterval',
      'src/a.ts: performance',
      'src/a.ts: Date.now',
      'src/a.ts: new Date()',
      'src/a.ts: Date()',
      'src/b.ts: setTimeout',
      'src/b.ts: node:timers/promises',
      'src/b.ts: AbortSignal.timeout',
    ],
  },
};

/** Randomness comes through Context, so that a test can control it. */
export const noChance: Rule = {
  claim: 'only main.ts makes random numbers',
  broken: eachModule(['src/'], (module) =>
    isMain(module) ? [] : [...mentions(module, DICE), ...calls(module, ['Math.random'])],
  ),
  proof: {
    files: {
      'src/main.ts': `import { randomBytes } from 'node:crypto'; randomBytes(3);`,
      'src/a.ts': `import { randomUUID } from 'node:crypto'; const x = Math.random();`,
      'src/b.ts': 'const id = context.randomHex(6); const n = Math.floor(1.5);',
    },
    says: ['src/a.ts: randomUUID', 'src/a.ts: Math.random'],
  },
};

/** Tests give the program a clock, a transport and streams. A mocked module proves nothing about the whole program. */
export const noMocks: Rule = {
  claim: 'tests mock no module, function or timer',
  broken: eachModule(['test/'], (module) => mentions(module, ['vi', 'jest', 'sinon'])),
  proof: {
    files: { 'test/a.test.ts': `import { vi } from 'vitest'; vi.mock('../src/a.ts'); const x = { vi: 1 };` },
    says: ['test/a.test.ts: vi'],
  },
};

/** A call can take about 120,000 arguments. With 250,000 rows of one address, `push(...rows)` overflowed the stack. */
export const noSpreadCalls: Rule = {
  claim: 'no array is spread into a call, except the values of one SQL statement and lists of words in the source',
  broken: eachModule(['src/'], (module) =>
    // The headers of a platform are literals in the source, so their number is known.
    module.path.startsWith('src/platforms/')
      ? []
      : module.visits.filter(({ node }) => spreadsArray(node)).map(({ node }) => `${calledName(node)}(...)`),
  ),
  proof: {
    files: {
      'src/a.ts': 'rows.push(...more); Math.max(0, ...widths); make(...parts); new Set(...pairs);',
      'src/b.ts': 'insert.run(...values); rows.push({ ...row }, [...cells]); const f = (...rest: string[]) => rest;',
    },
    says: ['src/a.ts: push(...)', 'src/a.ts: max(...)', 'src/a.ts: make(...)', 'src/a.ts: Set(...)'],
  },
};

/** A deep document overflows the stack of each recursive reader and writer. The emulator answers deep bodies itself. */
export const noDeepJson: Rule = {
  claim: 'only data of svc itself is parsed without the limit of parseJsonStrictly',
  broken: eachModule(['src/'], (module) =>
    OWN_DATA.some((start) => module.path.startsWith(start)) ? [] : calls(module, ['JSON.parse']),
  ),
  proof: {
    files: {
      'src/base/lib/json.ts': 'JSON.parse(text);',
      'src/runs/a.ts': 'JSON.parse(text);',
      'src/a.ts': 'parseJsonStrictly(text); JSON.parse(text);',
    },
    says: ['src/a.ts: JSON.parse'],
  },
};

const OWN_DATA = [
  'src/base/lib/json.ts',
  'src/runs/',
  'src/contacts-check/',
  'src/emulator/',
  'src/import/batch/',
  'src/import/dedupe/',
];

const STATEMENT_METHODS = ['run', 'get', 'all', 'iterate'];

function spreadsArray(node: Node): boolean {
  const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
  const given = Array.isArray(node.arguments) ? (node.arguments as readonly Node[]) : [];
  return isCall && given.some(({ type }) => type === 'SpreadElement') && !STATEMENT_METHODS.includes(calledName(node));
}

function calledName({ callee }: Node): string {
  const called = callee as Node;
  return called.type === 'MemberExpression' ? nameOf(called.property) : nameOf(called);
}

const DICE = ['randomBytes', 'randomUUID', 'randomInt', 'getRandomValues', 'webcrypto'];
const TIMERS = ['setTimeout', 'setInterval', 'performance'];

function isMain({ path }: Module): boolean {
  return path === 'src/main.ts';
}

function clocksIn(module: Module): string[] {
  const found = module.visits.flatMap(({ node }) => bareDate(node));
  return [
    ...mentions(module, TIMERS),
    ...timersOf(module),
    ...calls(module, ['Date.now', 'AbortSignal.timeout']),
    ...new Set(found),
  ];
}

/** Timers can also be imported under a namespace. setImmediate doesn't wait, so it is allowed. */
function timersOf({ imports }: Module): string[] {
  return imports
    .filter(
      ({ from, names }) =>
        /^(node:)?timers(\/promises)?$/.test(from) && !names.every((name) => name === 'setImmediate'),
    )
    .map(({ from }) => from);
}

function bareDate(node: Node): string[] {
  const isDate = nameOf(node.callee) === 'Date';
  if (node.type === 'CallExpression' && isDate) {
    return ['Date()'];
  }
  const isBare = Array.isArray(node.arguments) && node.arguments.length === 0;
  return node.type === 'NewExpression' && isDate && isBare ? ['new Date()'] : [];
}

/**
 * The words that the module uses as a variable or imports, each once. Properties and texts of that name don't count.
 */
function mentions(module: Module, words: readonly string[]): string[] {
  const used = new Set([...module.visits.flatMap(variableAt), ...module.imports.map(({ from }) => from)]);
  return words.filter((word) => used.has(word));
}

function variableAt({ node, field, above }: Visit): string[] {
  const isKey = field === 'key' || (field === 'property' && !above?.node.computed);
  return node.type === 'Identifier' && !isKey ? [nameOf(node)] : [];
}

/** The uses of `object.method` in the module, each once. */
function calls(module: Module, methods: readonly string[]): string[] {
  const used = new Set(
    module.visits
      .filter(({ node }) => node.type === 'MemberExpression')
      .map(({ node }) => `${nameOf(node.object)}.${nameOf(node.property)}`),
  );
  return methods.filter((method) => used.has(method));
}
