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
      /[\\/]node_modules[\\/](commander|undici)[\\/]/.test(importer)
        ? { path: 'unreached', namespace: 'unreached' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unreached' }, () => ({ contents: 'module.exports = undefined;' }));
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { external: true } : { path, namespace: 'builtin', sideEffects: false },
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

// commander starts programs for subcommands that are files of their own; the transport switches HTTP/2 off.
const UNREACHED = /^node:child_process$|\/client-h2\.js$/;
const CORE = resolve('scripts/core.ts');

function exportsOf(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== 'default');
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
    'export default builtin;',
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`),
  ].join('\n');
}

/** What is loaded once it is known what a command does; a chunk is made of the files that the same ones of these need. */
function loadedLate(): ReadonlySet<string> {
  const files = globSync('src/**/*.ts').filter((path) => !EARLY.test(path));
  const loaded = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/import\('(\.[^']*)'\)/g)].map(([, to = '']) => resolve(dirname(path), to)),
  );
  return new Set(loaded.filter((path) => !/[\\/]src[\\/](base|wire)[\\/]/.test(path)));
}

// They load the nouns, and what says that something went wrong: that must not need much.
const EARLY = /^src[\\/](cli|main|commands[\\/]framework[\\/]groups)\.ts$/;
