import type { BuildOptions } from 'esbuild';
import { lean } from './lean.ts';
import { packed } from './packed.ts';

/** The options of esbuild: one small entry, and chunks that commands load on demand. */
export const BUNDLE = {
  entryPoints: {
    main: 'src/main.ts',
    'list-thread-entry': 'src/import/batch/list-thread-entry.ts',
  },
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  assetNames: 'tables/[name]-[hash]',
  // The names of svc stay, so that a stack trace still says where an error comes from.
  minifyWhitespace: true,
  minifySyntax: true,
  // THIRD-PARTY-LICENSES has all of these comments.
  legalComments: 'none',
  plugins: [lean, packed],
  // undici leaves out its second, experimental parser if this is defined.
  define: { esbuildDetection: 'true' },
  // CommonJS dependencies call require() for Node's own modules only. Everything else is in the bundle.
  banner: { js: 'const require = (id) => process.getBuiltinModule(id);' },
} satisfies BuildOptions;
