import { globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Makes short commands start sooner:
 *
 * - Node's own modules are loaded by name. An `import` of one reads every export, and so loads more modules, such as
 *   workers and the certificates of crypto.
 * - Unreached parts of packages are left out: programs as subcommands, HTTP/2.
 * - Files that nearly every command needs become one chunk instead of forty.
 */
export const lean: Plugin = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNREACHED }, ({ importer }) =>
      /[\\/]node_modules[\\/](commander|undici)[\\/]/.test(importer)
        ? { path: 'unreached', namespace: 'unreached' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unreached' }, () => ({ contents: 'module.exports = {};' }));
    // undici reads only this number from node:http. It is Node's default.
    onResolve({ filter: /^node:http$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]undici[\\/]/.test(importer) ? { path: 'http', namespace: 'header-size' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'header-size' }, () => ({
      contents: 'module.exports = { maxHeaderSize: 16384 };',
    }));
    // The suffix gives each importing file its own module. Otherwise each of Node's modules would be a chunk, and a
    // file to load.
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

// Modules without a use here. commander starts subcommands in other files, and svc has none. The transport switches
// HTTP/2 off and never sends a form.
const UNREACHED = /^node:child_process$|\/client-h2\.js$|\/web\/fetch\/body\.js$/;
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

// Large modules that most commands never use. They are loaded at the first call.
const LATE = /^node:(crypto|fs\/promises|os|readline|readline\/promises|v8|zlib)$/;

/** Files that are loaded after the command is known. A chunk consists of files that the same ones of these need. */
function loadedLate(): ReadonlySet<string> {
  const files = globSync('src/**/*.ts').filter((path) => !EARLY.test(path));
  const loaded = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/import\('(\.[^']*)'\)/g)].map(([, to = '']) => resolve(dirname(path), to)),
  );
  return new Set(loaded.filter((path) => !/[\\/]src[\\/](base|wire)[\\/]/.test(path)));
}

// These files load command groups and report errors, so they must stay small.
const EARLY = /^src[\\/](cli|main|commands[\\/]framework[\\/]tree)\.ts$/;
