import type { BuildOptions } from 'esbuild';
import { lean } from './lean.ts';
import { packed } from './packed.ts';

/** How esbuild makes the program: one small entry, the rest in chunks that commands load when they need them. */
export const BUNDLE = {
  entryPoints: { main: 'src/main.ts', 'batch-thread-entry': 'src/import/batch/batch-thread-entry.ts' },
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // Names stay, so that a stack trace still says where an error comes from.
  minifyWhitespace: true,
  minifySyntax: true,
  // THIRD-PARTY-LICENSES has them all.
  legalComments: 'none',
  plugins: [lean, packed],
  // undici takes this as a sign to leave out its second, experimental parser.
  define: { esbuildDetection: 'true' },
  // CommonJS dependencies call require(), for Node's own modules alone: everything else is in the bundle.
  banner: { js: 'const require = (id) => process.getBuiltinModule(id);' },
} satisfies BuildOptions;
