import { globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * What makes short commands start sooner. Each part takes something out of their way:
 *
 * - Node's own modules are asked for by name. An `import` of one goes through a facade that reads every export it has,
 *   and so loads what nobody asked for (workers, the certificates of crypto).
 * - Parts of packages that are never reached: programs as subcommands, HTTP/2.
 * - Files that nearly every command needs are one chunk instead of forty.
 */
export const lean: Plugin = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNREACHED }, ({ importer }) =>
      /[\\/]node_modules[\\/](commander|cli-progress|undici)[\\/]/.test(importer)
        ? { path: 'unreached', namespace: 'unreached' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unreached' }, () => ({ contents: 'module.exports = {};' }));
    // undici asks node:http for this number, Node's default, and for nothing else that it reaches.
    onResolve({ filter: /^node:http$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]undici[\\/]/.test(importer) ? { path: 'http', namespace: 'header-size' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'header-size' }, () => ({
      contents: 'module.exports = { maxHeaderSize: 16384 };',
    }));
    // The suffix gives each file a module of its own. Otherwise each of Node's modules would be a chunk, a file to
    // load.
    onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
      kind === 'require-call'
        ? { external: true }
        : { path, suffix: `?${importer}`, namespace: 'builtin', sideEffects: false },
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: exportsOf(path) }));
    const late = loadedLate();
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) =>
      late.has(path)
        ? { contents: `import ${JSON.stringify(CORE)};\n${readFileSync(path, 'utf8')}`, loader: 'ts' }
        : undefined,
    );
  },
};

// commander starts programs for subcommands that are files of their own. cli-progress gets a terminal of ours. The
// transport switches HTTP/2 off and never sends a form.
const UNREACHED = /^node:child_process$|^readline$|\/client-h2\.js$|\/web\/fetch\/body\.js$/;
const CORE = resolve('scripts/core.ts');

function exportsOf(path: string): string {
  const names = Object.entries(process.getBuiltinModule(path) ?? {}).filter(([name]) => name !== 'default');
  const get = `process.getBuiltinModule(${JSON.stringify(path)})`;
  const late = LATE.test(path);
  return [
    `const builtin = /* @__PURE__ */ ${get};`,
    'export default builtin;',
    ...(late ? [`let found; const find = () => (found ??= ${get});`] : []),
    ...names.map(([name, value]) =>
      late && typeof value === 'function' && /^[a-z]/.test(name)
        ? `export const ${name} = (...args) => find().${name}(...args);`
        : `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`,
    ),
  ].join('\n');
}

// Large modules whose functions most commands never call: they are loaded at the first call.
const LATE = /^node:(crypto|fs\/promises|os|readline|readline\/promises|v8|zlib)$/;

/**
 * What is loaded once it is known what a command does; a chunk is made of the files that the same ones of these need.
 */
function loadedLate(): ReadonlySet<string> {
  const files = globSync('src/**/*.ts').filter((path) => !EARLY.test(path));
  const loaded = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/import\('(\.[^']*)'\)/g)].map(([, to = '']) => resolve(dirname(path), to)),
  );
  return new Set(loaded.filter((path) => !/[\\/]src[\\/](base|wire)[\\/]/.test(path)));
}

// They load the nouns, and what says that something went wrong: that must not need much.
const EARLY = /^src[\\/](cli|main|commands[\\/]framework[\\/]groups)\.ts$/;
